/**
 * A second checker of certificates, written from certificates/SPEC.md alone; the sections named below are its sections.
 *
 * With certificate.js, which reads the file, it has no dependency and runs as a script of a page, as a Web Worker
 * (the texts of both files, one after the other), as a Node module, and from the command line:
 *
 *     node checker.js [--json] [--exact | --doubles] FILE...
 *
 * with exit code 0 if every file is verified, 1 if one is not, 2 if one is no certificate. Matrices to hold a
 * certificate against (§9) are not read here.
 *
 * Arithmetic. Every double is a whole number times a power of two, and so are sums, products, and quotients and roots
 * rounded up to 120 bits. All prices and matrices are computed in such numbers, without any other rounding. Only the
 * question "is no eigenvalue of M above tau?" may be answered in doubles rounded outward, where exact arithmetic
 * would take long; the verdict says so.
 */
"use strict";

const relaxspcaChecker = (() => {
  const certificates = typeof require === "function" ? require("./certificate.js") : relaxspcaCertificate;

  /** The evidence proves too little. */
  class TooLittle extends Error {}

  /** Return why the evidence proves too little, or null. @param {() => void} proof */
  function shortcoming(proof) {
    try {
      proof();
    } catch (error) {
      if (error instanceof TooLittle) return error.message;
      throw error;
    }
    return null;
  }

  // §4 Numbers

  /** The number m * 2**e. @typedef {{m: bigint, e: number}} Dyadic */

  const ZERO = { m: 0n, e: 0 };
  const ONE = { m: 1n, e: 0 };
  const PRECISION = 120;
  const word = new DataView(new ArrayBuffer(8));

  /** Return a finite double as the number that it is. @param {number} x @returns {Dyadic} */
  function dyadic(x) {
    if (x === 0) return ZERO;
    word.setFloat64(0, x);
    const high = word.getUint32(0);
    const biased = (high >>> 20) & 0x7ff;
    let m = (high & 0xfffff) * 2 ** 32 + word.getUint32(4) + (biased ? 2 ** 52 : 0);
    let e = (biased || 1) - 1075;
    for (; m % 2 === 0; m /= 2) e += 1;
    return { m: BigInt(x < 0 ? -m : m), e };
  }

  const whole = (/** @type {number} */ i) => ({ m: BigInt(i), e: 0 });
  const neg = (/** @type {Dyadic} */ a) => ({ m: -a.m, e: a.e });
  const abs = (/** @type {Dyadic} */ a) => (a.m < 0n ? neg(a) : a);
  const mul = (/** @type {Dyadic} */ a, /** @type {Dyadic} */ b) => ({ m: a.m * b.m, e: a.e + b.e });
  const half = (/** @type {Dyadic} */ a) => ({ m: a.m, e: a.e - 1 });

  /** @param {Dyadic} a @param {Dyadic} b @returns {Dyadic} */
  function add(a, b) {
    if (a.m === 0n) return b;
    if (b.m === 0n) return a;
    if (a.e < b.e) return { m: a.m + (b.m << BigInt(b.e - a.e)), e: a.e };
    return { m: (a.m << BigInt(a.e - b.e)) + b.m, e: b.e };
  }

  const sub = (/** @type {Dyadic} */ a, /** @type {Dyadic} */ b) => add(a, neg(b));
  const total = (/** @type {Dyadic[]} */ list) => list.reduce(add, ZERO);
  const atMost = (/** @type {Dyadic} */ a, /** @type {Dyadic} */ b) => sub(a, b).m <= 0n;
  const descending = (/** @type {Dyadic} */ a, /** @type {Dyadic} */ b) => {
    const d = sub(b, a).m;
    return d > 0n ? 1 : d < 0n ? -1 : 0;
  };
  const largest = (/** @type {Dyadic[]} */ list) => list.reduce((a, b) => (atMost(a, b) ? b : a));
  /** The sum of the `count` largest. @param {Dyadic[]} list @param {number} count */
  const top = (list, count) => total([...list].sort(descending).slice(0, count));

  /** The number of bits of a positive whole number. @param {bigint} m */
  function bitLength(m) {
    const text = m.toString(16);
    return text.length * 4 - Math.clz32(parseInt(text[0], 16)) + 28;
  }

  /** Return the same number with an odd m. @param {Dyadic} a @returns {Dyadic} */
  function reduced(a) {
    if (a.m === 0n) return ZERO;
    let { m, e } = a;
    for (let step = 4096; step >= 1; step /= 2) {
      while (BigInt.asUintN(step, m) === 0n) {
        m >>= BigInt(step);
        e += step;
      }
    }
    return { m, e };
  }

  /** Shift left, or right if `by` is negative, rounding down. @param {bigint} m @param {number} by */
  const shifted = (m, by) => (by >= 0 ? m << BigInt(by) : m >> BigInt(-by));

  /** Return a / b rounded up to 120 bits, for a >= 0 and b > 0. @param {Dyadic} a @param {Dyadic} b @returns {Dyadic} */
  function quotient(a, b) {
    if (a.m === 0n) return ZERO;
    let [p, q] = [reduced(a), reduced(b)];
    let [g, rest] = [p.m, q.m];
    while (rest) [g, rest] = [rest, g % rest];
    p = { m: p.m / g, e: p.e };
    q = { m: q.m / g, e: q.e };
    const shift = PRECISION - bitLength(p.m) + bitLength(q.m);
    const above = shift >= 0 ? p.m << BigInt(shift) : p.m;
    const below = shift >= 0 ? q.m : q.m << BigInt(-shift);
    return { m: (above + below - 1n) / below, e: p.e - q.e - shift };
  }

  /** Return a root of a >= 0, rounded up to 120 bits. @param {Dyadic} a @returns {Dyadic} */
  function root(a) {
    if (a.m === 0n) return ZERO;
    const { m, e } = reduced(a);
    const scale = PRECISION - Math.floor((bitLength(m) + e - 1) / 2);
    const square = shifted(m, e + 2 * scale);
    let x = 1n << BigInt(Math.ceil(bitLength(square) / 2));
    for (;;) {
      const next = (x + square / x) >> 1n;
      if (next >= x) break;
      x = next;
    }
    return { m: x + 1n, e: -scale };
  }

  /** Return x * 2**e for a whole x below 2**53 in absolute value and a result that doubles hold. @param {number} x @param {number} e */
  function scaled(x, e) {
    for (; e > 1000; e -= 1000) x *= 2 ** 1000;
    for (; e < -1000; e += 1000) x *= 2 ** -1000;
    word.setUint32(0, (e + 1023) * 2 ** 20);
    word.setUint32(4, 0);
    return x * word.getFloat64(0);
  }

  /** Return the largest double that is at most a times 2**shift. @param {Dyadic} a @param {number} [shift] */
  function doubleBelow(a, shift = 0) {
    if (a.m === 0n) return 0;
    const e = a.e + shift;
    const drop = Math.max(bitLength(a.m < 0n ? -a.m : a.m) - 53, -1074 - e, 0);
    const x = scaled(Number(a.m >> BigInt(drop)), e + drop);
    return x === Infinity ? Number.MAX_VALUE : x;
  }

  /** Return a number in decimals, rounded outward to 12 digits. @param {Dyadic} a @param {boolean} up */
  function decimal(a, up) {
    if (a.m === 0n) return "0";
    const size = bitLength(a.m < 0n ? -a.m : a.m) + a.e;
    const power = 12 - Math.ceil(size * Math.log10(2));
    let [p, q] = [a.m, 1n];
    if (power >= 0) p *= 10n ** BigInt(power);
    else q *= 10n ** BigInt(-power);
    if (a.e >= 0) p <<= BigInt(a.e);
    else q <<= BigInt(-a.e);
    let digits = p / q;
    if (digits * q !== p && p > 0n === up) digits += up ? 1n : -1n;
    const text = (digits < 0n ? -digits : digits).toString();
    const sign = digits < 0n ? "-" : "";
    if (power <= 0 || power > 30) return `${sign}${text}e${-power}`;
    const padded = text.padStart(power + 1, "0");
    return `${sign}${padded.slice(0, -power)}.${padded.slice(-power)}`.replace(/\.?0+$/, "");
  }

  /** Return p / q in lowest terms. @param {Dyadic} p @param {Dyadic} q */
  function fraction(p, q) {
    const e = Math.min(p.e, q.e);
    const [a, b] = [shifted(p.m, p.e - e), shifted(q.m, q.e - e)];
    let [g, rest] = [a < 0n ? -a : a, b];
    while (rest) [g, rest] = [rest, g % rest];
    return `${a / g}/${b / g}`;
  }

  // §4 Eigenvalues

  /** A square matrix by rows. @typedef {{n: number, at: Dyadic[]}} Matrix */

  /** Return the matrix with the entries f(i, j) = f(j, i). @param {number} n @param {(i: number, j: number) => Dyadic} f */
  function symmetric(n, f) {
    const at = new Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) at[i * n + j] = at[j * n + i] = f(i, j);
    return { n, at };
  }

  /** Return B'B of an r x n array of numbers, or the part of it on some columns. @param {Dyadic[]} B @param {number} r @param {number} n */
  function gram(B, r, n) {
    return symmetric(n, (i, j) => {
      let sum = ZERO;
      for (let l = 0; l < r; l++) sum = add(sum, mul(B[l * n + i], B[l * n + j]));
      return sum;
    });
  }

  const BAREISS_SIZE = 24; // where elimination in whole numbers is the quickest
  const BAREISS_LIMIT = 80; // where it is still a matter of seconds
  const EXACT_WORK = 2e7; // products of whole numbers, less than ten seconds

  /** How eigenvalues are bounded, and what was proved before. */
  class Eigenvalues {
    /** @param {boolean} exact */
    constructor(exact) {
      this.exact = exact;
      this.usedDoubles = false;
      /** @type {Map<string, {proved: Dyadic?, failed: Dyadic?}>} */
      this.known = new Map();
    }

    /** The same as `atMost`, remembered under a name. @param {string} name @param {Matrix} M @param {number[]} rows @param {Dyadic} tau */
    remembered(name, M, rows, tau) {
      const known = this.known.get(name) ?? { proved: null, failed: null };
      this.known.set(name, known);
      if (known.proved && atMost(known.proved, tau)) return true;
      if (known.failed && atMost(tau, known.failed)) return false;
      const proved = this.atMost(M, rows, tau);
      known[proved ? "proved" : "failed"] = tau;
      return proved;
    }

    /**
     * Say whether the block of M on some rows, with c added to its diagonal, is proved to have no eigenvalue above
     * tau. A matrix that falls apart is bounded block by block.
     * @param {Matrix} M @param {number[]} rows @param {Dyadic} tau @param {Dyadic[]} [c]
     */
    atMost(M, rows, tau, c) {
      if (rows.length === 0) return atMost(ZERO, tau);
      const d = rows.length;
      const entry = (/** @type {number} */ a, /** @type {number} */ b) => {
        const x = M.at[rows[a] * M.n + rows[b]];
        return c && a === b ? add(x, c[a]) : x;
      };
      const gaps = symmetric(d, (a, b) => (a === b ? sub(tau, entry(a, a)) : neg(entry(a, b))));
      const left = new Set(Array(d).keys());
      for (const first of left) {
        left.delete(first);
        const block = [first];
        for (const a of block) {
          for (const b of left) if (gaps.at[a * d + b].m !== 0n && left.delete(b)) block.push(b);
        }
        const rowSum = largest(block.map((a) => total(block.map((b) => abs(entry(a, b))))));
        if (!atMost(rowSum, tau) && !this.positive(gaps, block)) return false;
      }
      return true;
    }

    /** Say whether a block of A is proved positive definite, or at least semidefinite. @param {Matrix} A @param {number[]} block */
    positive(A, block) {
      if (block.some((i) => A.at[i * A.n + i].m <= 0n)) return false;
      if (block.length <= BAREISS_SIZE) return positiveByElimination(A, block);
      if (!this.exact && positiveByFactor(A, block, boundInDoubles)) {
        this.usedDoubles = true;
        return true;
      }
      if (positiveByFactor(A, block, boundInFull)) return true;
      return block.length <= BAREISS_LIMIT && positiveByElimination(A, block);
    }
  }

  /** Elimination in whole numbers (Bareiss): all leading minors are positive. @param {Matrix} A @param {number[]} block */
  function positiveByElimination(A, block) {
    const lower = block.map((i, a) => block.slice(0, a + 1).map((j) => A.at[i * A.n + j]));
    const e = Math.min(...lower.flat().filter((x) => x.m !== 0n).map((x) => x.e));
    const B = lower.map((row) => row.map((x) => (x.m === 0n ? 0n : x.m << BigInt(x.e - e))));
    let last = 1n;
    for (let k = 0; k < B.length; k++) {
      const pivot = B[k][k];
      if (pivot <= 0n) return false;
      for (let i = k + 1; i < B.length; i++) {
        for (let j = k + 1; j <= i; j++) B[i][j] = (pivot * B[i][j] - B[i][k] * B[j][k]) / last;
      }
      last = pivot;
    }
    return true;
  }

  /**
   * A = gap I + LL' + E is positive semidefinite if the largest absolute row sum of E is at most gap. L is a Cholesky
   * factor in doubles, of which nothing is believed; `bound` bounds the norm of E.
   * @param {Matrix} A @param {number[]} block @param {typeof boundInFull} bound
   */
  function positiveByFactor(A, block, bound) {
    const d = block.length;
    const size = Math.max(...block.map((i) => bitLength(A.at[i * A.n + i].m) + A.at[i * A.n + i].e));
    const shift = -2 * Math.ceil(size / 2); // brings the diagonal below 1
    const B = new Float64Array(d * d);
    block.forEach((i, a) => block.forEach((j, b) => (B[a * d + b] = doubleBelow(A.at[i * A.n + j], shift))));
    if (!B.every(Number.isFinite)) return false;
    for (let tries = 0, gap = (d + 2) * 2 ** -53; tries < 4; tries++) {
      const L = cholesky(B, d, gap);
      if (L === null) return false;
      const norm = bound(A, block, B, L, gap, shift);
      if (norm <= gap) return true;
      gap = 2 * norm;
    }
    return false;
  }

  /** Return a Cholesky factor of B - gap I, or null. @param {Float64Array} B @param {number} d @param {number} gap */
  function cholesky(B, d, gap) {
    const L = new Float64Array(d * d);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = B[i * d + j] - (i === j ? gap : 0);
        for (let k = 0; k < j; k++) sum -= L[i * d + k] * L[j * d + k];
        if (i === j && !(sum > 0)) return null;
        L[i * d + j] = i === j ? Math.sqrt(sum) : sum / L[j * d + j];
      }
    }
    return L.every(Number.isFinite) ? L : null;
  }

  /**
   * Return at least the largest absolute row sum of 2**shift A - gap I - LL', computed without rounding.
   * @type {(A: Matrix, block: number[], B: Float64Array, L: Float64Array, gap: number, shift: number) => number}
   */
  function boundInFull(A, block, _B, L, gap, shift) {
    const [d, bits] = [block.length, 60];
    const rows = block.map((_, i) => Array.from(L.subarray(i * d, i * d + i + 1), (x) => BigInt(Math.trunc(x * 2 ** bits))));
    const sums = Array(d).fill(ZERO);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let product = 0n;
        for (let k = 0; k <= j; k++) product += rows[i][k] * rows[j][k];
        const x = A.at[block[i] * A.n + block[j]];
        let rest = sub({ m: x.m, e: x.e + shift }, { m: product, e: -2 * bits });
        if (i === j) rest = sub(rest, dyadic(gap));
        sums[i] = add(sums[i], abs(rest));
        if (i !== j) sums[j] = add(sums[j], abs(rest));
      }
    }
    return -doubleBelow(neg(largest(sums)));
  }

  /** The next double above x >= 0. @param {number} x */
  const above = (x) => x + Math.max(x * 2 ** -52, 2 ** -1074);

  /**
   * The same in doubles. B holds 2**shift A rounded down, so its entries are off by at most one distance of
   * neighbours; an inner product of length r is off by at most gamma_r |x|'|y| + r 2**-1074. Every sum of bounds is
   * rounded up; the bound for gamma_r below is twice as large as it need be, which pays for the rounding of |x|'|y|.
   * @type {typeof boundInFull}
   */
  function boundInDoubles(_A, block, B, L, gap, _shift) {
    const d = block.length;
    const sums = new Float64Array(d);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let [product, size] = [0, 0];
        for (let k = 0; k <= j; k++) {
          const term = L[i * d + k] * L[j * d + k];
          product += term;
          size += Math.abs(term);
        }
        const x = B[i * d + j] - (i === j ? gap : 0);
        let error = above((d + 2) * 2 ** -52 * size) + (d + 2) * 2 ** -1073;
        error = above(error + above(Math.abs(B[i * d + j]) * 2 ** -52));
        error = above(error + above(Math.abs(x) * 2 ** -52));
        error = above(error + above(Math.abs(x - product)));
        sums[i] = above(sums[i] + error);
        if (i !== j) sums[j] = above(sums[j] + error);
      }
    }
    return Math.max(...sums);
  }

  // §6 Rules

  /** Prices p_ij of rows i and columns j, with the columns of a row by falling price. */
  class Prices {
    /** @param {number} n @param {Dyadic[]} p */
    constructor(n, p) {
      this.n = n;
      this.p = p;
      /** @type {number[][]} */
      this.order = [];
    }

    /** @param {number} i */
    dearest(i) {
      const row = this.p.slice(i * this.n, (i + 1) * this.n);
      this.order[i] ??= [...row.keys()].sort((a, b) => descending(row[a], row[b]));
      return this.order[i];
    }

    /** Return c_i for i in J and for i in F. @param {number[]} J @param {number[]} F @param {number} m */
    rows(J, F, m) {
      const free = new Uint8Array(this.n);
      for (const j of F) free[j] = 1;
      const cost = (/** @type {number} */ i) => {
        let left = m - J.length - free[i];
        let c = free[i] ? this.p[i * this.n + i] : ZERO;
        for (const j of J) c = add(c, this.p[i * this.n + j]);
        for (const j of this.dearest(i)) {
          if (left === 0) break;
          if (!free[j] || j === i) continue;
          c = add(c, this.p[i * this.n + j]);
          left -= 1;
        }
        return c;
      };
      return { forced: J.map(cost), free: F.map(cost) };
    }

    /** Return the price of the dearest support. @param {number[]} J @param {number[]} F @param {number} m */
    price(J, F, m) {
      const c = this.rows(J, F, m);
      return add(total(c.forced), top(c.free, m - J.length));
    }
  }

  const RULES = ["spectral", "support", "trace", "rowsum", "pairwise", "psi", "perron"];

  /** The matrix of the claim, and the rules that bound its supports. */
  class Bounds {
    /** @param {Certificate} claim @param {Eigenvalues} eigenvalues */
    constructor(claim, eigenvalues) {
      this.claim = claim;
      this.eigenvalues = eigenvalues;
      const entries = Array.from(claim.entries, dyadic);
      this.factor = claim.storage === "factor" ? entries : null;
      this.Sigma = this.factor ? gram(entries, claim.rows, claim.n) : { n: claim.n, at: entries };
      this.all = [...Array(claim.n).keys()];
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
      return this.spectral(t);
    }

    /** @param {Told} t */
    trace(t) {
      const variance = (/** @type {number} */ i) => this.Sigma.at[i * this.claim.n + i];
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
      const minus = this.once("-Sigma", () => ({ n: this.claim.n, at: this.Sigma.at.map(neg) }));
      return this.eigenvalues.remembered("-Sigma", minus, this.all, d);
    }

    /** Every row price times its weight, so that nothing is divided. @param {Told} t */
    rowsum(t) {
      const variables = t.point ? t.point.variables : this.all;
      const v = variables.length;
      const w = this.once(`weights ${t.name}`, () => variables.map((_, a) => (t.point ? dyadic(t.point.weights[a]) : ONE)));
      const prices = this.once(`rowsum ${t.name}`, () => {
        const p = (/** @type {number} */ a, /** @type {number} */ b) => {
          const x = this.Sigma.at[variables[a] * this.claim.n + variables[b]];
          return mul(a === b ? x : abs(x), w[b]);
        };
        return new Prices(v, Array.from({ length: v * v }, (_, at) => p(Math.floor(at / v), at % v)));
      });
      const c = prices.rows(t.J, t.F, t.m);
      const fits = (/** @type {Dyadic} */ x, /** @type {number} */ i) => atMost(x, mul(t.tau, w[i]));
      return c.forced.every((x, a) => fits(x, t.J[a])) && c.free.every((x, a) => fits(x, t.F[a]));
    }

    /** @param {Told} t */
    pairwise(t) {
      const { point } = t;
      const v = point.variables.length;
      const prices = this.once(`pairwise ${t.name}`, () => {
        const lam = Array.from(point.lam, dyadic);
        const q = Array.from(point.V, (/** @type {number} */ x, /** @type {number} */ at) => {
          const size = add(lam[Math.floor(at / v)], lam[at % v]);
          if (x !== 0 && size.m === 0n) throw new TooLittle("a pair of its point has no finite price");
          const price = x === 0 ? ZERO : quotient(mul(dyadic(x), dyadic(x)), add(size, size));
          return point.S ? add(price, dyadic(point.S[at])) : price;
        });
        return new Prices(v, q);
      });
      // For a penalty W enters with the number of the variables of the point, which serves every smaller m.
      const m = whole(this.claim.kind === "penalty" ? v : t.m);
      const name = `pairwise ${t.name} ${point.L ? m.m : ""}`;
      const M = this.once(`${name} matrix`, () => {
        const W = point.L && gram(transposed(point.L, v), point.L.length / v, v);
        return symmetric(v, (a, b) => {
          let x = this.Sigma.at[point.variables[a] * this.claim.n + point.variables[b]];
          x = sub(x, dyadic(point.V[a * v + b]));
          if (W) x = sub(x, W.at[a * v + b]);
          if (a === b) x = add(x, dyadic(point.lam[a]));
          return W && a === b ? add(x, mul(m, W.at[a * v + a])) : x;
        });
      });
      const tau = sub(t.tau, prices.price(t.J, t.F, t.m));
      if (this.eigenvalues.remembered(name, M, [...Array(v).keys()], tau)) return true;
      return t.local.length < v && this.eigenvalues.remembered(`${name} on ${t.local}`, M, t.local, tau);
    }

    /** @param {Told} t */
    perron(t) {
      const { point } = t;
      const v = point.variables.length;
      const [P, prices] = this.once(`perron ${t.name}`, () => {
        const N = Array.from(point.N, dyadic);
        const M = symmetric(v, (a, b) => {
          const p = dyadic(point.P[a * v + b]);
          const paid = mul(N[a * v + b], N[b * v + a]);
          if (!atMost(mul(p, p), paid)) throw new TooLittle("a pair of its point is underpaid");
          return sub(this.Sigma.at[point.variables[a] * this.claim.n + point.variables[b]], p);
        });
        return [M, new Prices(v, N)];
      });
      const rows = prices.rows(t.J, t.F, t.m);
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
      const [v, n] = [variables.length, this.claim.n];
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

  /** Return the columns of an array of v rows as rows. @param {Float64Array} L @param {number} v */
  function transposed(L, v) {
    const columns = L.length / v;
    return Array.from(L, (_, at) => dyadic(L[(at % v) * columns + Math.floor(at / v)]));
  }

  // §5 Tree

  /**
   * Return the leaves with what is forced in and what is free, or say what is wrong with the tree.
   * @param {Node[]} tree @param {number[]} include @param {number[]} exclude @param {number} n
   */
  function leavesOf(tree, include, exclude, n) {
    const first = [...Array(n).keys()].filter((i) => !include.includes(i) && !exclude.includes(i));
    const seen = new Uint8Array(tree.length);
    const found = [];
    const waiting = [{ at: 0, J: include, F: first }];
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
      waiting.push({ at: here.outside, J, F: rest }, { at: here.inside, J: [...J, here.variable], F: rest });
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
   * @typedef {{outcome: string, reasons: string[], statement: string, attained: string, leaves: number,
   *   digest: string, arithmetic: string, presupposes: string}} Verdict
   */

  /**
   * Check what a certificate claims.
   * @param {Certificate} claim @param {{exact?: boolean, progress?: (done: number, all: number) => void}} [options] @returns {Verdict}
   */
  function verify(claim, options = {}) {
    const exact = options.exact ?? workOf(claim) <= EXACT_WORK;
    const eigenvalues = new Eigenvalues(exact);
    const bounds = new Bounds(claim, eigenvalues);
    /** @type {string[]} */
    const reasons = [];
    const attained = attainedBy(bounds, claim.support, claim.loadings, claim);
    const [lower, upper] = [dyadic(claim.lower), dyadic(claim.upper)];
    const most = claim.others ? dyadic(claim.others.most) : upper;
    let [refuted, leaves] = [false, 0];
    const say = (/** @type {string} */ reason, /** @type {boolean} */ isFalse) => {
      reasons.push(reason);
      refuted ||= isFalse;
    };
    if (!attained.atLeast(lower)) say("the vector attains less than the lower bound", false);
    if (attained.above(upper)) say("the vector attains more than the upper bound", true);
    if (claim.kind === "penalty" && upper.m < 0n) say("the upper bound is below 0, the value of no variables", true);
    if (claim.others) checkList(bounds, attained, say);
    if (!refuted) {
      const reason = shortcoming(() => (leaves = proveUpper(bounds, most, options.progress)));
      if (reason !== null) say(reason, false);
    }
    if (reasons.length && !refuted && !attained.atLeast(lower) && proveBelow(bounds, lower)) {
      say("the evidence proves an upper bound below the claimed lower bound", true);
    }
    const outcome = refuted ? "REFUTED" : reasons.length ? "INCONCLUSIVE" : "VERIFIED";
    return {
      outcome,
      reasons,
      statement: statementOf(claim),
      presupposes: presupposed(claim),
      attained: attained.text,
      leaves,
      digest: claim.digest,
      arithmetic: eigenvalues.usedDoubles ? "rounded outward" : "exact",
    };
  }

  /** Say whether the evidence proves a bound below the claimed lower one, which refutes it. @param {Bounds} bounds @param {Dyadic} lower */
  function proveBelow(bounds, lower) {
    const below = sub(lower, { m: 1n, e: -1100 }); // less than any distance of doubles
    const lists = bounds.claim.others?.supports ?? [];
    const listed = (/** @type {number[]} */ T) => bounds.eigenvalues.remembered(`Sigma ${T}`, bounds.Sigma, T, below);
    return shortcoming(() => proveUpper(bounds, below)) === null && lists.every(listed);
  }

  /** Prove the claimed bound at every leaf, and of the eliminated variables. @returns {number} the number of leaves */
  function proveUpper(
    /** @type {Bounds} */ bounds, /** @type {Dyadic} */ upper,
    /** @type {(done: number, all: number) => void} */ progress = () => {},
  ) {
    const { claim } = bounds;
    const target = claim.eliminated ? proveEliminated(bounds, upper) : upper;
    const leaves = leavesOf(claim.tree, claim.include, claim.exclude, claim.n);
    if (claim.kind === "penalty" && target.m < 0n) throw new TooLittle("no variables have the value 0, which is above the bound");
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
    const { k } = claim;
    if (J.length > k || J.length + F.length < k) return;
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
    if (!bounds.noEigenvalueBelow(shift)) throw new TooLittle("the block is not proved to have no eigenvalue below minus the shift");
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
      const own = attainedBy(bounds, T, loadings.subarray(at * claim.k, (at + 1) * claim.k), claim);
      if (!own.atLeast(dyadic(lower[at]))) say(`listed support ${T}: its vector attains less than its lower bound`, false);
      if (own.above(dyadic(upper[at]))) say(`listed support ${T}: its vector attains more than its upper bound`, true);
      if (!bounds.eigenvalues.remembered(`Sigma ${T}`, bounds.Sigma, T, dyadic(Math.min(upper[at], claim.upper)))) {
        say(`listed support ${T}: its upper bound is not proved`, false);
      }
    });
  }

  /** §8: what a vector attains, in exact fractions. @param {Bounds} bounds @param {number[]} T @param {Float64Array} z @param {Certificate} claim */
  function attainedBy(bounds, T, z, claim) {
    const x = Array.from(z, dyadic);
    let [up, down] = [ZERO, ZERO];
    T.forEach((i, a) => {
      down = add(down, mul(x[a], x[a]));
      T.forEach((j, b) => (up = add(up, mul(mul(x[a], x[b]), bounds.Sigma.at[i * claim.n + j]))));
    });
    if (T.length === 0) down = ONE;
    if (claim.kind === "penalty") up = largest([ZERO, sub(up, mul(down, mul(dyadic(claim.rho), whole(T.length))))]);
    return {
      text: fraction(up, down),
      atLeast: (/** @type {Dyadic} */ bound) => atMost(mul(bound, down), up),
      above: (/** @type {Dyadic} */ bound) => !atMost(up, mul(bound, down)),
    };
  }

  /** Guess the products of whole numbers that exact eigenvalue bounds would take. @param {Certificate} claim */
  function workOf(claim) {
    let work = claim.storage === "factor" ? claim.rows * claim.n ** 2 : 0;
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
    const value = claim.kind === "penalty" ? `phi(${claim.rho})` : `v_${claim.k}`;
    const names = (/** @type {number[]} */ list) => list.map((i) => claim.names[i]).join(", ");
    let text = `${low} <= ${value} <= ${high} of a ${claim.n} x ${claim.n} ${claim.description?.kind ?? "matrix"}`;
    if (claim.include.length) text += `, with ${names(claim.include)}`;
    if (claim.exclude.length) text += `, without ${names(claim.exclude)}`;
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
   * @param {{companions?: {name: string, bytes: Uint8Array}[], stem?: string, exact?: boolean,
   *   progress?: (done: number, all: number) => void}} [options]
   * @returns {Promise<Verdict>}
   */
  async function check(text, options = {}) {
    return verify(await certificates.open(text, options), options);
  }

  return { check, verify, Refused: certificates.Refused, parts: { dyadic, quotient, root, fraction, decimal, doubleBelow, Prices } };
})();

