/**
 * Leaves of a claim about several components that go through choices of supports one by one: *choices* in §13 of
 * certificates/SPEC.md. See several.js and checker.js.
 */
"use strict";

const relaxspcaChoices = (() => {
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, dyadic, whole, neg, abs, mul, add, sub, total, largest, doubleBelow, bitLength, symmetric } = numbers;
  const { TooLittle, largestOf, unitsAbove } = numbers;
  const { Losses, MOST_KEPT } = typeof require === "function" ? require("./losses.js") : relaxspcaLosses;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{k: number, J: number[], F: number[]}} Part */
  /** Places in V, as a list and as bits, 31 in each of two numbers. @typedef {{at: number, list: number[], lo: number, hi: number}} Chosen */
  /**
   * Equal parts, how many there are, and their sets.
   * @typedef {{part: Part, count: number, sets: Chosen[]}} Group
   */

  const [MOST_VARIABLES, MOST_SETS, MOST_BEGINNINGS, MOST_TRIED] = [62, 2 ** 17, 2 ** 22, 2 ** 28];
  const HEADS = 8; // of the first points, which may bound beginnings
  const BITS = 50; // so that all sums are whole numbers that doubles hold
  const HALF = 31;
  const MOST_FITS = 2 ** 26; // pairs of two groups of which words are kept

  /** @param {number[]} list @param {number} [at] @returns {Chosen} */
  function chosen(list, at = -1) {
    let [lo, hi] = [0, 0];
    for (const i of list) {
      if (i < HALF) lo |= 1 << i;
      else hi |= 1 << (i - HALF);
    }
    return { at, list, lo, hi };
  }

  /** Return what two sets have in common only if they are one. @param {Chosen} set */
  const nameOf = ({ lo, hi }) => `${lo} ${hi}`;

  /** What one point says of sets of variables, in units of its own: every value is rounded up to whole units. */
  class Point {
    /** @param {any} tables @param {number} at @param {number[]} V @param {Chosen[]} sets @param {Dyadic} upper */
    constructor(tables, at, V, sets, upper) {
      const { variables, M } = tables.claim.points[at];
      const r = tables.claim.sizes.length;
      const place = new Map(variables.map((/** @type {number} */ i, /** @type {number} */ p) => [i, p]));
      const W = V.filter((i) => place.has(i));
      this.eigenvalues = tables.eigenvalues;
      this.isWhole = W.length === V.length;
      this.inside = V.map((i) => place.has(i));
      const entry = (/** @type {number} */ a, /** @type {number} */ b) =>
        (this.inside[a] && this.inside[b] ? dyadic(M[place.get(V[a]) * variables.length + place.get(V[b])]) : ZERO);
      this.M = symmetric(V.length, entry);
      const { delta, paid } = tables.excess(at, W);
      const rows = V.map((_, a) => total(V.map((_v, b) => abs(this.M.at[a * V.length + b]))));
      const size = total([...paid.map(abs), mul(whole(r), add(delta, largest(rows)))]);
      this.e = size.m === 0n ? 0 : bitLength(size.m) + size.e - BITS;
      this.floats = Float64Array.from(this.M.at, (x) => doubleBelow(x, -this.e - BITS));
      this.weights = V.map((i) => (place.has(i) ? unitsAbove(paid[W.indexOf(i)], this.e) : NaN));
      this.charge = unitsAbove(mul(whole(-r), delta), this.e);
      this.limit = Math.max(-(2 ** 52), Math.min(2 ** 52, -unitsAbove(neg(upper), this.e)));
      this.everything = this.charge + this.weights.reduce((sum, x) => sum + Math.max(0, x), 0);
      this.found = new Float64Array(sets.length).fill(NaN);
      this.bits = BITS; // floats are entries in units, times 2**-bits
      this.losses = new Losses(this);
    }

    /** Return the largest loss of a set and one of others, in units. @param {Chosen} set @param {Chosen[]} others @returns {number} */
    loss(set, others) {
      return others.reduce((most, other) => Math.max(most, this.losses.between(other, set)), 0);
    }

    /** Return a bound on the largest eigenvalue of M on a set, in units. @param {Chosen} set @returns {number} */
    eigenvalue({ at, list }) {
      if (Number.isNaN(this.found[at])) this.found[at] = this.bounded(list);
      return this.found[at];
    }

    /** @param {number[]} list @returns {number} */
    bounded(list) {
      const [n, d] = [this.M.n, list.length];
      if (d === 1) return unitsAbove(this.M.at[list[0] * n + list[0]], this.e);
      const most = unitsAbove(largest(list.map((i) => total(list.map((j) => abs(this.M.at[i * n + j]))))), this.e);
      const B = Float64Array.from({ length: d * d }, (_, x) => this.floats[list[Math.floor(x / d)] * n + list[x % d]]);
      const near = Math.ceil(largestOf(B, d, -2) * 2 ** BITS);
      const block = [...Array(d).keys()];
      for (let margin = 1; near + margin < most; margin *= 4) {
        const tau = { m: BigInt(near + margin), e: this.e };
        const gaps = symmetric(d, (a, b) => {
          const x = this.M.at[list[a] * n + list[b]];
          return a === b ? sub(tau, x) : neg(x);
        });
        if (this.eigenvalues.positive(gaps, block)) return near + margin;
      }
      return most;
    }
  }

  /** Return the sets with which a part may begin: what is forced costs no room. @param {Part} part @returns {number[][]} */
  function setsOf({ k, J, F }) {
    /** @type {{list: number[], room: number}[]} */
    let found = [{ list: [], room: k - J.length }];
    for (const i of [...J, ...F]) {
      const cost = J.includes(i) ? 0 : 1;
      const longer = found.filter(({ room }) => room >= cost).map(({ list, room }) => ({ list: [...list, i], room: room - cost }));
      found = found.concat(longer);
      if (found.length > MOST_SETS + 1) throw new TooLittle(`a part has more than ${MOST_SETS} sets to choose from`);
    }
    return found.slice(1).map(({ list }) => list);
  }

  /** Go through all choices of sets, as far as no point bounds all that begin alike. */
  class Choices {
    /**
     * @param {any} tables @param {number[]} points @param {Part[]} parts @param {number[]} V @param {Dyadic} upper
     */
    constructor(tables, points, parts, V, upper) {
      if (V.length > MOST_VARIABLES) throw new TooLittle(`its tables have more than ${MOST_VARIABLES} variables`);
      const local = (/** @type {number[]} */ list) => list.map((i) => V.indexOf(i)).filter((i) => i >= 0);
      this.isDisjoint = tables.claim.supports === "disjoint";
      /** @type {Map<string, Chosen>} */
      const known = new Map();
      const numbered = (/** @type {number[]} */ list) => {
        const set = chosen(list, known.size);
        const name = nameOf(set);
        if (!known.has(name)) known.set(name, set);
        return /** @type {Chosen} */ (known.get(name));
      };
      /** @type {Map<string, Group>} */
      const groups = new Map();
      for (const { k, J, F } of parts) {
        const name = `${k};${J};${F}`;
        const part = { k, J: local(J), F: local(F) };
        const group = groups.get(name) ?? { part, count: 0, sets: [] };
        if (group.count === 0) group.sets = setsOf(part).map(numbered);
        group.count += 1;
        groups.set(name, group);
      }
      const sets = [...known.values()];
      this.points = points.map((at) => new Point(tables, at, V, sets, upper));
      this.heads = this.points.slice(0, HEADS).filter(({ isWhole }) => isWhole);
      this.groups = [...groups.values()];
      for (const group of this.groups) {
        const [first] = this.heads;
        if (first) group.sets.sort((a, b) => first.eigenvalue(b) - first.eigenvalue(a) || a.at - b.at);
      }
      // Of every head the largest eigenvalue among the sets of a group from a place on.
      this.largest = this.groups.map(({ sets: own }) => this.heads.map((head) => {
        const found = Float64Array.from(own, (set) => head.eigenvalue(set));
        for (let p = found.length - 2; p >= 0; p--) found[p] = Math.max(found[p], found[p + 1]);
        return found;
      }));
      // For every part its group, how many of the group are still to come, and what the later groups and all variables cost.
      this.steps = this.groups.flatMap(({ count }, g) => {
        const rest = this.heads.map((head, h) =>
          this.groups.reduce((sum, later, at) => sum + (at > g ? later.count * this.largest[at][h][0] : 0), head.everything));
        return Array.from({ length: count }, (_, t) => ({ g, more: count - 1 - t, rest }));
      });
      for (const head of this.heads) head.losses.most = MOST_KEPT;
      /** For two groups, and a set of the first, which of the second fit beside it: words of 32. @type {Map<number, Int32Array>[][]} */
      this.words = this.groups.map(() => this.groups.map(() => new Map()));
      this.count = 0;
      this.tried = 0;
      /** @type {number[]} */
      this.places = [];
    }

    /** Prove that no choice is worth more. */
    prove() {
      const none = this.heads.map(() => 0);
      this.look(0, none, none);
    }

    /**
     * Look at all choices that begin with what stands in `places`.
     * @param {number} step @param {number[]} sums of eigenvalues, for every head @param {number[]} losses the largest of two of the sets
     */
    look(step, sums, losses) {
      const { g, more, rest } = this.steps[step];
      const { sets } = this.groups[g];
      const isLast = step === this.steps.length - 1;
      const earlier = this.chosen(step);
      const start = step > 0 && this.steps[step - 1].g === g ? this.places[step - 1] : 0;
      const above = (/** @type {number} */ h, /** @type {number} */ p) =>
        sums[h] - losses[h] + this.heads[h].eigenvalue(sets[p]) + more * this.largest[g][h][p] + rest[h] - this.heads[h].limit;
      // The sets from `reach` on have no larger eigenvalues at the first head.
      let reach = start;
      while (reach < sets.length && (this.heads.length === 0 || above(0, reach) > 0)) reach++;
      this.tried += reach - start;
      if (this.tried > MOST_TRIED) throw new TooLittle(`more than ${MOST_TRIED} sets to try after the beginnings of tables`);
      const isKept = this.steps.slice(0, step).every((own) => this.groups[own.g].sets.length * sets.length <= MOST_FITS);
      const words = isKept ? earlier.map((_, t) => this.beside(t, g)) : [];
      const next = (/** @type {number} */ p) => {
        if (!isKept && this.meets(sets[p], earlier)) return;
        /** @type {number[]} */
        const worse = [];
        for (let h = 0; h < this.heads.length; h++) {
          const much = above(h, p);
          if (much <= 0) return;
          worse.push(Math.max(losses[h], this.heads[h].loss(sets[p], earlier)));
          if (much <= worse[h] - losses[h]) return;
        }
        this.count += 1;
        if (this.count > MOST_BEGINNINGS) throw new TooLittle(`more than ${MOST_BEGINNINGS} beginnings of tables`);
        this.places[step] = p;
        if (isLast) this.complete();
        else this.look(step + 1, sums.map((sum, h) => sum + this.heads[h].eigenvalue(sets[p])), worse);
      };
      for (let w = start >>> 5; w << 5 < reach; w++) {
        let bits = words.reduce((fit, row) => fit & row[w], -1);
        if (w << 5 < start) bits &= -1 << (start & 31);
        if ((w << 5) + 32 > reach) bits &= -1 >>> ((w << 5) + 32 - reach);
        for (; bits !== 0; bits &= bits - 1) next((w << 5) + 31 - Math.clz32(bits & -bits));
      }
    }

    /** Return which sets of a group fit beside the set of an earlier step, a bit for each. @param {number} t @param {number} g */
    beside(t, g) {
      const { sets } = this.groups[g];
      const [own, p] = [this.steps[t].g, this.places[t]];
      const known = this.words[own][g].get(p);
      if (known) return known;
      const words = new Int32Array(Math.ceil(sets.length / 32));
      const first = [this.groups[own].sets[p]];
      sets.forEach((set, q) => {
        if (!this.meets(set, first)) words[q >>> 5] |= 1 << (q & 31);
      });
      this.words[own][g].set(p, words);
      return words;
    }

    /** Return the first so many sets in `places`. @param {number} step @returns {Chosen[]} */
    chosen(step) {
      return this.steps.slice(0, step).map(({ g }, t) => this.groups[g].sets[this.places[t]]);
    }

    /** Say whether a set shares with an earlier one what it may not. @param {Chosen} set @param {Chosen[]} earlier */
    meets(set, earlier) {
      for (const other of earlier) {
        const [lo, hi] = [set.lo & other.lo, set.hi & other.hi];
        if ((lo | hi) === 0) continue;
        if (this.isDisjoint || (hi === 0 ? (lo & (lo - 1)) === 0 : lo === 0 && (hi & (hi - 1)) === 0)) return true;
      }
      return false;
    }

    /** Bound one choice by the first point that is enough. */
    complete() {
      const sets = this.chosen(this.steps.length);
      const union = [...new Set(sets.flatMap(({ list }) => list))];
      const isEnough = (/** @type {Point} */ point) => {
        if (!union.every((i) => point.inside[i])) return false;
        const paid = union.reduce((sum, i) => sum + point.weights[i], point.charge);
        const above = sets.reduce((sum, set) => sum + point.eigenvalue(set), paid) - point.limit;
        return above <= 0 || sets.some((set, t) => point.loss(set, sets.slice(0, t)) >= above);
      };
      if (!this.points.some(isEnough)) throw new TooLittle("no point bounds one of its tables by the claimed upper bound");
    }
  }

  return { Choices, Point, chosen, nameOf, MOST_VARIABLES, MOST_TRIED };
})();

if (typeof module !== "undefined") module.exports = relaxspcaChoices;
