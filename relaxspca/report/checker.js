/**
 * A second checker of certificates, written from certificates/SPEC.md alone; the sections named below are its sections.
 *
 * certificate.js reads the file, numbers.js has the arithmetic (§4), this file the tree, the rules and the verdict,
 * restricted.js groups and signs (§12), several.js, choices.js and losses.js several components (§13), ratio.js ratios (§14), against.js
 * what is said of the reader's own matrix (§9). There is no other dependency. They run as scripts of a page,
 * as a Web Worker (the texts of these files, one after the other), as Node modules, and from the command line:
 *
 *     node checker.js [--json] [--exact | --doubles] [--against=MATRIX] FILE...
 *
 * with exit code 0 if every file is verified, 1 if one is not, 2 if one is no certificate. MATRIX is a square table
 * (.csv) with the names of its variables in the first line, another certificate, or a digest.
 */
"use strict";

const relaxspcaChecker = (() => {
  const certificates = typeof require === "function" ? require("./certificate.js") : relaxspcaCertificate;
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, ONE, PRECISION, dyadic, whole, neg, abs, mul, half, add, sub, total, atMost, descending, largest, top } = numbers;
  const { root, doubleBelow, decimal, fraction, symmetric, gram, Eigenvalues, RowCharges, TooLittle, shortcoming } = numbers;
  const against = typeof require === "function" ? require("./against.js") : relaxspcaAgainst;
  const restricted = typeof require === "function" ? require("./restricted.js") : relaxspcaRestricted;
  const several = typeof require === "function" ? require("./several.js") : relaxspcaSeveral;
  const ratio = typeof require === "function" ? require("./ratio.js") : relaxspcaRatio;
  const EXACT_WORK = 2e7; // products of whole numbers, less than ten seconds

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{n: number, at: Dyadic[]}} Matrix */

  // §6 Rules

  const RULES = ["spectral", "support", "trace", "rowsum", "psi", "perron"];

  /** The matrix of the claim, and the rules that bound its supports. */
  class Bounds {
    /** @param {Certificate} claim @param {Eigenvalues} eigenvalues */
    constructor(claim, eigenvalues) {
      this.claim = claim;
      this.eigenvalues = eigenvalues;
      const entries = Array.from(claim.entries, dyadic);
      this.factor = claim.storage === "factor" ? entries : null;
      this.whole = this.factor ? gram(entries, claim.rows, claim.n) : { n: claim.n, at: entries };
      // What the rules read for Sigma, which may be another matrix, even of groups.
      this.Sigma = restricted.matrixOf(claim, this.whole, eigenvalues);
      this.all = [...Array(this.Sigma.n).keys()];
      this.made = new Map();
    }

    /** What is computed once. @template T @param {string} name @param {() => T} make @returns {T} */
    once(name, make) {
      if (!this.made.has(name)) this.made.set(name, make());
      return this.made.get(name);
    }

    /**
     * Prove that no support T of m variables with J in T in J + F explains more than tau.
     * @param {Leaf} leaf @param {number[]} J @param {number[]} F @param {number} m @param {Dyadic} tau
     */
    prove(leaf, J, F, m, tau) {
      if (J.length === m) F = [];
      const rows = [...J, ...F].sort((a, b) => a - b);
      const point = leaf.point === null ? null : this.claim.points[leaf.point];
      if (leaf.kind === "collatz") {
        const said = restricted.collatz(this.whole, point, J, F, tau);
        if (said !== true) throw new TooLittle(said || "its bound is above the claimed upper bound");
        return;
      }
      const place = new Map((point ? point.variables : this.all).map((v, at) => [v, at]));
      const missing = rows.filter((i) => !place.has(i));
      if (missing.length) throw new TooLittle(`its point says nothing of the variables ${missing}`);
      const local = (/** @type {number[]} */ list) => list.map((i) => /** @type {number} */ (place.get(i)));
      const told = { point, name: String(leaf.point), m, tau, rows, local: local(rows), J: local(J), F: local(F) };
      if (!RULES.includes(leaf.kind)) throw new TooLittle(`a ${leaf.kind} rule bounds nothing here`);
      const rule = /** @type {"spectral"} */ (leaf.kind);
      if (!this[rule](told)) throw new TooLittle("its bound is above the claimed upper bound");
    }

    /** @param {Told} t */
    spectral(t) {
      return this.eigenvalues.remembered(`Sigma ${t.rows}`, this.Sigma, t.rows, t.tau);
    }

    /** @param {Told} t */
    support(t) {
      if (t.rows.length !== t.m) throw new TooLittle(`there is more than one support of size ${t.m}`);
      if (this.claim.kind !== "whole_groups") return this.spectral(t);
      const T = t.rows.flatMap((group) => this.claim.groups[group]);
      return this.eigenvalues.remembered(`whole ${T}`, this.whole, T, t.tau);
    }

    /** @param {Told} t */
    trace(t) {
      const variance = (/** @type {number} */ i) => this.Sigma.at[i * this.Sigma.n + i];
      const sum = add(total(t.J.map(variance)), top(t.F.map(variance), t.m - t.J.length));
      const room = sub(t.tau, sum);
      if (room.m < 0n || t.m === 1 || this.factor) return room.m >= 0n;
      // The largest d that there is room for, rounded down to a multiple of a small unit.
      const e = room.e - PRECISION;
      const d = { m: (room.m << BigInt(PRECISION)) / BigInt(t.m - 1), e };
      return this.noEigenvalueBelow(d);
    }

    /** Say whether Sigma + d I is proved positive semidefinite. @param {Dyadic} d */
    noEigenvalueBelow(d) {
      if (this.factor) return true;
      const minus = this.once("-Sigma", () => ({ n: this.Sigma.n, at: this.Sigma.at.map(neg) }));
      return this.eigenvalues.remembered("-Sigma", minus, this.all, d);
    }

    /** Every row charge times its weight, so that nothing is divided. @param {Told} t */
    rowsum(t) {
      const variables = t.point ? t.point.variables : this.all;
      const v = variables.length;
      const w = this.once(`weights ${t.name}`, () => variables.map((_, a) => (t.point ? dyadic(t.point.weights[a]) : ONE)));
      const charges = this.once(`rowsum ${t.name}`, () => {
        const p = (/** @type {number} */ a, /** @type {number} */ b) => {
          const x = this.Sigma.at[variables[a] * this.Sigma.n + variables[b]];
          const isPaid = a !== b && !(this.claim.kind === "nonnegative" && x.m < 0n);
          return a === b ? mul(x, w[b]) : isPaid ? mul(abs(x), w[b]) : ZERO;
        };
        return new RowCharges(v, Array.from({ length: v * v }, (_, at) => p(Math.floor(at / v), at % v)), this.labelsOf(variables));
      });
      const c = charges.rows(t.J, t.F, t.m);
      const fits = (/** @type {Dyadic} */ x, /** @type {number} */ i) => atMost(x, mul(t.tau, w[i]));
      return c.forced.every((x, a) => fits(x, t.J[a])) && c.free.every((x, a) => fits(x, t.F[a]));
    }

    /** Return the labels of which a support has none twice, if the claim says so. @param {number[]} variables */
    labelsOf(variables) {
      if (this.claim.kind !== "one_of_each") return undefined;
      const label = restricted.classesOf(this.claim);
      return variables.map((i) => label[i]);
    }

    /** @param {Told} t */
    perron(t) {
      const { point } = t;
      const v = point.variables.length;
      const [P, charges] = this.once(`perron ${t.name}`, () => {
        const N = Array.from(point.N, dyadic);
        const M = symmetric(v, (a, b) => {
          const p = dyadic(point.P[a * v + b]);
          const paid = mul(N[a * v + b], N[b * v + a]);
          const isOwed = this.claim.kind !== "nonnegative" || p.m > 0n;
          if (isOwed && !atMost(mul(p, p), paid)) throw new TooLittle("a pair of its point is underpaid");
          return sub(this.Sigma.at[point.variables[a] * this.Sigma.n + point.variables[b]], p);
        });
        return [M, new RowCharges(v, N, this.labelsOf(point.variables))];
      });
      const rows = charges.rows(t.J, t.F, t.m);
      const c = new Map([...t.J.map((i, a) => [i, rows.forced[a]]), ...t.F.map((i, a) => [i, rows.free[a]])]);
      return this.eigenvalues.atMost(P, t.local, t.tau, t.local.map((i) => c.get(i)));
    }

    /** @param {Told} t */
    psi(t) {
      const { point } = t;
      const psi = this.once(`psi ${t.name}`, () => this.psiParts(point));
      const rho = dyadic(point.rho);
      const s = (/** @type {number[]} */ list) => list.map((i) => psi.s[i]);
      const room = sub(add(t.tau, dyadic(point.shift)), psi.residual);
      const rest = t.m - t.J.length;
      const allRoom = sub(room, total([mul(rho, whole(t.m)), ...s(t.J), top(s(t.F), rest)]));
      if (this.psiEigenvalue(`psi ${t.name}`, psi, [], point.variables.map((_, a) => a), allRoom)) return true;
      const nodeRoom = sub(room, total([mul(rho, whole(rest)), top(s(t.F), rest)]));
      return this.psiEigenvalue(`psi ${t.name} on ${t.J} and ${t.F}`, psi, t.J, t.F, nodeRoom);
    }

    /** Bound the largest eigenvalue of the sum of a a' over J and y y' over F. */
    psiEigenvalue(
      /** @type {string} */ name, /** @type {{A: Dyadic[], Y: Dyadic[], r: number, v: number}} */ psi,
      /** @type {number[]} */ J, /** @type {number[]} */ F, /** @type {Dyadic} */ tau,
    ) {
      const { r, v } = psi;
      const columns = [...J.map((i) => [psi.A, i]), ...F.map((i) => [psi.Y, i])];
      const at = (/** @type {number} */ l, /** @type {number} */ c) => columns[c][0][l * v + columns[c][1]];
      const M = this.once(`${name} matrix`, () =>
        symmetric(r, (k, l) => {
          let sum = ZERO;
          for (let c = 0; c < columns.length; c++) sum = add(sum, mul(at(k, c), at(l, c)));
          return sum;
        }),
      );
      return this.eigenvalues.remembered(name, M, [...Array(r).keys()], tau);
    }

    /** Return A, Y, the charges s_i and the residual of a psi point. @param {any} point */
    psiParts(point) {
      const { variables } = point;
      const [v, n] = [variables.length, this.Sigma.n];
      const r = point.rows;
      const Y = Array.from(point.vectors, dyadic);
      /** @type {Dyadic[]} */
      let A = [];
      let residual = ZERO;
      if (point.factor) {
        A = Array.from(point.factor, dyadic);
        const G = gram(A, r, v);
        const E = symmetric(v, (a, b) => {
          const x = sub(this.Sigma.at[variables[a] * n + variables[b]], G.at[a * v + b]);
          return a === b ? add(x, dyadic(point.shift)) : x;
        });
        residual = largest(variables.map((_, a) => total(E.at.slice(a * v, (a + 1) * v).map(abs))));
      } else {
        const held = /** @type {Dyadic[]} */ (this.factor);
        for (let l = 0; l < r; l++) for (const i of variables) A.push(held[l * n + i]);
      }
      const s = variables.map((_, i) => {
        let [aa, ay, yy] = [ZERO, ZERO, ZERO];
        for (let l = 0; l < r; l++) {
          const [a, y] = [A[l * v + i], Y[l * v + i]];
          aa = add(aa, mul(a, a));
          ay = add(ay, mul(a, y));
          yy = add(yy, mul(y, y));
        }
        const p = sub(aa, yy);
        const D = sub(mul(aa, yy), mul(ay, ay));
        const star = half(add(p, root(add(mul(p, p), mul(whole(4), D)))));
        const charge = sub(star, dyadic(point.rho));
        return charge.m > 0n ? charge : ZERO;
      });
      return { A, Y, r, v, s, residual };
    }
  }

  // §5 Tree

  /**
   * Return the leaves with what is forced in and what is free, or say what is wrong with the tree.
   * @param {Node[]} tree @param {{J: number[], F: number[], siblings: number[][]}} start
   */
  function leavesOf(tree, start) {
    const seen = new Uint8Array(tree.length);
    const found = [];
    const waiting = [{ at: 0, J: start.J, F: start.F }];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const { at, J, F } = node;
      if (seen[at]) throw new TooLittle(`node ${at} of the tree is reached twice`);
      seen[at] = 1;
      const here = tree[at];
      if (here.kind !== "split") {
        found.push({ at, leaf: here, J, F });
        continue;
      }
      if (!F.includes(here.variable)) throw new TooLittle(`node ${at} splits variable ${here.variable}, which is not free`);
      const rest = F.filter((i) => i !== here.variable);
      const beside = rest.filter((i) => !start.siblings[here.variable].includes(i));
      waiting.push({ at: here.outside, J, F: rest }, { at: here.inside, J: [...J, here.variable], F: beside });
    }
    const idle = seen.indexOf(0);
    if (idle >= 0) throw new TooLittle(`node ${idle} of the tree is never reached`);
    return found;
  }

  // §2 Verdict

  /** @typedef {{kind: string, point: number | null}} Leaf */
  /** @typedef {Leaf | {kind: "split", variable: number, inside: number, outside: number}} Node */
  /** @typedef {{point: any, name: string, m: number, tau: Dyadic, rows: number[], local: number[], J: number[], F: number[]}} Told */
  /** @typedef {any} Certificate what `read` returns */
  /**
   * @typedef {{outcome: string, reasons: string[], statement: string, attained: string | null, leaves: number,
   *   digest: string, arithmetic: string, presupposes: string, note: string, distance: string | null}} Verdict
   */
  /** @typedef {{exact?: boolean, against?: any, progress?: (done: number, all: number) => void}} Options */

  /**
   * Check what a certificate claims.
   * @param {Certificate} claim @param {Options} [options] @returns {Verdict}
   */
  function verify(claim, options = {}) {
    const exact = options.exact ?? workOf(claim) <= EXACT_WORK;
    const eigenvalues = new Eigenvalues(exact);
    if (claim.kind === "ratio") return verifyRatio(claim, eigenvalues, options);
    const bounds = new Bounds(claim, eigenvalues);
    /** @type {string[]} */
    const reasons = [];
    const tables = claim.kind === "components" ? several.examine(claim, bounds.whole, eigenvalues) : null;
    const attained = tables ?? attainedBy(bounds.whole, claim.support, claim.loadings, claim);
    const prove = (/** @type {Dyadic} */ bound, progress = options.progress) =>
      (tables ? tables.prove(bound, progress) : proveUpper(bounds, bound, progress));
    const [lower, upper] = [dyadic(claim.lower), dyadic(claim.upper)];
    const most = claim.others ? dyadic(claim.others.most) : upper;
    let [refuted, leaves] = [false, 0];
    const say = (/** @type {string} */ reason, /** @type {boolean} */ isFalse) => {
      reasons.push(reason);
      refuted ||= isFalse;
    };
    if (!attained.atLeast(lower)) say(tables?.fault ?? "the vector attains less than the lower bound", false);
    if (attained.above(upper)) say("the vector attains more than the upper bound", true);
    if (claim.allowsNone && upper.m < 0n) say("the upper bound is below 0, the value of no variables", true);
    if (claim.others) checkList(bounds, attained, say);
    if (!refuted) {
      const reason = shortcoming(() => (leaves = prove(most)));
      if (reason !== null) say(reason, false);
    }
    if (reasons.length && !refuted && !attained.atLeast(lower) && proveBelow(bounds, lower, prove)) {
      say("the evidence proves an upper bound below the claimed lower bound", true);
    }
    if (claim.eliminated && !bounds.noEigenvalueBelow(dyadic(claim.eliminated.shift))) {
      // Perhaps the claim is about no matrix, and then nothing that it says is false.
      refuted = false;
      say("the block is not proved to have no eigenvalue below minus the shift", false);
    }
    const isProved = reasons.length === 0;
    const compared = options.against === undefined ? null : against.compare(claim, options.against, {
      Sigma: bounds.whole, attained: attained.ratio, isProved, eigenvalues,
      provesBelow: (bound) => !attained.atLeast(lower) && proveBelow(bounds, bound, prove),
      attainedOn: (M, places) => (tables ? tables.attainedOn(M, places)
        : attainedBy(M, claim.support.map((/** @type {number} */ i) => places[i]), claim.loadings, claim).ratio),
    });
    compared?.reasons.forEach((reason) => say(reason, compared.isFalse));
    const outcome = refuted ? "REFUTED" : reasons.length ? "INCONCLUSIVE" : "VERIFIED";
    return {
      outcome,
      reasons,
      statement: tables ? several.statementOf(claim) : statementOf(claim),
      presupposes: presupposed(claim),
      attained: attained.text,
      leaves,
      digest: claim.digest,
      arithmetic: eigenvalues.usedDoubles ? "rounded outward" : "exact",
      note: compared?.note ?? "",
      distance: compared?.distance ?? null,
    };
  }

  /** §14: the same for a claim about a ratio. @param {Certificate} claim @param {any} eigenvalues @param {Options} options @returns {Verdict} */
  function verifyRatio(claim, eigenvalues, options) {
    const found = ratio.examine(claim, eigenvalues);
    const [lower, upper] = [dyadic(claim.lower), dyadic(claim.upper)];
    /** @type {string[]} */
    const reasons = [];
    let [refuted, leaves] = [false, 0];
    if (!found.atLeast(lower)) reasons.push("the vector attains less than the lower bound");
    if (found.above(upper)) {
      reasons.push("the vector attains more than the upper bound");
      refuted = true;
    }
    if (!found.isSound) reasons.push("the denominator is not proved to be positive definite");
    const reason = shortcoming(() => (leaves = found.prove(upper, options.progress ?? (() => {})))) ?? found.defect;
    if (reason !== null) reasons.push(reason);
    const below = sub(lower, { m: 1n, e: -1100 });
    if (!found.atLeast(lower) && shortcoming(() => found.prove(below, () => {})) === null) {
      reasons.push("the evidence proves an upper bound below the claimed lower bound");
      refuted = true;
    }
    if (options.against !== undefined) {
      const isDigest = typeof options.against === "string";
      if (!isDigest) throw new certificates.Refused("a claim about a ratio is held against a digest, not against one matrix");
      if (options.against !== claim.digest) {
        reasons.push(`the certificate speaks of the pencil ${claim.digest}, not of ${options.against}`);
        refuted = true;
      }
    }
    return {
      outcome: refuted ? "REFUTED" : reasons.length ? "INCONCLUSIVE" : "VERIFIED",
      reasons, statement: ratio.statementOf(claim), presupposes: "", attained: found.text, leaves, digest: claim.digest,
      arithmetic: eigenvalues.usedDoubles ? "rounded outward" : "exact", note: "", distance: null,
    };
  }

  /**
   * Say whether the evidence proves a bound below the claimed lower one, which refutes it.
   * @param {Bounds} bounds @param {Dyadic} lower @param {(bound: Dyadic, progress: () => void) => number} prove
   */
  function proveBelow(bounds, lower, prove) {
    const below = sub(lower, { m: 1n, e: -1100 }); // less than any distance of doubles
    const lists = bounds.claim.others?.supports ?? [];
    const listed = (/** @type {number[]} */ T) => bounds.eigenvalues.remembered(`Sigma ${T}`, bounds.Sigma, T, below);
    return shortcoming(() => prove(below, () => {})) === null && lists.every(listed);
  }

  /** Prove the claimed bound at every leaf, and of the eliminated variables. @returns {number} the number of leaves */
  function proveUpper(
    /** @type {Bounds} */ bounds, /** @type {Dyadic} */ upper,
    /** @type {(done: number, all: number) => void} */ progress = () => {},
  ) {
    const { claim } = bounds;
    const target = claim.eliminated ? proveEliminated(bounds, upper) : upper;
    const leaves = leavesOf(claim.tree, restricted.rootOf(claim));
    if (claim.allowsNone && target.m < 0n) throw new TooLittle("no variables have the value 0, which is above the bound");
    leaves.forEach(({ at, leaf, J, F }, done) => {
      const reason = shortcoming(() => proveLeaf(bounds, leaf, J, F, target));
      if (reason !== null) throw new TooLittle(`node ${at} (${leaf.kind}): ${reason}`);
      progress(done + 1, leaves.length);
    });
    return leaves.length;
  }

  /** @param {Bounds} bounds @param {Leaf} leaf @param {number[]} J @param {number[]} F @param {Dyadic} target */
  function proveLeaf(bounds, leaf, J, F, target) {
    const { claim } = bounds;
    if (claim.kind === "penalty") {
      for (let m = Math.max(1, J.length); m <= J.length + F.length; m++) {
        if (leaf.kind === "void") throw new TooLittle(`a void leaf has supports of size ${m}`);
        bounds.prove(leaf, J, F, m, add(target, mul(dyadic(claim.rho), whole(m))));
      }
      return;
    }
    const k = restricted.sizeOf(claim, J, F);
    if (k === null) return;
    if (leaf.kind === "void") throw new TooLittle(`a void leaf has supports of size ${k}`);
    if (leaf.kind === "listed") {
      const T = J.length === k ? J : [...J, ...F];
      if (T.length !== k) throw new TooLittle("a listed leaf has more than one support");
      const name = String([...T].sort((a, b) => a - b));
      if (!claim.others?.supports.some((/** @type {number[]} */ listed) => String(listed) === name)) {
        throw new TooLittle(`its support ${name} is not listed`);
      }
      return;
    }
    bounds.prove(leaf, J, F, k, target);
  }

  /** §7: prove the bound of supports with eliminated variables; return what the tree has to prove. @param {Bounds} bounds @param {Dyadic} upper */
  function proveEliminated(bounds, upper) {
    const { claim } = bounds;
    const shift = dyadic(claim.eliminated.shift);
    /** @type {Dyadic[]} */
    const variances = Array.from(claim.eliminated.variances, dyadic).sort(descending);
    if (claim.kind === "penalty") {
      const gains = variances.map((x) => sub(add(x, shift), dyadic(claim.rho)));
      return sub(upper, total(gains.filter((x) => x.m > 0n)));
    }
    for (let b = 1; b <= Math.min(claim.k, variances.length); b++) {
      const room = sub(upper, add(total(variances.slice(0, b)), mul(whole(b), shift)));
      const reason = shortcoming(() => {
        if (b < claim.k) bounds.prove(claim.elimination, [], bounds.all, claim.k - b, room);
        else if (room.m < 0n) throw new TooLittle("their variances are above the claimed upper bound");
      });
      if (reason !== null) throw new TooLittle(`supports with eliminated variables: ${reason}`);
    }
    return upper;
  }

  /** §11: check every listed support. */
  function checkList(
    /** @type {Bounds} */ bounds, /** @type {ReturnType<typeof attainedBy>} */ attained,
    /** @type {(reason: string, isFalse: boolean) => void} */ say,
  ) {
    const { claim } = bounds;
    const { supports, lower, upper, loadings, most } = claim.others;
    const names = new Set(supports.map(String));
    if (claim.support.length === claim.k && !names.has(String(claim.support)) && attained.above(dyadic(most))) {
      say("a support that is not listed attains more than all others are said to", true);
    }
    supports.forEach((/** @type {number[]} */ T, /** @type {number} */ at) => {
      const own = attainedBy(bounds.Sigma, T, loadings.subarray(at * claim.k, (at + 1) * claim.k), claim);
      if (!own.atLeast(dyadic(lower[at]))) say(`listed support ${T}: its vector attains less than its lower bound`, false);
      if (own.above(dyadic(upper[at]))) say(`listed support ${T}: its vector attains more than its upper bound`, true);
      if (!bounds.eigenvalues.remembered(`Sigma ${T}`, bounds.Sigma, T, dyadic(Math.min(upper[at], claim.upper)))) {
        say(`listed support ${T}: its upper bound is not proved`, false);
      }
    });
  }

  /** §8: what a vector attains, in exact fractions. @param {Matrix} M @param {number[]} T @param {Float64Array} z @param {Certificate} claim */
  function attainedBy(M, T, z, claim) {
    const x = Array.from(z, dyadic);
    let [up, down] = [ZERO, ZERO];
    T.forEach((i, a) => {
      down = add(down, mul(x[a], x[a]));
      T.forEach((j, b) => (up = add(up, mul(mul(x[a], x[b]), M.at[i * M.n + j]))));
    });
    if (T.length === 0) down = ONE;
    if (claim.kind === "penalty") up = sub(up, mul(down, mul(dyadic(claim.rho), whole(claim.paid))));
    if (claim.allowsNone) up = largest([ZERO, up]);
    return {
      text: fraction(up, down),
      ratio: { p: up, q: down },
      atLeast: (/** @type {Dyadic} */ bound) => atMost(mul(bound, down), up),
      above: (/** @type {Dyadic} */ bound) => !atMost(up, mul(bound, down)),
    };
  }

  /** Guess the products of whole numbers that exact eigenvalue bounds would take. @param {Certificate} claim */
  function workOf(claim) {
    if (claim.kind === "ratio") return claim.tree.length * claim.n ** 3;
    let work = claim.storage === "factor" ? claim.rows * claim.n ** 2 : 0;
    if (claim.kind === "components") return work + claim.tree.length * claim.sizes.length * claim.n ** 3;
    const sizes = claim.kind === "penalty" ? claim.n : 1;
    for (const node of claim.tree) {
      const d = node.kind === "support" ? claim.k : ["spectral", "perron"].includes(node.kind) ? claim.n : 0;
      work += (sizes * d ** 3) / 6;
    }
    return work + claim.points.reduce((/** @type {number} */ sum, /** @type {any} */ p) => sum + p.variables.length ** 3, 0);
  }

  /** The claim in words, both bounds rounded outward. @param {Certificate} claim */
  function statementOf(claim) {
    const [low, high] = [decimal(dyadic(claim.lower), false), decimal(dyadic(claim.upper), true)];
    const value = claim.kind === "penalty" ? `phi(${claim.rho})`
      : claim.kind === "whole_groups" ? `the optimum with at most ${claim.k} whole groups of ${claim.groups.length}`
        : `v_${claim.k}`;
    const names = (/** @type {number[]} */ list) => certificates.inLine(claim.names, list);
    let text = `${low} <= ${value} <= ${high} of a ${claim.n} x ${claim.n} ${claim.description?.kind ?? "matrix"}`;
    if (claim.include.length) text += `, with ${names(claim.include)}`;
    if (claim.include.length && claim.kind === "penalty") text += " (paid for even where the loading is 0)";
    if (claim.exclude.length) text += `, without ${names(claim.exclude)}`;
    if (claim.kind === "one_of_each") text += `, with at most one variable of each of ${claim.groups.length} groups`;
    if (claim.kind === "nonnegative") text += ", with no negative loading";
    if (claim.others) {
      text += `; no support explains more than ${decimal(dyadic(claim.others.most), true)} besides ${claim.others.supports.length} listed`;
    }
    return `${text}; the lower bound is attained by a component of ${names(claim.support) || "no variables"}`;
  }

  /** What the claim presupposes, or an empty text. @param {Certificate} claim */
  function presupposed(claim) {
    if (!claim.eliminated) return "";
    const { names, shift } = claim.eliminated;
    return `${names.length} further variables have at most the stated variances, and the whole matrix no eigenvalue below ${-shift}`;
  }

  /**
   * Read and check a certificate; throws `Refused` where the file is none.
   * @param {string} text the JSON
   * @param {Options & Beside} [options] `against` is a reader's matrix as `readMatrix` returns it
   * @returns {Promise<Verdict>}
   */
  async function check(text, options = {}) {
    const claim = await certificates.open(text, options);
    try {
      return verify(claim, options);
    } catch (error) {
      if (error instanceof certificates.Refused) throw error;
      return unfinished(claim, error);
    }
  }

  /** Return that an error stopped the check. @param {Certificate} claim @param {any} error @returns {Verdict} */
  function unfinished(claim, error) {
    return {
      outcome: "INCONCLUSIVE", reasons: [`the check was stopped by ${error.name}: ${error.message}`], statement: "the claim was not checked to its end", presupposes: "", attained: null, leaves: 0,
      digest: claim.digest, arithmetic: "not finished", note: "", distance: null,
    };
  }

  /** @typedef {{companions?: {name: string, bytes: Uint8Array}[], stem?: string}} Beside */

  /** Read a matrix to hold certificates against: a digest, another certificate, or a table. @param {string} text @param {Beside} [beside] */
  async function readMatrix(text, beside) {
    if (/^sha256:[0-9a-f]{64}$/.test(text)) return text;
    return /^\s*\{/.test(text) ? against.ofCertificate(await certificates.open(text, beside)) : against.ofTable(text);
  }

  const parts = { dyadic, gcd: numbers.gcd, quotient: numbers.quotient, root, fraction, decimal, doubleBelow, RowCharges };
  return { check, readMatrix, verify, Refused: certificates.Refused, parts };
})();

