/**
 * Holds a certificate against the reader's own matrix: §9 of certificates/SPEC.md. See checker.js.
 *
 * Nothing is rounded but what is printed: a matrix is kept as whole numbers times powers of two over one common
 * denominator, also after a deflation.
 */
"use strict";

const relaxspcaAgainst = (() => {
  const certificates = typeof require === "function" ? require("./certificate.js") : relaxspcaCertificate;
  const numbers = typeof require === "function" ? require("./numbers.js") : relaxspcaNumbers;
  const { ZERO, ONE, dyadic, whole, neg, abs, mul, half, add, sub, total, atMost, largest, bitLength } = numbers;
  const { quotient, decimal, fraction, symmetric, gram } = numbers;

  /** @typedef {{m: bigint, e: number}} Dyadic */
  /** The number p / q, q > 0. @typedef {{p: Dyadic, q: Dyadic}} Ratio */
  /** The symmetric matrix at / den, den > 0. @typedef {{n: number, at: Dyadic[], den: Dyadic}} Scaled */
  /** @typedef {{kind: string, observations: number | null, is_centred: boolean | null, deflation: any}} Description */
  /**
   * @typedef {{names: string[] | null, description: Description, eliminated: any, isFactor: boolean, matrix: Scaled}} Reader
   */
  /** @typedef {{reasons: string[], isFalse: boolean, note: string, distance: string | null}} Comparison */

  const MILLION = whole(1e6);
  const NOTHING = { kind: "matrix", observations: null, is_centred: null, deflation: null };
  const isAtMost = (/** @type {Ratio} */ a, /** @type {Ratio} */ b) => atMost(mul(a.p, b.q), mul(b.p, a.q));
  const plus = (/** @type {Ratio} */ a, /** @type {Ratio} */ b) => ({ p: add(mul(a.p, b.q), mul(b.p, a.q)), q: mul(a.q, b.q) });
  const minus = (/** @type {Ratio} */ a, /** @type {Ratio} */ b) => plus(a, { p: neg(b.p), q: b.q });
  const ratio = (/** @type {Dyadic} */ p) => ({ p, q: ONE });
  const dot = (/** @type {Dyadic[]} */ a, /** @type {Dyadic[]} */ b) => total(a.map((x, i) => mul(x, b[i])));

  // Readers' matrices

  /** Return the matrix of a certificate as a reader's. @param {any} claim @returns {Reader} */
  function ofCertificate(claim) {
    const isFactor = claim.storage === "factor";
    const entries = Array.from(claim.entries, dyadic);
    const { at } = isFactor ? gram(entries, claim.rows, claim.n) : { at: entries };
    const { names, eliminated } = claim;
    return { names, description: claim.description ?? NOTHING, eliminated, isFactor, matrix: { n: claim.n, at, den: ONE } };
  }

  /** Return a square table of numbers, with names above and perhaps beside them. @param {string} text @returns {Reader} */
  function ofTable(text) {
    const rows = cellsOf(text.replace(/^\ufeff/, ""));
    const isNumber = (/** @type {string} */ cell) => /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(cell);
    const refuse = (/** @type {string} */ reason) => new certificates.Refused(`the table: ${reason}`);
    let names = null;
    // One line more than columns: then the first has names, be they numbers.
    if (rows.length && (!rows[0].every(isNumber) || rows.length === rows[0].length + 1)) {
      names = /** @type {string[]} */ (rows.shift());
      // The names of rows stand beside the numbers where the corner is empty, or where rows have one cell more.
      const isBeside = rows.length > 0 && (names[0] === "" || names.length < rows[0].length) && rows[0].length > rows.length;
      if (isBeside) {
        if (names[0] === "") names.shift();
        const beside = rows.map((row) => row.shift());
        if (String(beside) !== String(names)) throw refuse("its rows and its columns have other names");
      }
      if (new Set(names).size < names.length) throw refuse("two of its columns have one name");
    }
    const n = rows.length;
    if (n === 0 || rows.some((row) => row.length !== n) || (names && names.length !== n)) throw refuse("it is not square");
    for (const cell of rows.flat()) {
      if (!isNumber(cell) || !Number.isFinite(Number(cell))) throw refuse(`'${cell.slice(0, 40)}' is no number of a covariance`);
    }
    const values = rows.map((row) => row.map((cell) => dyadic(Number(cell))));
    const { at } = symmetric(n, (i, j) => half(add(values[i][j], values[j][i])));
    return { names, description: NOTHING, eliminated: null, isFactor: false, matrix: { n, at, den: ONE } };
  }

  /** Cut a table into cells at commas, semicolons or tabs, whichever the first line has most of; cells may be quoted. @param {string} text */
  function cellsOf(text) {
    const first = text.split("\n", 1)[0].replace(/"[^"]*"/g, "");
    const count = (/** @type {string} */ character) => first.split(character).length;
    const mark = ["\t", ";"].reduce((a, b) => (count(b) > count(a) ? b : a), ",");
    const rows = [[""]];
    let [isQuoted, wasQuoted] = [false, false];
    for (let at = 0; at < text.length; at++) {
      const [c, row] = [text[at], rows[rows.length - 1]];
      if (isQuoted && c === '"' && text[at + 1] === '"') {
        row[row.length - 1] += '"';
        at += 1;
      } else if (c === '"' && (isQuoted || (row[row.length - 1] === "" && !wasQuoted))) {
        isQuoted = !isQuoted;
        wasQuoted = true;
      } else if (isQuoted) row[row.length - 1] += c;
      else if (c === mark || c === "\n") {
        if (c === mark) row.push("");
        else rows.push([""]);
        wasQuoted = false;
      } else if (c !== "\r") row[row.length - 1] += c;
    }
    return rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.length > 1 || row[0] !== "");
  }

  // §9 The reader's own matrix

  /**
   * Say what a certificate says of the reader's matrix.
   * @param {any} claim @param {Reader | string} reader the matrix, or a digest
   * @param {{Sigma: {n: number, at: Dyadic[]}, attained: Ratio | null, isProved: boolean, eigenvalues: any,
   *   provesBelow: (bound: Dyadic) => boolean, attainedOn: (M: {n: number, at: Dyadic[]}, places: number[]) => Ratio}} own
   * @returns {Comparison}
   */
  function compare(claim, reader, own) {
    const another = (/** @type {string} */ reason) => ({ reasons: [reason], isFalse: true, note: reason, distance: null });
    if (typeof reader === "string") {
      if (reader === claim.digest) return { reasons: [], isFalse: false, note: "the digest is that of your matrix", distance: "0/1" };
      return another(`the certificate speaks of the matrix ${claim.digest}, not of ${reader}`);
    }
    const ours = claim.n + (claim.eliminated?.names.length ?? 0);
    const theirs = reader.matrix.n + (reader.eliminated?.names.length ?? 0);
    if (ours !== theirs) return another(`the certificate speaks of ${ours} variables, your matrix has ${theirs}`);
    const reasons = contradictions(claim.description ?? NOTHING, reader.description);
    const { places, fault } = placesOf(claim, reader);
    if (!places) return { reasons: [...reasons, fault], isFalse: false, note: fault, distance: null };
    if (fault) reasons.push(fault);
    const near = nearest(claim, own.Sigma, reader, places);
    const more = beyond(claim, reader, near, own.eigenvalues);
    const widened = plus(near.distance, ratio(more));
    // Every component may differ by the distance.
    const apart = { p: mul(widened.p, whole(claim.sizes?.length ?? 1)), q: widened.q };
    let low = own.attained && minus(own.attained, claim.sizes ? apart : near.distance);
    if (low && near.isPlain) {
      const there = own.attainedOn(reader.matrix, places);
      if (isAtMost(low, there)) low = there;
    }
    if (low && claim.allowsNone && low.p.m < 0n) low = ratio(ZERO);
    const most = largest(own.Sigma.at.map(abs));
    const isSame = atMost(mul(widened.p, MILLION), mul(most, widened.q));
    const room = apart.p.m === 0n ? ZERO : quotient(apart.p, apart.q);
    const least = widened.p.m === 0n ? ZERO : quotient(widened.p, widened.q);
    const what = near.isPlain ? "your matrix" : "your matrix after the same deflation";
    const above = own.isProved ? decimal(add(dyadic(claim.upper), room), true) : "nothing proved";
    const below = low ? decimal(rounded(low), false) : "nothing proved";
    const value = claim.kind === "penalty" ? `phi(${claim.rho})` : claim.sizes ? "total"
      : claim.kind === "whole_groups" ? "the optimum" : `v_${claim.k}`;
    const note = room.m === 0n
      ? `${what} is that of the certificate to the last bit`
      : `${what} differs by at most ${decimal(least, true)} in spectral norm; for it ${below} <= ${value} <= ${above}`;
    let isFalse = false;
    if (!isSame) {
      const isTooMuch = low && !isAtMost(low, ratio(dyadic(claim.upper)));
      isFalse = reasons.length === 0 && (isTooMuch || own.provesBelow(sub(dyadic(claim.lower), room)));
      // Of no matrix nothing is false.
      isFalse &&= !reader.eliminated || reader.isFactor || isDeep(reader.matrix, dyadic(reader.eliminated.shift), own.eigenvalues);
      reasons.push(`${note}; that is more than rounding: the certificate speaks of another matrix`);
    }
    return { reasons, isFalse, note, distance: fraction(near.distance.p, near.distance.q) };
  }

  /** Return a number with few digits at or below a ratio. @param {Ratio} x */
  function rounded({ p, q }) {
    if (p.m < 0n) return neg(quotient(neg(p), q));
    const up = p.m === 0n ? ZERO : quotient(p, q);
    return sub(up, mul(up, { m: 1n, e: -100 }));
  }

  /** Say where two descriptions contradict each other. @param {Description} a @param {Description} b */
  function contradictions(a, b) {
    const said = [];
    if (a.kind !== "matrix" && b.kind !== "matrix" && a.kind !== b.kind) said.push(`the certificate speaks of a ${a.kind}, yours is a ${b.kind}`);
    for (const name of /** @type {("observations" | "is_centred")[]} */ (["observations", "is_centred"])) {
      if (a[name] !== null && b[name] !== null && a[name] !== b[name]) {
        said.push(`${name} is ${a[name]} in the certificate and ${b[name]} in your matrix`);
      }
    }
    if (b.deflation && !a.deflation) said.push("your matrix is deflated, that of the certificate is not");
    return said;
  }

  /** Return where the certificate's variables stand in the reader's matrix, and what is amiss. @param {any} claim @param {Reader} reader */
  function placesOf(claim, reader) {
    const more = claim.eliminated?.names ?? [];
    const beyondThere = reader.eliminated?.names ?? [];
    const isTold = reader.names !== null && new Set([...claim.names, ...more]).size === claim.n + more.length;
    let fault = "";
    if (isTold) {
      const there = new Map(/** @type {string[]} */ (reader.names).map((name, at) => [name, at]));
      const known = new Set([...there.keys(), ...beyondThere]);
      const missing = [...claim.names.filter((/** @type {string} */ x) => !there.has(x)), ...more.filter((/** @type {string} */ x) => !known.has(x))];
      if (missing.length === 0) return { places: claim.names.map((/** @type {string} */ x) => /** @type {number} */ (there.get(x))), fault };
      fault = `your matrix has no variable '${missing.slice(0, 3).join("', '")}', of which the certificate speaks`;
    } else if (more.length || beyondThere.length) {
      fault = "which of your variables were eliminated cannot be told without names";
    }
    const isPositional = !more.length && !beyondThere.length;
    return { places: isPositional ? [...Array(claim.n).keys()] : null, fault };
  }

  /** @typedef {{n: number, at: Dyadic[]}} Matrix */

  /** Return the largest absolute row sum of Sigma - S. @param {Matrix} Sigma @param {Scaled} S @param {number[]} places @returns {Ratio} */
  function distanceOf(Sigma, S, places) {
    const { n } = Sigma;
    const sums = places.map((p, i) =>
      total(places.map((q, j) => abs(sub(mul(Sigma.at[i * n + j], S.den), S.at[p * S.n + q])))));
    return { p: largest(sums), q: S.den };
  }

  /** The reader's matrix, or that matrix after the same deflation where that is nearer. */
  function nearest(
    /** @type {any} */ claim, /** @type {{n: number, at: Dyadic[]}} */ Sigma, /** @type {Reader} */ reader, /** @type {number[]} */ places,
  ) {
    const plain = { S: reader.matrix, places, names: reader.names, distance: distanceOf(Sigma, reader.matrix, places), isPlain: true };
    const deflation = claim.description?.deflation;
    if (!deflation || reader.description.deflation || plain.distance.p.m === 0n) return plain;
    const S = deflated(reader, deflation);
    if (S === null) return plain;
    const there = claim.names.map((/** @type {string} */ name) => deflation.names.indexOf(name));
    const distance = distanceOf(Sigma, S, there);
    return isAtMost(plain.distance, distance) ? plain : { S, places: there, names: deflation.names, distance, isPlain: false };
  }

  /** Whether each component is made orthogonal to the earlier ones first, and the formula. @type {Record<string, [boolean, typeof hotelling]>} */
  const FORMS = {
    hotelling: [false, hotelling], projection: [false, projection], schur: [false, schur],
    orthogonalized_hotelling: [true, hotelling], orthogonalized_projection: [true, projection], generalized: [true, projection],
  };

  /** Deflate the reader's matrix by the formulas of Mackey; null where that cannot be followed. @param {Reader} reader @param {any} deflation */
  function deflated(reader, { method, names, loadings }) {
    const known = reader.names ?? [];
    if (!Object.hasOwn(FORMS, method) || !names.every((/** @type {string} */ name) => known.includes(name))) return null;
    const [orthogonalises, form] = FORMS[method];
    const at = names.map((/** @type {string} */ name) => known.indexOf(name));
    const { n } = reader.matrix;
    /** @type {Scaled | null} */
    let S = { ...symmetric(at.length, (i, j) => reader.matrix.at[at[i] * n + at[j]]), den: reader.matrix.den };
    const count = loadings.length / names.length;
    /** @type {Dyadic[][]} */
    const basis = [];
    for (let c = 0; c < count && S; c++) {
      const x = names.map((/** @type {string} */ _, /** @type {number} */ i) => dyadic(loadings[i * count + c]));
      // A multiple of what is left of x serves as well: every formula has as many q above as below.
      let [q, scale] = [x, ONE];
      for (const b of orthogonalises ? basis : []) {
        const [bb, bx] = [dot(b, b), mul(dot(b, x), scale)];
        q = q.map((/** @type {Dyadic} */ y, /** @type {number} */ i) => sub(mul(y, bb), mul(b[i], bx)));
        scale = mul(scale, bb);
      }
      basis.push(q);
      S = form(S, q);
    }
    return S;
  }

  /** @param {Scaled} S @param {Dyadic[]} q @returns {Dyadic[]} */
  const imageOf = (S, q) => q.map((_, i) => dot(S.at.slice(i * S.n, (i + 1) * S.n), q));

  /** S - (q'Sq / (q'q)^2) qq'. @param {Scaled} S @param {Dyadic[]} q @returns {Scaled | null} */
  function hotelling(S, q) {
    const w = dot(q, q);
    if (w.m === 0n) return null;
    const [square, value] = [mul(w, w), dot(q, imageOf(S, q))];
    const { at } = symmetric(S.n, (i, j) => sub(mul(S.at[i * S.n + j], square), mul(value, mul(q[i], q[j]))));
    return { n: S.n, at, den: mul(S.den, square) };
  }

  /** (I - qq'/q'q) S (I - qq'/q'q). @type {typeof hotelling} */
  function projection(S, q) {
    const w = dot(q, q);
    if (w.m === 0n) return null;
    const [square, image] = [mul(w, w), imageOf(S, q)];
    const value = dot(q, image);
    const { at } = symmetric(S.n, (i, j) => {
      const cross = mul(w, add(mul(image[i], q[j]), mul(q[i], image[j])));
      return add(sub(mul(S.at[i * S.n + j], square), cross), mul(value, mul(q[i], q[j])));
    });
    return { n: S.n, at, den: mul(S.den, square) };
  }

  /** S - Sx x'S / x'Sx. @type {typeof hotelling} */
  function schur(S, x) {
    const image = imageOf(S, x);
    const value = dot(x, image);
    if (value.m === 0n) return null;
    const turn = value.m < 0n ? neg : (/** @type {Dyadic} */ y) => y;
    const { at } = symmetric(S.n, (i, j) => turn(sub(mul(S.at[i * S.n + j], value), mul(image[i], image[j]))));
    return { n: S.n, at, den: mul(S.den, abs(value)) };
  }

  /** Say whether S has no eigenvalue below -d. @param {Scaled} S @param {Dyadic} d @param {any} eigenvalues */
  function isDeep(S, d, eigenvalues) {
    return eigenvalues.atMost({ n: S.n, at: S.at.map(neg) }, [...Array(S.n).keys()], mul(d, S.den));
  }

  /** Return some d >= 0, at most twice the least, with S + dI semidefinite. @param {Scaled} S @param {any} eigenvalues @returns {Dyadic} */
  function depthOf(S, eigenvalues) {
    if (isDeep(S, ZERO, eigenvalues)) return ZERO;
    const size = (/** @type {Dyadic} */ a) => bitLength(a.m) + a.e;
    let e = size(largest(S.at.map(abs))) - size(S.den) - 64;
    while (!isDeep(S, { m: 1n, e }, eigenvalues)) e += 8;
    for (let step = 0; step < 8 && isDeep(S, { m: 1n, e: e - 1 }, eigenvalues); step++) e -= 1;
    return { m: 1n, e };
  }

  /** Return what the reader's own eliminated variables add to the upper bound. */
  function beyond(
    /** @type {any} */ claim, /** @type {Reader} */ reader, /** @type {ReturnType<typeof nearest>} */ near, /** @type {any} */ eigenvalues,
  ) {
    if (!claim.eliminated) return ZERO;
    const { names, variances, shift } = claim.eliminated;
    /** @type {Map<string, Dyadic>} */
    const found = new Map();
    const there = reader.eliminated;
    there?.names.forEach((/** @type {string} */ name, /** @type {number} */ at) => found.set(name, dyadic(there.variances[at])));
    near.names?.forEach((/** @type {string} */ name, /** @type {number} */ p) => {
      const x = near.S.at[p * near.S.n + p];
      found.set(name, x.m > 0n ? quotient(x, near.S.den) : ZERO);
    });
    const depth = there ? dyadic(there.shift) : reader.isFactor && near.isPlain ? ZERO : depthOf(near.S, eigenvalues);
    const excess = names.map((/** @type {string} */ name, /** @type {number} */ at) =>
      sub(/** @type {Dyadic} */ (found.get(name)), dyadic(variances[at])));
    const each = excess.length ? sub(add(largest(excess), depth), dyadic(shift)) : ZERO;
    const count = claim.kind === "penalty" ? names.length : Math.min(names.length, claim.k);
    return each.m > 0n ? mul(each, whole(count)) : ZERO;
  }

  return { compare, ofCertificate, ofTable };
})();

if (typeof module !== "undefined") module.exports = relaxspcaAgainst;
