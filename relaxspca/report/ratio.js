/**
 * Claims about ratios of two quadratic forms: §14 of certificates/SPEC.md. See checker.js.
 *
 * With an intercept all is multiplied by p^2, p the number of rows, so that nothing is divided.
 */
"use strict";

const relaxspcaRatio = (() => {
  const { inLine } = typeof require === "function" ? require("./certificate.js") : relaxspcaCertificate;
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, ONE, dyadic, whole, neg, abs, mul, add, sub, total, atMost, top, decimal, fraction, symmetric, gram } = numbers;
  const { TooLittle, shortcoming } = numbers;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{n: number, at: Dyadic[]}} Matrix */

  const PRECISION = 120;
  const scaledBy = (/** @type {Matrix} */ M, /** @type {number[]} */ e) =>
    symmetric(M.n, (i, j) => ({ m: M.at[i * M.n + j].m, e: M.at[i * M.n + j].e + e[i] + e[j] }));

  /** Return A, B, both times `unit`, and for least squares what y'Cy is, times the same. @param {any} pencil */
  function formsOf(pencil) {
    const { n } = pencil;
    if (pencil.storage === "dense") {
      const [A, B] = [pencil.numerator, pencil.denominator].map((values) => ({ n, at: Array.from(values, dyadic) }));
      return { A, B, unit: ONE, square: null };
    }
    const X = Array.from(pencil.variables, dyadic);
    const y = Array.from(pencil.response, dyadic);
    const p = y.length;
    const column = (/** @type {number} */ i) => y.map((_, l) => X[l * n + i]);
    const dot = (/** @type {Dyadic[]} */ a, /** @type {Dyadic[]} */ b) => total(a.map((x, l) => mul(x, b[l])));
    const G = gram(X, p, n);
    const Xy = [...Array(n).keys()].map((i) => dot(column(i), y));
    if (!pencil.intercept) return { A: symmetric(n, (i, j) => mul(Xy[i], Xy[j])), B: G, unit: ONE, square: dot(y, y) };
    const sums = [...Array(n).keys()].map((i) => total(column(i)));
    const [of, rows] = [total(y), whole(p)];
    const b = Xy.map((x, i) => sub(mul(rows, x), mul(sums[i], of)));
    return {
      A: symmetric(n, (i, j) => mul(b[i], b[j])),
      B: symmetric(n, (i, j) => mul(rows, sub(mul(rows, G.at[i * n + j]), mul(sums[i], sums[j])))),
      unit: mul(rows, rows),
      square: mul(rows, sub(mul(rows, dot(y, y)), mul(of, of))),
    };
  }

  /** The evidence of a claim about a ratio. */
  class Pencil {
    /** @param {any} claim @param {any} eigenvalues */
    constructor(claim, eigenvalues) {
      this.claim = claim;
      this.eigenvalues = eigenvalues;
      this.forms = formsOf(claim.pencil);
      const { A, B } = this.forms;
      const mu = dyadic(claim.mu);
      this.M = scaledBy(symmetric(claim.n, (i, j) => sub(A.at[i * claim.n + j], mul(mu, B.at[i * claim.n + j]))), claim.exponents);
      this.minusB = scaledBy({ n: B.n, at: B.at.map(neg) }, claim.exponents);
      this.all = [...Array(claim.n).keys()];
      this.parts = claim.budgets ?? [{ variables: this.all, k: claim.k }];
      /** A lower bound on the smallest eigenvalue of DBD. @type {Dyadic | null} */
      this.beta = claim.pencil.storage === "dense" ? neg(eigenvalues.upper(this.minusB, this.all)) : null;
      /** @type {{at: number, leaf: any, J: number[], F: number[]}[]} */
      this.cases = [];
      /** What is wrong with the tree. @type {string | null} */
      this.defect = shortcoming(() => (this.cases = this.leaves()));
    }

    /** Say whether B is what the claim says it is. */
    isSound() {
      return this.beta === null || this.beta.m > 0n;
    }

    /** Prove r_k <= upper; return the number of leaves. */
    prove(/** @type {Dyadic} */ upper, /** @type {(done: number, all: number) => void} */ progress = () => {}) {
      const { square, unit } = this.forms;
      const leaves = this.cases;
      if (square && (atMost(square, mul(upper, unit)) || this.isExplained(mul(upper, unit)))) return leaves.length;
      if (this.defect !== null) throw new TooLittle(this.defect);
      const room = sub(upper, dyadic(this.claim.mu));
      if (room.m < 0n) throw new TooLittle("mu is above the claimed upper bound");
      const tau = this.beta && this.beta.m > 0n ? mul(room, this.beta) : ZERO;
      leaves.forEach(({ at, leaf, J, F }, done) => {
        const reason = shortcoming(() => this.leaf(leaf, J, F, tau));
        if (reason !== null) throw new TooLittle(`node ${at} (${leaf.kind}): ${reason}`);
        progress(done + 1, leaves.length);
      });
      return leaves.length;
    }

    /** Say whether the fit of the file proves that all variables explain at most so much, times p^2 with an intercept. @param {Dyadic} most */
    isExplained(most) {
      const { pencil, fit, exponents, n } = this.claim;
      if (!fit) return false;
      const [X, w] = [pencil.variables, fit].map((values) => Array.from(values, dyadic));
      let r = Array.from(pencil.response, (value, l) => sub(dyadic(value), total(w.map((x, i) => mul(x, X[l * n + i])))));
      const rows = pencil.intercept ? whole(r.length) : ONE;
      if (pencil.intercept) r = ((sum) => r.map((x) => sub(mul(rows, x), sum)))(total(r));
      // r and the slopes are p times what they are called in §14, the square and beta p^2 times.
      const slopes = this.all.map((i) => total(r.map((x, l) => mul(x, X[l * n + i]))));
      const excess = total(slopes.map((h, i) => ({ m: h.m * h.m, e: 2 * (h.e + exponents[i]) })));
      const left = sub(most, sub(/** @type {Dyadic} */ (this.forms.square), total(r.map((x) => mul(x, x)))));
      if (left.m < 0n || excess.m === 0n) return left.m >= 0n;
      const beta = neg(this.eigenvalues.upper(this.minusB, this.all));
      return beta.m > 0n && atMost(mul(excess, mul(rows, rows)), mul(beta, left));
    }

    /** Return the leaves with what is forced in and what is free. */
    leaves() {
      const { tree, include, exclude } = this.claim;
      const seen = new Uint8Array(tree.length);
      const found = [];
      const waiting = [{ at: 0, J: include, F: this.all.filter((i) => !include.includes(i) && !exclude.includes(i)) }];
      for (let node = waiting.pop(); node; node = waiting.pop()) {
        const { at, J, F } = node;
        if (seen[at]) throw new TooLittle(`node ${at} of the tree is reached twice`);
        seen[at] = 1;
        const here = tree[at];
        if (here.kind !== "split") {
          found.push({ at, leaf: here, J, F });
          continue;
        }
        if (!F.includes(here.variable)) throw new TooLittle(`node ${at} splits a variable that is not free`);
        const rest = F.filter((/** @type {number} */ i) => i !== here.variable);
        waiting.push({ at: here.outside, J, F: rest }, { at: here.inside, J: [...J, here.variable], F: rest });
      }
      const idle = seen.indexOf(0);
      if (idle >= 0) throw new TooLittle(`node ${idle} of the tree is never reached`);
      return found;
    }

    /** Prove that a leaf's bound is at most tau. @param {any} leaf @param {number[]} J @param {number[]} free @param {Dyadic} tau */
    leaf(leaf, J, free, tau) {
      const { M, claim } = this;
      const parts = this.parts.map((/** @type {any} */ part) => {
        const room = part.k - J.filter((i) => part.variables.includes(i)).length;
        return { room, F: free.filter((i) => part.variables.includes(i)) };
      });
      if (parts.some(({ room, F }) => room < 0 || room > F.length)) return;
      for (const part of parts) if (part.room === 0) part.F = [];
      if (leaf.kind === "void") throw new TooLittle("a void leaf has supports");
      const F = parts.flatMap((part) => part.F);
      const rows = [...J, ...F].sort((a, b) => a - b);
      const diagonal = (/** @type {number} */ i) => M.at[i * M.n + i];
      if (leaf.kind === "support" && parts.some(({ room, F: own }) => room !== own.length)) throw new TooLittle("there is more than one support");
      const isAtMost = () => {
        if (leaf.kind === "spectral" || leaf.kind === "support") return this.eigenvalues.remembered(`M ${rows}`, M, rows, tau);
        if (leaf.kind === "trace") {
          const sum = total([...J.map(diagonal), ...parts.map(({ room, F: own }) => top(own.map(diagonal), room))]);
          const left = sub(tau, sum);
          if (left.m < 0n || claim.k === 1) return left.m >= 0n;
          const d = { m: (left.m << BigInt(PRECISION)) / BigInt(claim.k - 1), e: left.e - PRECISION };
          return this.eigenvalues.remembered("-M", { n: M.n, at: M.at.map(neg) }, this.all, d);
        }
        const point = leaf.point === null ? null : claim.points[leaf.point];
        const place = new Map((point ? point.variables : this.all).map((/** @type {number} */ i, /** @type {number} */ at) => [i, at]));
        if (!rows.every((i) => place.has(i))) throw new TooLittle("its point says nothing of some variables");
        const at = (/** @type {number} */ i) => /** @type {number} */ (place.get(i));
        return leaf.kind === "rowsum" ? this.rowsum(point, at, J, parts, rows, tau) : this.perron(point, at, J, parts, rows, tau);
      };
      if (!isAtMost()) throw new TooLittle("its bound is above what the claimed upper bound needs");
    }

    /** Return the row charges by parts. */
    charges(
      /** @type {number[]} */ J, /** @type {{room: number, F: number[]}[]} */ parts, /** @type {number[]} */ rows,
      /** @type {(i: number, j: number) => Dyadic} */ p,
    ) {
      return rows.map((i) => total([
        p(i, i), ...J.filter((j) => j !== i).map((j) => p(i, j)),
        ...parts.map(({ room, F }) => top(F.filter((j) => j !== i).map((j) => p(i, j)), room - (F.includes(i) ? 1 : 0))),
      ]));
    }

    /** Every row charge times its weight, so that nothing is divided. */
    rowsum(
      /** @type {any} */ point, /** @type {(i: number) => number} */ at, /** @type {number[]} */ J,
      /** @type {{room: number, F: number[]}[]} */ parts, /** @type {number[]} */ rows, /** @type {Dyadic} */ tau,
    ) {
      const { M } = this;
      const w = (/** @type {number} */ i) => (point ? dyadic(point.weights[at(i)]) : ONE);
      const charge = (/** @type {number} */ i, /** @type {number} */ j) => mul(i === j ? M.at[i * M.n + i] : abs(M.at[i * M.n + j]), w(j));
      return this.charges(J, parts, rows, charge).every((c, a) => atMost(c, mul(tau, w(rows[a]))));
    }

    perron(
      /** @type {any} */ point, /** @type {(i: number) => number} */ at, /** @type {number[]} */ J,
      /** @type {{room: number, F: number[]}[]} */ parts, /** @type {number[]} */ rows, /** @type {Dyadic} */ tau,
    ) {
      const { M, forms } = this;
      const v = point.variables.length;
      const [P, N] = [point.P, point.N].map((values) => Array.from(/** @type {Float64Array} */ (values), (x) => mul(dyadic(x), forms.unit)));
      for (let a = 0; a < v; a++) {
        for (let b = 0; b < a; b++) {
          const p = P[a * v + b];
          if (!atMost(mul(p, p), mul(N[a * v + b], N[b * v + a]))) throw new TooLittle("a pair of its point is underpaid");
        }
      }
      const c = this.charges(J, parts, rows, (i, j) => N[at(i) * v + at(j)]);
      const left = symmetric(rows.length, (a, b) => {
        const x = sub(M.at[rows[a] * M.n + rows[b]], P[at(rows[a]) * v + at(rows[b])]);
        return a === b ? add(x, c[a]) : x;
      });
      return this.eigenvalues.atMost(left, [...rows.keys()], tau);
    }

    /** Return what the vector of the file attains, or null. */
    attained() {
      const { A, B } = this.forms;
      const { support: T, loadings } = this.claim;
      const z = Array.from(loadings, dyadic);
      const value = (/** @type {Matrix} */ S) =>
        total(T.map((/** @type {number} */ i, /** @type {number} */ a) =>
          mul(z[a], total(T.map((/** @type {number} */ j, /** @type {number} */ b) => mul(z[b], S.at[i * S.n + j]))))));
      const [p, q] = [value(A), value(B)];
      return q.m > 0n ? { p, q } : null;
    }
  }

  /** Return the parts of a verdict that are those of ratios. @param {any} claim @param {any} eigenvalues */
  function examine(claim, eigenvalues) {
    const pencil = new Pencil(claim, eigenvalues);
    const ratio = pencil.attained();
    return {
      ratio,
      text: ratio ? fraction(ratio.p, ratio.q) : null,
      atLeast: (/** @type {Dyadic} */ bound) => ratio !== null && atMost(mul(bound, ratio.q), ratio.p),
      above: (/** @type {Dyadic} */ bound) => ratio !== null && !atMost(ratio.p, mul(bound, ratio.q)),
      isSound: pencil.isSound(),
      defect: pencil.defect,
      prove: (/** @type {Dyadic} */ upper, /** @type {(done: number, all: number) => void} */ progress) => pencil.prove(upper, progress),
    };
  }

  /** The claim in words. @param {any} claim */
  function statementOf(claim) {
    const [low, high] = [decimal(dyadic(claim.lower), false), decimal(dyadic(claim.upper), true)];
    const names = (/** @type {number[]} */ list) => inLine(claim.names, list);
    const budgets = claim.budgets?.map((/** @type {any} */ part) => `${part.k} of ${names(part.variables)}`).join("; ");
    let text = `${low} <= largest ratio with ${claim.k} variables <= ${high} of a pencil of ${claim.n} variables (${claim.pencil.storage})`;
    if (budgets) text += `, at most ${budgets}`;
    if (claim.include.length) text += `, with ${names(claim.include)}`;
    if (claim.exclude.length) text += `, without ${names(claim.exclude)}`;
    return `${text}; the lower bound is attained by a vector of ${names(claim.support)}`;
  }

  return { examine, statementOf };
})();

if (typeof module !== "undefined") module.exports = relaxspcaRatio;