/** Read a file and what stands beside it. @param {string} file @param {BufferEncoding} encoding */
function fileOf(file, encoding) {
  const fs = require("node:fs");
  const path = require("node:path");
  if (!fs.statSync(file).isFile()) throw new relaxspcaChecker.Refused("not a regular file");
  const stem = path.basename(file).replace(/\.[^.]*$/, "");
  const isBeside = (/** @type {string} */ name) => name.startsWith(stem) && /^(\.[0-9a-f]{8})?\.npz$/.test(name.slice(stem.length));
  const beside = fs.readdirSync(path.dirname(file)).filter(isBeside).map((name) => path.join(path.dirname(file), name));
  const regular = beside.filter((name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile());
  const companions = regular.map((name) => ({ name: path.basename(name), bytes: fs.readFileSync(name) }));
  return { text: fs.readFileSync(file, encoding), companions, stem };
}

/** The command line: a line for each file. @param {string[]} words @returns {Promise<number>} the exit code */
async function main(words) {
  const flags = words.filter((word) => word.startsWith("--") && !word.startsWith("--against="));
  const files = words.filter((word) => !word.startsWith("--"));
  const held = words.find((word) => word.startsWith("--against="))?.slice(10);
  if (files.length === 0 || flags.some((flag) => !["--json", "--exact", "--doubles"].includes(flag))) {
    process.stderr.write("usage: node checker.js [--json] [--exact | --doubles] [--against=MATRIX] FILE...\n");
    return 2;
  }
  /** @param {any} error */
  const expected = (error) => {
    if (error instanceof relaxspcaChecker.Refused || error.code?.startsWith?.("E")) return error.message;
    throw error;
  };
  const exact = flags.includes("--exact") ? true : flags.includes("--doubles") ? false : undefined;
  let against;
  try {
    if (held?.startsWith("sha256:")) against = await relaxspcaChecker.readMatrix(held);
    else if (held !== undefined) {
      const beside = fileOf(held, held.endsWith(".json") ? "latin1" : "utf8");
      against = await relaxspcaChecker.readMatrix(beside.text, beside);
    }
  } catch (error) {
    process.stderr.write(`${held}: ${expected(error)}\n`);
    return 2;
  }
  let code = 0;
  for (const file of files) {
    const begun = performance.now();
    let said;
    try {
      const { text, ...beside } = fileOf(file, "latin1");
      said = await relaxspcaChecker.check(text, { ...beside, exact, against });
      code = Math.max(code, said.outcome === "VERIFIED" ? 0 : 1);
    } catch (error) {
      said = { outcome: "REFUSED", reasons: [expected(error)] };
      code = 2;
    }
    const seconds = (performance.now() - begun) / 1000;
    if (flags.includes("--json")) {
      process.stdout.write(`${JSON.stringify({ file, seconds, ...said })}\n`);
      continue;
    }
    process.stdout.write(`${said.outcome}: ${file}\n`);
    for (const reason of said.reasons) process.stdout.write(`  ${reason}\n`);
    if ("statement" in said) {
      const presupposed = said.presupposes && `  presupposed: ${said.presupposes}\n`;
      const compared = said.note && said.outcome === "VERIFIED" ? `  ${said.note}\n` : "";
      const facts = `${said.leaves} leaves, arithmetic ${said.arithmetic}, ${seconds.toFixed(3)} s`;
      process.stdout.write(`  ${said.statement}\n${compared}${presupposed}  ${said.digest}\n  ${facts}\n`);
    }
  }
  return code;
}

if (typeof module !== "undefined") {
  module.exports = relaxspcaChecker;
  if (require.main === module) main(process.argv.slice(2)).then((code) => (process.exitCode = code));
} else if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  // A worker is sent {id, text, options, table}, the table being what to hold it against; it answers {id, done, all}
  // while it works and {id, verdict} or {id, refused} in the end.
  self.onmessage = async ({ data: { id, text, options, table } }) => {
    const begun = performance.now();
    try {
      if (table) options.against = await relaxspcaChecker.readMatrix(table.text, table);
      const progress = (/** @type {number} */ done, /** @type {number} */ all) => self.postMessage({ id, done, all });
      const verdict = await relaxspcaChecker.check(text, { ...options, progress });
      self.postMessage({ id, verdict, seconds: (performance.now() - begun) / 1000 });
    } catch (error) {
      self.postMessage({ id, refused: error.message, seconds: (performance.now() - begun) / 1000 });
    }
  };
}