/** The command line: a line for each file. @param {string[]} words @returns {Promise<number>} the exit code */
async function main(words) {
  const fs = require("node:fs");
  const path = require("node:path");
  const flags = words.filter((word) => word.startsWith("--"));
  const files = words.filter((word) => !word.startsWith("--"));
  if (files.length === 0 || flags.some((flag) => !["--json", "--exact", "--doubles"].includes(flag))) {
    process.stderr.write("usage: node checker.js [--json] [--exact | --doubles] FILE...\n");
    return 2;
  }
  const exact = flags.includes("--exact") ? true : flags.includes("--doubles") ? false : undefined;
  let code = 0;
  for (const file of files) {
    const begun = performance.now();
    let said;
    try {
      const stem = path.basename(file).replace(/\.[^.]*$/, "");
      const isBeside = (/** @type {string} */ name) => name.startsWith(stem) && /^(\.[0-9a-f]{8})?\.npz$/.test(name.slice(stem.length));
      const beside = fs.readdirSync(path.dirname(file)).filter(isBeside).map((name) => path.join(path.dirname(file), name));
      const regular = beside.filter((name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile());
      const companions = regular.map((name) => ({ name: path.basename(name), bytes: fs.readFileSync(name) }));
      if (!fs.statSync(file).isFile()) throw new relaxspcaChecker.Refused("not a regular file");
      said = await relaxspcaChecker.check(fs.readFileSync(file, "latin1"), { companions, stem, exact });
      code = Math.max(code, said.outcome === "VERIFIED" ? 0 : 1);
    } catch (error) {
      if (!(error instanceof relaxspcaChecker.Refused) && !error.code?.startsWith?.("E")) throw error;
      said = { outcome: "REFUSED", reasons: [error.message] };
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
      const facts = `${said.leaves} leaves, arithmetic ${said.arithmetic}, ${seconds.toFixed(3)} s`;
      process.stdout.write(`  ${said.statement}\n${presupposed}  ${said.digest}\n  ${facts}\n`);
    }
  }
  return code;
}

if (typeof module !== "undefined") {
  module.exports = relaxspcaChecker;
  if (require.main === module) main(process.argv.slice(2)).then((code) => (process.exitCode = code));
} else if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  // A worker is sent {id, text, options} and answers {id, done, all} while it works and {id, verdict} or {id, refused}.
  self.onmessage = async ({ data: { id, text, options } }) => {
    const begun = performance.now();
    try {
      const progress = (/** @type {number} */ done, /** @type {number} */ all) => self.postMessage({ id, done, all });
      const verdict = await relaxspcaChecker.check(text, { ...options, progress });
      self.postMessage({ id, verdict, seconds: (performance.now() - begun) / 1000 });
    } catch (error) {
      self.postMessage({ id, refused: error.message, seconds: (performance.now() - begun) / 1000 });
    }
  };
}
