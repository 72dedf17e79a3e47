/**
 * Claims about groups of variables and about loadings of one sign: §12 of certificates/SPEC.md. See checker.js.
 * Here is what stands in the place of Sigma, of the tree's sets and of some rules; the rest is as in other claims.
 */
"use strict";

const relaxspcaRestricted = (() => {
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, dyadic, mul, total, atMost, root, symmetric, gram } = numbers;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** @typedef {{n: number, at: Dyadic[]}} Matrix */

  /** Return for each variable the number of its class: a group, or itself where it is in none. @param {any} claim @returns {number[]} */
  function classesOf(claim) {
    const found = [...Array(claim.n).keys()].map((i) => claim.n + i);
    (claim.groups ?? []).forEach((/** @type {number[]} */ group, /** @type {number} */ at) => group.forEach((i) => (found[i] = at)));
    return found;
  }

  /** Return what the rules read for Sigma. @param {any} claim @param {Matrix} Sigma @param {any} eigenvalues @returns {Matrix} */
  function matrixOf(claim, Sigma, eigenvalues) {
    if (claim.kind === "whole_groups") return compressed(claim, Sigma, eigenvalues);
    if (claim.kind !== "one_of_each") return Sigma;
    const label = classesOf(claim);
    return symmetric(Sigma.n, (i, j) => (i !== j && label[i] === label[j] ? ZERO : Sigma.at[i * Sigma.n + j]));
  }

  /** Return B with B_GG >= lambda_max(Sigma_GG) and B_GH >= |Sigma_GH|. @param {any} claim @param {Matrix} Sigma @param {any} eigenvalues */
  function compressed(claim, Sigma, eigenvalues) {
    const { groups } = claim;
    return symmetric(groups.length, (a, b) => {
      const [G, H] = [groups[a], groups[b]];
      if (a === b) return eigenvalues.upper(Sigma, G);
      const [rows, columns] = G.length <= H.length ? [H, G] : [G, H];
      const C = rows.flatMap((/** @type {number} */ i) => columns.map((/** @type {number} */ j) => Sigma.at[i * Sigma.n + j]));
      const square = gram(C, rows.length, columns.length);
      return root(eigenvalues.upper(square, [...columns.keys()]));
    });
  }

  /** Return J and F at the root, and for each variable those that no support has beside it. @param {any} claim */
  function rootOf(claim) {
    const n = claim.kind === "whole_groups" ? claim.groups.length : claim.n;
    const label = claim.kind === "one_of_each" ? classesOf(claim) : [...Array(n).keys()];
    const siblings = [...Array(n).keys()].map((i) => [...Array(n).keys()].filter((j) => j !== i && label[j] === label[i]));
    const barred = new Set([...claim.include, ...claim.exclude, ...claim.include.flatMap((/** @type {number} */ i) => siblings[i])]);
    return { J: claim.include, F: [...Array(n).keys()].filter((i) => !barred.has(i)), siblings };
  }

  /** Return how many variables a leaf's rules speak of, or null if it has no support. @param {any} claim @param {number[]} J @param {number[]} F */
  function sizeOf(claim, J, F) {
    const { k } = claim;
    if (J.length > k) return null;
    if (claim.kind === "nonnegative") return J.length + F.length ? Math.min(k, J.length + F.length) : null;
    const label = claim.kind === "one_of_each" ? classesOf(claim) : null;
    const count = label ? new Set([...J, ...F].map((i) => label[i])).size : J.length + F.length;
    return count < k ? null : k;
  }

  /**
   * Say whether the largest (Sigma w)_i / w_i is at most tau, for a vector w > 0 of variables W in J with
   * (Sigma w)_i <= 0 for all others of the leaf; or why the point cannot be used.
   * @param {Matrix} Sigma @param {any} point @param {number[]} J @param {number[]} F @param {Dyadic} tau @returns {boolean | string}
   */
  function collatz(Sigma, point, J, F, tau) {
    const W = point.variables;
    if (W.length === 0 || !W.every((/** @type {number} */ i) => J.includes(i))) return "the variables of its weights are not forced in";
    const w = Array.from(point.weights, dyadic);
    const term = (/** @type {number} */ i, /** @type {number} */ at) => mul(Sigma.at[i * Sigma.n + W[at]], w[at]);
    const image = (/** @type {number} */ i) => total(w.map((_, at) => term(i, at)));
    const above = [...J, ...F].filter((i) => !W.includes(i) && image(i).m > 0n);
    if (above.length) return `(Sigma w)_i is above 0 for the variables ${above}`;
    return W.every((/** @type {number} */ i, /** @type {number} */ at) => atMost(image(i), mul(tau, w[at])));
  }

  return { matrixOf, rootOf, sizeOf, collatz, classesOf };
})();

if (typeof module !== "undefined") module.exports = relaxspcaRestricted;
