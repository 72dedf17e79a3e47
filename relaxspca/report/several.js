/**
 * Claims about several components at once: §13 of certificates/SPEC.md. See checker.js.
 */
"use strict";

const relaxspcaSeveral = (() => {
  const { inLine } = typeof require === "function" ? require("./certificate.js") : relaxspcaCertificate;
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, gcd, dyadic, whole, mul, add, sub, total, atMost, largest, top, decimal, fraction, symmetric } = numbers;
  const { RowCharges, TooLittle, bitLength, shortcoming } = numbers;
  const { Choices } = typeof require === "function" ? require("./choices.js") : relaxspcaChoices;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{n: number, at: Dyadic[]}} Matrix */
  /** What a node knows of a part: its cardinality, what is forced in, what is free. @typedef {{k: number, J: number[], F: number[]}} Part */
  /** @typedef {{p: Dyadic, q: Dyadic}} Ratio */

  const MOST_SUPPORTS = 2 ** 17;
  const sorted = (/** @type {number[]} */ list) => [...list].sort((a, b) => a - b);
  const dot = (/** @type {Dyadic[]} */ a, /** @type {Dyadic[]} */ b) => total(a.map((x, i) => mul(x, b[i])));

  // Lower bound

  /** Whole numbers, the sum of their squares, and how many are not 0. @typedef {{x: bigint[], square: bigint, count: number}} Made */

  const [MOST_BITS, MOST_WORK] = [2 ** 19, 2 ** 47]; // of an entry, and products of bits of all vectors together
  const inner = (/** @type {bigint[]} */ a, /** @type {bigint[]} */ b) => a.reduce((sum, y, i) => (y && b[i] ? sum + y * b[i] : sum), 0n);
  const size = (/** @type {bigint} */ m) => (m < 0n ? -m : m);
  const countOf = (/** @type {bigint[]} */ x) => x.filter((m) => m !== 0n).length;
  const made = (/** @type {bigint[]} */ x) => ({ x, square: inner(x, x), count: countOf(x) });

  /** Take out of a vector what its entries have in common; the direction stays. @param {bigint[]} x */
  function primitive(x) {
    const g = x.reduce((found, m) => gcd(found, size(m)), 0n);
    return g > 1n ? x.map((m) => m / g) : x;
  }

  /** Return a multiple of doubles in whole numbers. @param {Float64Array} values */
  function wholeOf(values) {
    const x = Array.from(values, dyadic);
    const e = Math.min(...x.filter(({ m }) => m !== 0n).map((y) => y.e));
    return primitive(x.map((y) => (y.m === 0n ? 0n : y.m << BigInt(y.e - e))));
  }

  /** Vectors made orthogonal one after the other, each inside its support. They may grow threefold each time: there are limits. */
  class Orthogonal {
    constructor() {
      this.work = 0;
      /** @type {Made[]} */
      this.done = [];
    }

    /** @param {number} length @param {number} bits */
    count(length, bits) {
      this.work += length * bits ** 2;
      if (this.work > MOST_WORK) throw new TooLittle(`orthogonal components take more than ${MOST_WORK} products of bits`);
    }

    /** Return a multiple of x without its projections on a basis, and without common divisors. @param {bigint[]} x @param {Made[]} basis */
    without(x, basis) {
      for (const b of basis) {
        const along = inner(b.x, x);
        if (along === 0n) continue;
        const common = gcd(size(along), b.square);
        const [p, q] = [along / common, b.square / common];
        const bits = bitLength(x.map(size).reduce((a, c) => (a > c ? a : c))) + bitLength(q);
        if (bits > MOST_BITS) throw new TooLittle(`orthogonal components take numbers of more than ${MOST_BITS} bits`);
        this.count(x.length, bits);
        x = primitive(x.map((y, i) => y * q - b.x[i] * p));
      }
      return x;
    }

    /** Return orthogonal vectors that span what the earlier ones have on a support. @param {number[]} support */
    basis(support) {
      const here = this.done.map((v) => ({ ...v, x: support.map((i) => v.x[i]) }));
      // Those that are 0 elsewhere are orthogonal here, too.
      const basis = here.filter(({ x, count }) => countOf(x) === count);
      for (const { x, count } of here) {
        const some = countOf(x);
        const rest = some === 0 || some === count ? [] : this.without(x, basis);
        if (countOf(rest) > 0) basis.push(made(rest));
      }
      return basis;
    }

    /** @param {number} n @param {number[]} support @param {Float64Array} loadings */
    add(n, support, loadings) {
      const x = this.without(wholeOf(loadings), this.basis(support));
      if (countOf(x) === 0) throw new TooLittle("the components cannot be made orthogonal inside their supports: one becomes 0");
      const everywhere = new Array(n).fill(0n);
      support.forEach((i, at) => (everywhere[i] = x[at]));
      this.done.push(made(everywhere));
    }
  }

  /** Return the components of a claim made exactly orthogonal in their supports. @param {any} claim */
  function orthogonal(claim) {
    const found = new Orthogonal();
    const order = [...claim.components.keys()].sort((a, b) => claim.components[a].support.length - claim.components[b].support.length || a - b);
    for (const t of order) found.add(claim.n, claim.components[t].support, claim.components[t].loadings);
    found.count(8, found.done.reduce((sum, { square }) => sum + bitLength(square), 0)); // to add up what they attain
    return found.done;
  }

  /** Return what orthogonal components attain together. @param {Matrix} M @param {Made[]} all @param {number[]} places @returns {Ratio} */
  function attainedBy(M, all, places) {
    let terms = all.map(({ x, square }) => {
      const T = x.flatMap((m, i) => (m === 0n ? [] : [i]));
      const at = (/** @type {number} */ i) => ({ m: x[i], e: 0 });
      const image = T.map((i) => total(T.map((j) => mul(M.at[places[i] * M.n + places[j]], at(j)))));
      return { p: dot(T.map(at), image), q: { m: square, e: 0 } };
    });
    // By halves: few sums are long.
    const sum = (/** @type {Ratio} */ a, /** @type {Ratio} */ b) => ({ p: add(mul(a.p, b.q), mul(b.p, a.q)), q: mul(a.q, b.q) });
    while (terms.length > 1) {
      terms = terms.flatMap((a, t) => (t % 2 ? [] : t + 1 < terms.length ? [sum(a, terms[t + 1])] : [a]));
    }
    return terms[0];
  }

  // Parts and tree

  /** The evidence of a claim about several components. */
  class Tables {
    /** @param {any} claim @param {Matrix} Sigma @param {any} eigenvalues */
    constructor(claim, Sigma, eigenvalues) {
      this.claim = claim;
      this.Sigma = Sigma;
      this.eigenvalues = eigenvalues;
      this.copies = claim.supports === "common" ? claim.sizes.length : 1;
      this.sizes = claim.supports === "common" ? claim.sizes.slice(0, 1) : claim.sizes;
      const sum = claim.sizes.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
      this.isSmallerCounted = claim.supports === "disjoint" && sum > claim.n;
      /** @type {Map<string, any>} */
      this.known = new Map();
    }

    /** @template T @param {string} name @param {() => T} make @returns {T} */
    once(name, make) {
      if (!this.known.has(name)) this.known.set(name, make());
      return this.known.get(name);
    }

    /** Prove at every leaf that no table explains more than upper; return the number of leaves. */
    prove(/** @type {Dyadic} */ upper, /** @type {(done: number, all: number) => void} */ progress = () => {}) {
      const leaves = this.leaves();
      leaves.forEach(({ at, leaf, parts }, done) => {
        const reason = shortcoming(() => this.leaf(leaf, parts, upper));
        if (reason !== null) throw new TooLittle(`node ${at} (${leaf.kind}): ${reason}`);
        progress(done + 1, leaves.length);
      });
      return leaves.length;
    }

    /** Return the leaves with their parts, or say what is wrong with the tree. */
    leaves() {
      const { tree, n } = this.claim;
      const seen = new Uint8Array(tree.length);
      const found = [];
      const all = [...Array(n).keys()];
      const undecided = this.sizes.map((/** @type {number} */ k) => ({ k, J: /** @type {number[]} */ ([]), F: all }));
      const waiting = [{ at: 0, parts: undecided }];
      for (let node = waiting.pop(); node; node = waiting.pop()) {
        const { at, parts } = node;
        if (seen[at]) throw new TooLittle(`node ${at} of the tree is reached twice`);
        seen[at] = 1;
        const here = tree[at];
        if (here.kind !== "split") {
          found.push({ at, leaf: here, parts });
          continue;
        }
        const { component, variable } = here;
        const { k, J, F } = parts[component];
        if (!F.includes(variable)) throw new TooLittle(`node ${at} splits a variable that is not free`);
        const rest = F.filter((/** @type {number} */ i) => i !== variable);
        const word = (/** @type {Part} */ part) => `${part.k} ${sorted(part.J)} ${part.F}`;
        const own = word(parts[component]);
        // Where an equal part has the variable, an exchange of the two gives it to this one.
        const outside = parts.map((/** @type {Part} */ part) => (word(part) === own ? { ...part, F: rest } : part));
        const inside = parts.map((/** @type {Part} */ part, /** @type {number} */ t) =>
          (t === component ? { k, J: [...J, variable], F: rest } : part));
        waiting.push({ at: here.outside, parts: outside }, { at: here.inside, parts: inside });
      }
      const idle = seen.indexOf(0);
      if (idle >= 0) throw new TooLittle(`node ${idle} of the tree is never reached`);
      return found;
    }

    /** @param {any} leaf @param {Part[]} given @param {Dyadic} upper */
    leaf(leaf, given, upper) {
      const parts = given.map(({ k, J, F }) => {
        if (J.length === k) return { k, J: sorted(J), F: [] };
        if (!this.isSmallerCounted && J.length + F.length === k) return { k, J: sorted([...J, ...F]), F: [] };
        return { k, J: sorted(J), F };
      });
      const V = sorted([...new Set(parts.flatMap(({ J, F }) => [...J, ...F]))]);
      if (this.hasNoTable(parts, V)) return;
      if (leaf.kind === "choices") {
        new Choices(this, leaf.point, parts, V, upper).prove();
        return;
      }
      const bound = leaf.point === null ? this.spectral(parts) : this.multipliers(this.claim.points[leaf.point], leaf.point, parts, V);
      if (!atMost(bound, upper)) throw new TooLittle("its bound is above the claimed upper bound");
    }

    /** Say whether no table has such parts. @param {Part[]} parts @param {number[]} V their variables */
    hasNoTable(parts, V) {
      const least = (/** @type {number} */ k) => (this.isSmallerCounted ? 1 : k);
      const forced = parts.flatMap(({ J }) => J);
      const isShared = this.claim.supports === "disjoint" && new Set(forced).size < forced.length;
      const isVoid = parts.some(({ k, J, F }) => J.length > k || J.length + F.length < least(k));
      return isShared || isVoid || V.length < this.claim.sizes.length;
    }

    /** @param {Part[]} parts @returns {Dyadic} */
    spectral(parts) {
      const tops = parts.map(({ J, F }) => {
        const rows = sorted([...J, ...F]);
        return this.once(`Sigma ${rows}`, () => this.eigenvalues.upper(this.Sigma, rows));
      });
      return mul(whole(this.copies), total(tops));
    }

    /** @param {any} point @param {number} at @param {Part[]} parts @param {number[]} V @returns {Dyadic} */
    multipliers(point, at, parts, V) {
      const { copies } = this;
      const place = new Map(point.variables.map((/** @type {number} */ i, /** @type {number} */ p) => [i, p]));
      if (!V.every((i) => place.has(i))) throw new TooLittle("its point says nothing of some variables of the leaf");
      const local = (/** @type {number[]} */ list) => list.map((i) => /** @type {number} */ (place.get(i)));
      const M = this.once(`M ${at}`, () => ({ n: point.variables.length, at: Array.from(point.M, dyadic) }));
      const y = this.once(`y ${at}`, () => Array.from(point.y, dyadic));
      const { delta, paid: diagonal } = this.excess(at, V);
      const here = local(V);
      /** @type {Map<number, number>} */
      const times = new Map(here.map((j) => [j, copies]));
      const forced = new Set(parts.flatMap(({ J }) => J));
      const K = parts.reduce((sum, { k, J }) => sum + k - J.length, 0);
      if (this.claim.supports === "orthogonal") {
        for (const [x, i] of V.entries()) {
          const least = parts.filter(({ J }) => J.includes(i)).length;
          const most = least + parts.filter(({ F }) => F.includes(i)).length;
          times.set(here[x], Math.max(least, 1));
          if (y[here[x]].m < 0n && most > Math.max(least, 1)) throw new TooLittle("a multiplier is negative");
        }
      }
      const e = (/** @type {number} */ j) => sub(diagonal[here.indexOf(j)], mul(whole(/** @type {number} */ (times.get(j))), y[j]));
      const paid = local(V.filter((i) => !forced.has(i))).map(e);
      const cut = this.claim.supports === "common" ? paid : paid.map((x) => largest([ZERO, x]));
      const betas = parts.map((part, t) => this.once(`beta ${at} ${t} ${part.J};${part.F}`, () =>
        (point.rows[t] === null ? this.tried(M, y, part, local) : this.rows(this.claim.points[point.rows[t]], M, y, part, local))));
      const spare = mul(whole(this.claim.sizes.length), delta);
      return sub(total([mul(whole(copies), total(betas)), ...local([...forced]).map(e), top(cut, K)]), spare);
    }

    /**
     * Return delta >= 0 with Z + delta I semidefinite on W, and its diagonal there.
     * @param {number} at @param {number[]} W @returns {{delta: Dyadic, paid: Dyadic[]}}
     */
    excess(at, W) {
      const { variables, M } = this.claim.points[at];
      const v = variables.length;
      const minusZ = this.once(`-Z ${at}`, () =>
        symmetric(v, (a, b) => sub(dyadic(M[a * v + b]), this.Sigma.at[variables[a] * this.Sigma.n + variables[b]])));
      return this.once(`excess ${at} ${W}`, () => {
        const here = W.map((i) => variables.indexOf(i));
        const { eigenvalues } = this;
        const delta = eigenvalues.atMost(minusZ, here, ZERO) ? ZERO : largest([ZERO, eigenvalues.upper(minusZ, here)]);
        return { delta, paid: here.map((j) => sub(delta, minusZ.at[j * v + j])) };
      });
    }

    /** Bound lambda_max(M_TT) + y(T) by every support T of a part. */
    tried(/** @type {Matrix} */ M, /** @type {Dyadic[]} */ y, /** @type {Part} */ part, /** @type {(list: number[]) => number[]} */ local) {
      const supports = this.supports(part.k, local(part.J), local(part.F));
      return this.eigenvalues.upperOfAll(M, supports, supports.map((T) => total(T.map((j) => y[j]))));
    }

    /** Return the supports of a part of k variables. @param {number} k @param {number[]} J @param {number[]} F @returns {number[][]} */
    supports(k, J, F) {
      const most = Math.min(k, J.length + F.length);
      const least = this.isSmallerCounted ? Math.max(1, J.length) : most;
      let count = 0;
      for (let m = least; m <= most; m++) count += choices(F.length, m - J.length);
      if (count > MOST_SUPPORTS) throw new TooLittle(`a part has more than ${MOST_SUPPORTS} supports`);
      /** @type {number[][]} */
      const supports = [];
      for (let m = least; m <= most; m++) chosen(F, m - J.length, (some) => supports.push([...J, ...some]));
      return supports;
    }

    /** Bound the same by lambda_max(M - P + Diag c), c the row charges of N and y. */
    rows(
      /** @type {any} */ perron, /** @type {Matrix} */ M, /** @type {Dyadic[]} */ y, /** @type {Part} */ part,
      /** @type {(list: number[]) => number[]} */ local,
    ) {
      const v = perron.variables.length;
      const there = new Map(perron.variables.map((/** @type {number} */ i, /** @type {number} */ p) => [i, p]));
      const own = [...part.J, ...part.F];
      if (!own.every((i) => there.has(i))) throw new TooLittle("the perron point of a part says nothing of some of its variables");
      const [P, N] = [perron.P, perron.N].map((values) => Array.from(/** @type {Float64Array} */ (values), dyadic));
      for (let a = 0; a < v; a++) {
        for (let b = 0; b < a; b++) {
          const p = P[a * v + b];
          if (!atMost(mul(p, p), mul(N[a * v + b], N[b * v + a]))) throw new TooLittle("a pair of a perron point is underpaid");
        }
      }
      const [at, from] = [local(own), own.map((i) => /** @type {number} */ (there.get(i)))];
      const d = own.length;
      const isForced = (/** @type {number} */ b) => b < part.J.length;
      const multiplier = (/** @type {number} */ a, /** @type {number} */ b) => {
        if (a === b) return y[at[a]];
        const p = add(N[from[a] * v + from[b]], y[at[b]]);
        return this.isSmallerCounted && !isForced(b) && p.m < 0n ? ZERO : p;
      };
      const multipliers = new RowCharges(d, Array.from({ length: d * d }, (_, x) => multiplier(Math.floor(x / d), x % d)));
      const [J, F] = [[...part.J.keys()], [...part.F.keys()].map((x) => x + part.J.length)];
      const c = multipliers.rows(J, F, Math.min(part.k, d));
      const row = [...c.forced, ...c.free];
      const B = symmetric(d, (a, b) => {
        const x = sub(M.at[at[a] * M.n + at[b]], P[from[a] * v + from[b]]);
        return a === b ? add(x, row[a]) : x;
      });
      return this.eigenvalues.upper(B, [...Array(d).keys()]);
    }
  }

  /** @param {number} n @param {number} m */
  function choices(n, m) {
    let found = 1;
    for (let i = 0; i < m; i++) found = (found * (n - i)) / (i + 1);
    return Math.round(found);
  }

  /**
   * Call back with every choice of m of a list.
   * @param {number[]} list @param {number} m @param {(some: number[]) => void} found @param {number[]} [some]
   */
  function chosen(list, m, found, some = []) {
    if (m === 0) {
      found(some);
      return;
    }
    for (let at = 0; at + m <= list.length; at++) chosen(list.slice(at + 1), m - 1, found, [...some, list[at]]);
  }

  // §2 Verdict

  /**
   * Return the parts of a verdict that are those of tables.
   * @param {any} claim @param {Matrix} Sigma @param {any} eigenvalues
   */
  function examine(claim, Sigma, eigenvalues) {
    const tables = new Tables(claim, Sigma, eigenvalues);
    /** @type {Made[]} */
    let vectors = [];
    const fault = shortcoming(() => (vectors = orthogonal(claim)));
    const ratio = fault === null ? attainedBy(Sigma, vectors, [...Array(claim.n).keys()]) : null;
    return {
      fault,
      ratio,
      text: ratio ? fraction(ratio.p, ratio.q) : null,
      atLeast: (/** @type {Dyadic} */ bound) => ratio !== null && atMost(mul(bound, ratio.q), ratio.p),
      above: (/** @type {Dyadic} */ bound) => ratio !== null && !atMost(ratio.p, mul(bound, ratio.q)),
      attainedOn: (/** @type {Matrix} */ M, /** @type {number[]} */ places) => attainedBy(M, vectors, places),
      prove: (/** @type {Dyadic} */ upper, /** @type {(done: number, all: number) => void} */ progress) => tables.prove(upper, progress),
    };
  }

  /** The claim in words. @param {any} claim */
  function statementOf(claim) {
    const [low, high] = [decimal(dyadic(claim.lower), false), decimal(dyadic(claim.upper), true)];
    const how = { orthogonal: "orthonormal", disjoint: "disjoint", common: "of one common support" }[/** @type {"disjoint"} */ (claim.supports)];
    const every = claim.components.map((/** @type {any} */ x) => inLine(claim.names, x.support));
    const names = new Set(every).size === 1 ? every.slice(0, 1) : every;
    const different = [...new Set(claim.sizes)];
    const each = different.length === 1 && claim.sizes.length > 1 && claim.supports !== "common" ? " each" : "";
    const sizes = `${(different.length === 1 ? different : claim.sizes).join(", ")} variables${each}`;
    return `${low} <= total of ${claim.sizes.length} components (${how}) of ${sizes} <= ${high} ` +
      `of a ${claim.n} x ${claim.n} ${claim.description.kind}; the lower bound is attained by components of ${names.join("; of ")}`;
  }

  return { examine, statementOf };
})();

if (typeof module !== "undefined") module.exports = relaxspcaSeveral;
