/**
 * What orthogonality takes from two components: the loss of two sets, *choices* in §13 of certificates/SPEC.md.
 * See choices.js.
 */
"use strict";

const relaxspcaLosses = (() => {
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { dyadic, neg, mul, add, sub, total, symmetric, unitsAbove } = numbers;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /**
   * A vector v on a set, in places of V; times 2**53, and the square of that length; at most g, and at least what a is
   * above the known bound, in units; whether it is too long for doubles.
   * @typedef {{v: Float64Array, m: bigint[], square: bigint, gap: number, excess: number, isLong: boolean}} Leader */

  const DIGITS = 53;
  const LONGEST = 2n ** BigInt(2 * DIGITS) + 2n ** BigInt(2 * DIGITS - 45);
  const TRIES = 12;
  const [MOST_KEPT, KEPT] = [2 ** 21, 2 ** 16]; // losses of pairs, at points that bound beginnings and at others

  /** Losses at a point, in its units. */
  class Losses {
    /** @param {any} point see choices.js */
    constructor(point) {
      this.point = point;
      /** @type {(Leader | null)[]} */
      this.known = [];
      this.most = KEPT;
      this.pairs = this.kept = new Float64Array(0);
    }

    /** Return what two sets lose, 0 or more whole units; what was found last is kept. @param {any} a @param {any} b @returns {number} */
    between(a, b) {
      const { length } = this.point.found;
      if (this.kept.length === 0) {
        const room = Math.min(length * length, this.most);
        [this.pairs, this.kept] = [new Float64Array(room).fill(-1), new Float64Array(room)];
      }
      const pair = a.at * length + b.at;
      const slot = pair % this.kept.length;
      if (this.pairs[slot] !== pair) [this.pairs[slot], this.kept[slot]] = [pair, this.found(a, b)];
      return this.kept[slot];
    }

    /** @param {any} a @param {any} b @returns {number} */
    found(a, b) {
      if (((a.lo & b.lo) | (a.hi & b.hi)) === 0) return 0;
      const [first, second] = [this.leader(a), this.leader(b)];
      if (first === null || second === null) return 0;
      const { eigenvalues } = this.point;
      const loss = eigenvalues.exact ? exactly(first, second, a.list) : inDoubles(first, second, a.list);
      const left = Math.max(0, loss - first.excess - second.excess);
      if (left > 0 && !eigenvalues.exact) eigenvalues.usedDoubles = true;
      return left;
    }

    /** @param {any} set @returns {Leader | null} */
    leader(set) {
      if (this.known[set.at] === undefined) this.known[set.at] = this.leading(set);
      return this.known[set.at];
    }

    /**
     * With v about a vector of the largest eigenvalue and h about the gap below it, M - hvv' has no eigenvalue above mu:
     * proved for mu, h and v as they are, so that a = mu + h|v|² and g = h|v|². null where nothing is won.
     * @param {any} set @returns {Leader | null}
     */
    leading(set) {
      const { e, floats, eigenvalues, M, bits } = this.point;
      const { list } = set;
      const d = list.length;
      if (d === 1) return null;
      const B = Float64Array.from({ length: d * d }, (_, x) => floats[list[Math.floor(x / d)] * M.n + list[x % d]]);
      const { values, vectors } = spectrum(B, d);
      const order = [...values.keys()].sort((a, b) => values[b] - values[a]);
      const h = values[order[0]] - values[order[1]];
      const digits = list.map((_, i) => Math.round(vectors[i * d + order[0]] * 2 ** DIGITS));
      if (!(h > 0 && h < 4 && digits.every(Number.isFinite))) return null;
      const v = digits.map((x) => ({ m: BigInt(x), e: -DIGITS }));
      const height = { m: dyadic(h).m, e: dyadic(h).e + e + bits };
      const rest = symmetric(d, (a, b) => sub(M.at[list[a] * M.n + list[b]], mul(height, mul(v[a], v[b]))));
      const g = mul(height, total(v.map((x) => mul(x, x))));
      const near = Math.ceil(values[order[1]] * 2 ** bits);
      const block = [...Array(d).keys()];
      for (let tries = 0, margin = 1; tries < TRIES; tries++, margin *= 4) {
        const mu = { m: BigInt(near + margin), e };
        const gaps = symmetric(d, (a, b) => (a === b ? sub(mu, rest.at[a * d + a]) : neg(rest.at[a * d + b])));
        if (!eigenvalues.positive(gaps, block)) continue;
        const [gap, excess] = [-unitsAbove(neg(g), e), unitsAbove(add(mu, g), e) - this.point.eigenvalue(set)];
        const long = new Float64Array(M.n);
        const m = Array(M.n).fill(0n);
        list.forEach((/** @type {number} */ i, /** @type {number} */ a) => {
          long[i] = digits[a] * 2 ** -DIGITS;
          m[i] = v[a].m;
        });
        const square = m.reduce((sum, x) => sum + x * x, 0n);
        return gap > 0 ? { v: long, m, square, gap, excess: Math.max(0, excess), isLong: square > LONGEST } : null;
      }
      return null;
    }
  }

  /** (t/32) e (8 + 2e + e²) rounded down, e = p/q. @param {Leader} first @param {Leader} second @param {number[]} list @returns {number} */
  function exactly(first, second, list) {
    const [g, h] = [BigInt(first.gap), BigInt(second.gap)];
    const c = list.reduce((sum, i) => sum + first.m[i] * second.m[i], 0n);
    const t = g + h;
    const [p, q] = [4n * g * h * c * c, t * t * first.square * second.square];
    return Number((t * p * (8n * q * q + 2n * p * q + p * p)) / (32n * q * q * q));
  }

  /**
   * The same in doubles. The loss itself grows with the cosine. An inner product of at most 62 doubles is off by less than
   * 2**-46 |v||w|, so that the cosine is at least that less 2**-44 where |v||w| is below 1 + 2**-45; fewer than 64
   * roundings of positive numbers follow.
   * @param {Leader} first @param {Leader} second @param {number[]} list @returns {number}
   */
  function inDoubles(first, second, list) {
    if (first.isLong || second.isLong) return 0;
    let c = 0;
    for (const i of list) c += first.v[i] * second.v[i];
    c = Math.max(0, Math.abs(c) - 2 ** -44);
    const t = first.gap + second.gap;
    const e = (4 * first.gap * second.gap * c * c) / (t * t);
    return Math.floor((t / 32) * e * (8 + e * (2 + e)) * (1 - 2 ** -46));
  }

  /**
   * Return about the eigenvalues of a symmetric d x d matrix of doubles, and vectors of them in columns: Jacobi's rotations.
   * @param {Float64Array} B @param {number} d @returns {{values: number[], vectors: Float64Array}}
   */
  function spectrum(B, d) {
    const A = B.slice();
    const vectors = Float64Array.from({ length: d * d }, (_, x) => (x % (d + 1) === 0 ? 1 : 0));
    /** @param {Float64Array} X @param {number} x @param {number} y @param {number} c @param {number} s */
    const turn = (X, x, y, c, s) => {
      [X[x], X[y]] = [c * X[x] - s * X[y], s * X[x] + c * X[y]];
    };
    for (let sweep = 0; sweep < 30; sweep++) {
      let turned = false;
      for (let p = 0; p < d; p++) {
        for (let q = p + 1; q < d; q++) {
          const off = A[p * d + q];
          if (Math.abs(off) <= 2 ** -60) continue;
          turned = true;
          const slope = (A[q * d + q] - A[p * d + p]) / (2 * off);
          const t = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1));
          const c = 1 / Math.hypot(t, 1);
          for (let k = 0; k < d; k++) turn(A, k * d + p, k * d + q, c, t * c);
          for (let k = 0; k < d; k++) turn(A, p * d + k, q * d + k, c, t * c);
          for (let k = 0; k < d; k++) turn(vectors, k * d + p, k * d + q, c, t * c);
        }
      }
      if (!turned) break;
    }
    return { values: [...Array(d).keys()].map((i) => A[i * d + i]), vectors };
  }

  return { Losses, MOST_KEPT };
})();

if (typeof module !== "undefined") module.exports = relaxspcaLosses;
