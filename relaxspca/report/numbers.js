/**
 * The numbers of the second checker, and its bounds on eigenvalues: §4 of certificates/SPEC.md. See checker.js.
 *
 * Every double is a whole number times a power of two, and so are sums, products, and quotients and roots rounded
 * up to 120 bits. All charges and matrices are computed in such numbers, without any other rounding. Only the question
 * "is no eigenvalue of M above tau?" may be answered in doubles rounded outward, where exact arithmetic would take
 * long; the verdict says so.
 */
"use strict";

const relaxspcaNumbers = (() => {
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
  const WORD = 1n << 64n; // below which a division is as quick as anything
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

  /** Return how many units 2**e are at least x. @param {Dyadic} x @param {number} e */
  const unitsAbove = (x, e) => Number(x.e >= e ? x.m << BigInt(x.e - e) : -(-x.m >> BigInt(e - x.e)));

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

  /**
   * Return the greatest common divisor of whole numbers that are at least 0. Euclid's quotients follow from the
   * leading digits alone, many of them at once (Lehmer; Knuth, The Art of Computer Programming 2, 4.5.2, algorithm L).
   * @param {bigint} a @param {bigint} b
   */
  function gcd(a, b) {
    if (a < b) [a, b] = [b, a];
    let size = a === 0n ? 0 : bitLength(a); // at least the number of bits of a
    while (b > WORD) {
      let x = Number(a >> BigInt(size - 52));
      if (x < 2 ** 51) {
        size -= 52 - x.toString(2).length;
        continue;
      }
      let y = Number(b >> BigInt(size - 52));
      let [A, B, C, D] = [1, 0, 0, 1];
      while (y + C !== 0 && y + D !== 0) {
        const q = Math.floor((x + A) / (y + C));
        if (q !== Math.floor((x + B) / (y + D))) break;
        [A, B, C, D, x, y] = [C, D, A - q * C, B - q * D, y, x - q * y];
      }
      if (B === 0) [a, b] = [b, a % b];
      else [a, b] = [BigInt(A) * a + BigInt(B) * b, BigInt(C) * a + BigInt(D) * b];
    }
    while (b) [a, b] = [b, a % b];
    return a;
  }

  /** Return a / b rounded up to 120 bits, for a >= 0 and b > 0. @param {Dyadic} a @param {Dyadic} b @returns {Dyadic} */
  function quotient(a, b) {
    if (a.m === 0n) return ZERO;
    let [p, q] = [reduced(a), reduced(b)];
    const g = gcd(p.m, q.m);
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
    const g = gcd(a < 0n ? -a : a, b);
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
        if (block.length === 1) {
          if (gaps.at[first * d + first].m < 0n) return false;
          continue;
        }
        const rowSum = largest(block.map((a) => total(block.map((b) => abs(entry(a, b))))));
        if (!atMost(rowSum, tau) && !this.positive(gaps, block)) return false;
      }
      return true;
    }

    /**
     * Return some tau that is proved to be at least the largest eigenvalue of the block of M on some rows, little more.
     * @param {Matrix} M @param {number[]} rows @returns {Dyadic}
     */
    upper(M, rows) {
      return this.upperOfAll(M, [rows], [ZERO]);
    }

    /**
     * Return some tau that is proved to be at least the largest eigenvalue of the block of M on each set of rows plus
     * a number for each, and little more than the largest of these.
     * @param {Matrix} M @param {number[][]} sets @param {Dyadic[]} plus @returns {Dyadic}
     */
    upperOfAll(M, sets, plus) {
      const rowSum = (/** @type {number[]} */ rows, /** @type {number} */ i) => total(rows.map((j) => abs(M.at[i * M.n + j])));
      const sums = sets.map((rows, s) => add(plus[s], rows.length ? largest(rows.map((i) => rowSum(rows, i))) : ZERO));
      const most = largest(sums);
      if (sets.every((rows) => rows.length === 1)) return largest(sets.map(([i], s) => add(plus[s], M.at[i * M.n + i])));
      const size = largest([...sums, ...plus].map(abs));
      if (size.m === 0n) return ZERO;
      const shift = -bitLength(size.m) - size.e; // brings all below 1
      let estimate = -Infinity;
      sets.forEach((rows, s) => {
        const d = rows.length;
        const own = doubleBelow(plus[s], shift);
        const B = Float64Array.from({ length: d * d }, (_, at) => doubleBelow(M.at[rows[Math.floor(at / d)] * M.n + rows[at % d]], shift));
        estimate = Math.max(estimate, own + largestOf(B, d, Math.max(estimate - own, -2)));
      });
      const length = Math.max(...sets.map((rows) => rows.length));
      for (let e = -51 + Math.ceil(Math.log2(length)); e < 0; e += 4) {
        const near = add(dyadic(estimate), { m: 1n, e });
        const tau = { m: near.m, e: near.e - shift };
        if (!atMost(tau, most)) break;
        if (sets.every((rows, s) => this.atMost(M, rows, sub(tau, plus[s])))) return tau;
      }
      return most;
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

  /**
   * Return about the largest eigenvalue of a symmetric d x d matrix of doubles, or `least` if that is larger.
   * @param {Float64Array} B @param {number} d @param {number} least
   */
  function largestOf(B, d, least) {
    const minus = B.map((x) => -x);
    let [low, high] = [least, 0];
    for (let i = 0; i < d; i++) {
      low = Math.max(low, B[i * d + i]);
      high = Math.max(high, B.subarray(i * d, (i + 1) * d).reduce((sum, x) => sum + Math.abs(x), 0));
    }
    // The Cholesky factor of tau I - B tells on which side tau lies.
    if (low === least && cholesky(minus, d, -least)) return least;
    for (let step = 0; step < 60 && high > low; step++) {
      const middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      if (cholesky(minus, d, -middle)) high = middle;
      else low = middle;
    }
    return high;
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

  // §6 Row charges

  /** RowCharges p_ij of rows i and columns j, with the columns of a row by falling charge; no support has a label twice. */
  class RowCharges {
    /** @param {number} n @param {Dyadic[]} p @param {number[]} [labels] */
    constructor(n, p, labels = [...Array(n).keys()]) {
      this.n = n;
      this.p = p;
      this.labels = labels;
      /** @type {number[][]} */
      this.order = [];
    }

    /** @param {number} i */
    largest(i) {
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
        const taken = new Set([this.labels[i]]);
        let c = free[i] ? this.p[i * this.n + i] : ZERO;
        for (const j of J) c = add(c, this.p[i * this.n + j]);
        for (const j of this.largest(i)) {
          if (left === 0) break;
          if (!free[j] || taken.has(this.labels[j])) continue;
          c = add(c, this.p[i * this.n + j]);
          taken.add(this.labels[j]);
          left -= 1;
        }
        return c;
      };
      return { forced: J.map(cost), free: F.map(cost) };
    }
  }

  return {
    ZERO, ONE, PRECISION, gcd, dyadic, whole, neg, abs, mul, half, add, sub, total, atMost, descending, largest, top, quotient, root,
    unitsAbove, doubleBelow, decimal, fraction, symmetric, gram, bitLength, largestOf, Eigenvalues, RowCharges,
    TooLittle, shortcoming,
  };
})();

if (typeof module !== "undefined") module.exports = relaxspcaNumbers;
