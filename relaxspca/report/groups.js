/**
 * Leaves of a claim about several components that divide its tables into groups of supports: *groups* in §13 of
 * certificates/SPEC.md. See several.js and choices.js.
 */
"use strict";

const relaxspcaGroups = (() => {
  const { TooLittle } = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const choices = typeof require === "function" ? require("./choices.js") : relaxspcaChoices;
  const { Point, chosen, nameOf, MOST_VARIABLES, MOST_TRIED } = choices;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{k: number, J: number[], F: number[]}} Part */
  /** @typedef {{at: number, list: number[], lo: number, hi: number}} Chosen */
  /** What a file says of a case. @typedef {{points: number[], division: {group: number, sets: number[][], next: number[]} | null}} Case */
  /** So many components, each with its support in the family. @typedef {{count: number, family: Chosen[]}} Group */

  const isEmpty = (/** @type {Group[]} */ groups) => groups.some(({ family }) => family.length === 0);

  /** The tables of a leaf, case by case. */
  class Groups {
    /** @param {any} tables @param {Case[]} cases @param {Part[]} parts @param {number[]} V @param {Dyadic} upper */
    constructor(tables, cases, parts, V, upper) {
      if (V.length > MOST_VARIABLES) throw new TooLittle(`its tables have more than ${MOST_VARIABLES} variables`);
      this.cases = cases;
      this.V = V;
      this.tried = 0;
      /** @type {Map<string, Chosen>} */
      this.known = new Map();
      /** @type {Map<string, Group>} */
      const groups = new Map();
      for (const { k, J, F } of parts) {
        const name = `${k};${J};${F}`;
        const group = groups.get(name) ?? { count: 0, family: [] };
        if (group.count === 0) group.family = tables.supports(k, this.local(J), this.local(F)).map((/** @type {number[]} */ T) => this.numbered(T));
        group.count += 1;
        groups.set(name, group);
      }
      this.start = [...groups.values()];
      const all = [...this.known.values()];
      /** @type {Map<number, any>} a Point of choices.js by its number */
      const points = new Map();
      this.point = (/** @type {number} */ at) => {
        const found = points.get(at) ?? new Point(tables, at, V, all, upper);
        if (!found.isWhole) throw new TooLittle("a point of a case says nothing of some variables of the leaf");
        points.set(at, found);
        return found;
      };
    }

    /** Places in V of variables. @param {number[]} list */
    local(list) {
      return list.map((i) => this.V.indexOf(i));
    }

    /** @param {number[]} list @returns {Chosen} */
    numbered(list) {
      const set = chosen(list, this.known.size);
      const name = nameOf(set);
      if (!this.known.has(name)) this.known.set(name, set);
      return /** @type {Chosen} */ (this.known.get(name));
    }

    /** Prove that no table explains more. */
    prove() {
      const waiting = [{ at: 0, groups: this.start }];
      for (let here = waiting.pop(); here; here = waiting.pop()) {
        const { at } = here;
        const { points, division } = this.cases[at];
        let { groups } = here;
        for (const p of points) if (!isEmpty(groups)) groups = this.left(groups, this.point(p));
        if (isEmpty(groups)) continue;
        if (division === null) throw new TooLittle(`case ${at} has tables that no point bounds by the claimed upper bound`);
        waiting.push(...this.divided(groups, division, at));
      }
    }

    /** Return the groups without the sets that a point drops. @param {Group[]} groups @param {any} point @returns {Group[]} */
    left(groups, point) {
      this.tried += groups.reduce((sum, { family }) => sum + family.length, 0);
      if (this.tried > MOST_TRIED) throw new TooLittle(`more than ${MOST_TRIED} sets to try in its cases`);
      const dearest = groups.map(({ family }) => family.reduce((most, set) => Math.max(most, point.eigenvalue(set)), -Infinity));
      const all = groups.reduce((sum, { count }, g) => sum + count * dearest[g], point.everything);
      return groups.map(({ count, family }, g) => {
        const isLeft = (/** @type {Chosen} */ set) => all - dearest[g] + point.eigenvalue(set) > point.limit;
        return { count, family: family.filter(isLeft) };
      });
    }

    /**
     * Return the cases by the number of components of a group whose supports are among the sets.
     * @param {Group[]} groups @param {NonNullable<Case["division"]>} division @param {number} at
     */
    divided(groups, { group, sets, next }, at) {
      if (group >= groups.length) throw new TooLittle(`case ${at} divides a group that is not there`);
      const { count, family } = groups[group];
      if (next.length !== count + 1) throw new TooLittle(`case ${at} has not ${count + 1} cases that follow`);
      const inLeaf = sets.filter((set) => set.every((i) => this.V.includes(i)));
      const inside = new Set(inLeaf.map((set) => this.known.get(nameOf(chosen(this.local(set))))));
      const [C, D] = [true, false].map((isIn) => family.filter((set) => inside.has(set) === isIn));
      return next.map((to, i) => {
        const own = groups.map((other, g) => (g === group ? { count: i || count, family: i === 0 ? D : C } : other));
        const further = i === 0 || i === count ? [] : [{ count: count - i, family: D }];
        return { at: to, groups: [...own, ...further] };
      });
    }
  }

  return { Groups };
})();

if (typeof module !== "undefined") module.exports = relaxspcaGroups;
