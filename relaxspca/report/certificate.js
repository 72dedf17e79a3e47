/**
 * Reads certificates strictly, as §3 of certificates/SPEC.md says, and computes their digests. The checker is
 * checker.js; see there how the two are run. Written from the specification alone, without any dependency.
 */
"use strict";

const relaxspcaCertificate = (() => {
  /** The file is not a certificate. */
  class Refused extends Error {}

  /** @param {boolean} condition @param {string} reason */
  function demand(condition, reason) {
    if (!condition) throw new Refused(reason);
  }

  /** @typedef {any} Certificate what `read` returns */
  /** @typedef {{kind: string, point: number | null} | {kind: "split", variable: number, inside: number, outside: number}} Node */

  const word = new DataView(new ArrayBuffer(8));

  // §3 File: JSON

  const MOST_BYTES = 2 ** 28;
  const MOST_NUMBERS = 2 ** 28; // and the largest whole number, but for observations
  const MOST_HEADER = 4096; // bytes of an .npy before its numbers
  const MOST_DEFLATED = 1032; // bytes that deflate makes of one
  const DEEPEST = 64;
  const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

  /** Read JSON strictly: ASCII, whole numbers only, no repeated keys, no lone surrogates. @param {string} text */
  function parse(text) {
    demand(text.length <= MOST_BYTES, `more than ${MOST_BYTES} bytes`);
    demand(/^[\t\n\r -\x7f]*$/.test(text), "not JSON in ASCII");
    let document;
    let keys = 0;
    const walk = (/** @type {any} */ node, /** @type {number} */ depth) => {
      demand(depth <= DEEPEST, "nested too deeply");
      if (typeof node === "string") demand(!LONE_SURROGATE.test(node), "a text has a lone surrogate");
      if (typeof node === "number") demand(Number.isSafeInteger(node), "a number is not whole or too large");
      if (typeof node !== "object" || node === null) return;
      if (!Array.isArray(node)) {
        for (const key of Object.keys(node)) walk(key, depth);
        keys += Object.keys(node).length;
      }
      for (const child of Object.values(node)) walk(child, depth + 1);
    };
    try {
      document = JSON.parse(text);
      walk(document, 0);
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(`not JSON: ${error.message}`);
    }
    // What JSON.parse lets pass is seen in the tokens: 2.0 for 2, and a key that a later one replaced.
    for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)|-?[0-9][-+.0-9eE]*/g)) {
      if (colon) keys -= 1;
      else if (token[0] !== '"') demand(/^-?[0-9]+$/.test(token), `the number ${token.slice(0, 40)} is not whole`);
    }
    demand(keys === 0, "a key of an object is repeated");
    return document;
  }

  // §3 File: fields

  const HEX = /^(-?)0x([01])\.([0-9a-f]{13})p([+-])(0|[1-9][0-9]{0,3})$/;

  /** Return the double that the canonical hexadecimal text spells. @param {any} text @param {string} what */
  function real(text, what) {
    demand(typeof text === "string", `${what} is not a hexadecimal text`);
    if (text === "0x0.0p+0") return 0;
    if (text === "-0x0.0p+0") return -0;
    const found = HEX.exec(text);
    demand(found !== null, `${what}: ${text.slice(0, 40)} is not the canonical hexadecimal form of a finite double`);
    const [, sign, lead, digits, exponentSign, exponent] = /** @type {RegExpExecArray} */ (found);
    const e = Number(exponentSign + exponent);
    const isNormal = lead === "1" && e >= -1022 && e <= 1023;
    const isSubnormal = lead === "0" && e === -1022 && /[1-9a-f]/.test(digits);
    demand((isNormal || isSubnormal) && !(e === 0 && exponentSign === "-"), `${what}: ${text} is not canonical or not finite`);
    word.setUint32(0, ((sign ? 0x80000000 : 0) + (isNormal ? e + 1023 : 0) * 2 ** 20 + parseInt(digits.slice(0, 5), 16)) >>> 0);
    word.setUint32(4, parseInt(digits.slice(5), 16));
    return word.getFloat64(0);
  }

  /** @param {any} text @param {string} what */
  function nonnegative(text, what) {
    const x = real(text, what);
    demand(x >= 0, `${what} is below 0`);
    return x;
  }

  /** Demand an object with these fields only. @param {any} value @param {string} what @param {string[]} required @param {string[]} [optional] */
  function fields(value, what, required, optional = []) {
    demand(typeof value === "object" && value !== null && !Array.isArray(value), `${what} must be an object`);
    for (const name of Object.keys(value)) {
      demand(required.includes(name) || optional.includes(name), `${what} has the unknown field '${name}'`);
    }
    for (const name of required) demand(name in value, `${what} lacks '${name}'`);
    return value;
  }

  /** @param {any} value @param {string} what @returns {any[]} */
  function list(value, what) {
    demand(Array.isArray(value), `${what} must be a list`);
    return value;
  }

  /** @param {any} value @param {string} what @param {number} least @param {number} [most] */
  function integer(value, what, least, most = MOST_NUMBERS) {
    const fits = Number.isInteger(value) && value >= least && value <= most;
    demand(fits, `${what} must be an integer of at least ${least} and at most ${most}`);
    return value;
  }

  /** @param {any} value @param {string} what @param {number} n */
  function indices(value, what, n) {
    list(value, what).forEach((i, at) => {
      integer(i, `an index of ${what}`, 0);
      demand(at === 0 || value[at - 1] < i, `${what} is not strictly increasing`);
      demand(i < n, `${what} has an index beyond n = ${n}`);
    });
    return value;
  }

  /** @param {any} value @param {string} what @param {boolean} distinct @returns {string[]} */
  function texts(value, what, distinct) {
    for (const name of list(value, what)) demand(typeof name === "string", `each of ${what} must be a text`);
    demand(!distinct || new Set(value).size === value.length, `${what}: a name is used twice`);
    return value;
  }

  /** @param {any} value @param {string} what @returns {string} */
  function digestText(value, what) {
    demand(typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value), `${what} is no digest`);
    return value;
  }

  /** Reads arrays, in the file or in its companion, and counts their numbers. */
  class Arrays {
    /** @param {Map<string, Uint8Array>} members */
    constructor(members) {
      this.members = members;
      this.numbers = 0;
    }

    /** Return an array of the stated shape, where null is any length. @param {any} value @param {string} what @param {(number | null)[]} shape */
    read(value, what, shape) {
      fields(value, what, ["shape"], ["hex", "npz"]);
      demand("hex" in value !== "npz" in value, `${what} must have either hex or npz`);
      list(value.shape, `the shape of ${what}`).forEach((length) => integer(length, `a length of ${what}`, 0));
      const count = value.shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
      this.numbers += count;
      demand(this.numbers <= MOST_NUMBERS, `more than ${MOST_NUMBERS} numbers`);
      const fits = value.shape.length === shape.length && shape.every((length, at) => length === null || length === value.shape[at]);
      demand(fits, `${what} has shape (${value.shape}) instead of (${shape.map((length) => length ?? "any")})`);
      if ("npz" in value) return this.member(value.npz, value.shape, count, what);
      demand(list(value.hex, what).length === count, `${what} has ${value.hex.length} numbers for its shape`);
      return Float64Array.from(value.hex, (/** @type {any} */ text) => real(text, what));
    }

    /** @param {any} key @param {number[]} shape @param {number} count @param {string} what */
    member(key, shape, count, what) {
      const bytes = this.members.get(key);
      if (typeof key !== "string" || !bytes) throw new Refused(`${what} refers to '${key}', which the companion lacks`);
      const isVersion1 = String.fromCharCode(...bytes.subarray(1, 8)) === "NUMPY\x01\x00" && bytes[0] === 0x93;
      demand(isVersion1, `'${key}' is no .npy of version 1.0`);
      const start = 10 + bytes[8] + 256 * bytes[9];
      const header = String.fromCharCode(...bytes.subarray(10, start));
      const told = /^\{'descr': '<f8', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n$/.exec(header);
      const stated = told && told[1].split(",").filter((x) => x.trim()).map(Number);
      demand(stated !== null && String(stated) === String(shape), `'${key}' is not an array of doubles of the stated shape`);
      demand(bytes.length === start + 8 * count, `'${key}' has another length than its shape says`);
      const view = new DataView(bytes.buffer, bytes.byteOffset + start);
      const found = Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true));
      demand(found.every(Number.isFinite), `${what} has an entry that is not finite`);
      return found;
    }
  }

  // §3 File: the certificate

  const CLAIMS = ["cardinality", "penalty", "near_optimal", "one_of_each", "whole_groups", "nonnegative", "components", "ratio"];
  const RESTRICTED = ["one_of_each", "whole_groups", "nonnegative"]; // §12
  const NEEDS_POINT = ["psi", "perron", "collatz"];
  const LEAVES = [...NEEDS_POINT, "spectral", "trace", "rowsum", "support", "void", "listed"];
  const DESCRIPTIONS = ["matrix", "covariance", "correlation", "second moments"];

  /**
   * Read a certificate, or say why the file is none.
   * @param {any} document the JSON as parsed @param {Map<string, Uint8Array>} [members] of the companion @returns {Certificate}
   */
  function read(document, members = new Map()) {
    demand(typeof document === "object" && document !== null && !Array.isArray(document), "a certificate must be an object");
    demand(document.format === "relaxspca-certificate", "the format is not 'relaxspca-certificate'");
    demand(document.version === 1 || document.version === 2, `version ${document.version} is not known; this reads 1 and 2`);
    const arrays = new Arrays(members);
    const claim = document.version === 1 ? readVersion1(document, arrays) : readVersion2(document, arrays);
    demand(typeof document.made_by === "string", "made_by must be a text");
    demand(claim.digest === digestOf(claim), "the digest is not that of the matrix: one of them was changed");
    if (claim.kind === "components") return readTables(claim, document, arrays);
    if (claim.kind === "ratio") return claim;
    return readEvidence(claim, document.version === 1 ? document.points : document.evidence.points, arrays);
  }

  /** Read points, tree and elimination rule of a claim about one component. @param {Certificate} claim @param {any} points @param {Arrays} arrays */
  function readEvidence(claim, points, arrays) {
    claim.points = list(points, "points").map((point) => readPoint(point, claim, arrays));
    const [tree, rule] = claim.evidence;
    claim.tree = list(tree, "the tree").map((node, at) => readNode(node, `node ${at} of the tree`, claim.points));
    for (const node of claim.tree) {
      if (node.kind !== "split") continue;
      demand(Math.max(node.inside, node.outside) < claim.tree.length, "the tree has a child beyond the last node");
      demand(node.variable < variablesOf(claim), `the tree splits a variable beyond n = ${variablesOf(claim)}`);
    }
    for (const { kind } of claim.tree) {
      const known = RESTRICTED.includes(claim.kind) ? ["split", "spectral", "support", "rowsum", "perron", "void"] : ["split", ...LEAVES];
      const fits = kind === "collatz" ? claim.kind === "nonnegative" : known.includes(kind);
      demand(fits, `a ${kind} leaf has no place in a ${claim.kind} claim`);
    }
    demand(claim.tree.length > 0, "the tree has no nodes");
    claim.elimination = rule === null ? null : readNode(rule, "the elimination rule", claim.points);
    demand(!["split", "void", "listed", "collatz"].includes(claim.elimination?.kind), "the elimination rule bounds nothing");
    const needsRule = claim.eliminated !== null && claim.kind !== "penalty";
    const fitting = "an elimination rule is needed for eliminated variables under a cardinality, and for nothing else";
    demand(needsRule === (claim.elimination !== null), fitting);
    return claim;
  }

  /** @param {any} d @param {Arrays} arrays */
  function readVersion2(d, arrays) {
    demand(typeof d.claim === "object" && d.claim !== null, "the claim must be an object");
    const { kind } = d.claim;
    demand(CLAIMS.includes(kind), `unknown kind of claim '${kind}'`);
    const about = kind === "ratio" ? "pencil" : "matrix";
    fields(d, "the certificate", ["format", "version", "made_by", about, "claim", "witness", "evidence"], ["arrays"]);
    if (kind === "ratio") return readRatio(d, arrays);
    const base = readBase(d.matrix, arrays);
    return kind === "components" ? { ...base, kind } : readOne(base, kind, d, arrays);
  }

  /** Read what is claimed of one component. @param {Certificate} base @param {string} kind @param {any} d @param {Arrays} arrays */
  function readOne(base, kind, d, arrays) {
    fields(d.evidence, "the evidence", ["points", "tree", "elimination"]);
    const grouped = ["one_of_each", "whole_groups"].includes(kind);
    const own = { penalty: ["rho"], near_optimal: ["k", "others", "listed"] }[kind] ?? ["k", ...(grouped ? ["groups"] : [])];
    const conditions = { nonnegative: ["exclude"], whole_groups: [] }[kind] ?? ["include", "exclude"];
    fields(d.claim, "the claim", ["kind", "lower", "upper", ...own], conditions);
    const some = (/** @type {string} */ name) => {
      if (!(name in d.claim)) return [];
      demand(indices(d.claim[name], name, base.n).length > 0, `${name} is empty`);
      return d.claim[name];
    };
    const claim = {
      ...base, kind, include: some("include"), exclude: some("exclude"), evidence: [d.evidence.tree, d.evidence.elimination],
      groups: grouped ? readGroups(d.claim.groups, base.n) : null,
    };
    demand(!RESTRICTED.includes(kind) || base.eliminated === null, `a ${kind} claim has no eliminated variables`);
    readBounds(claim, d.claim, d.claim.k, d.claim.rho);
    readWitness(claim, fields(d.witness, "the witness", ["support", "loadings", ...(kind === "near_optimal" ? ["listed"] : [])]));
    if (kind === "near_optimal") readList(claim, d.claim, d.witness.listed, arrays);
    return claim;
  }

  /** Return the matrix with all that its digest binds. @param {any} value @param {Arrays} arrays */
  function readBase(value, arrays) {
    const matrix = fields(value, "the matrix", ["digest", "storage", "entries", "names", "description", "eliminated"]);
    const names = texts(matrix.names, "the names", true);
    const held = readMatrix(matrix.storage, matrix.entries, names.length, arrays);
    const eliminated = matrix.eliminated === null ? null : readEliminated(matrix.eliminated, ["names"], arrays);
    const all = texts([...names, ...(eliminated?.names ?? [])], "the names", true);
    const description = readDescription(matrix.description, all, arrays);
    return { ...held, version: 2, names, eliminated, description, digest: digestText(matrix.digest, "the digest") };
  }

  /** Read what is claimed of several components, and the evidence (§13). @param {Certificate} claim @param {any} d @param {Arrays} arrays */
  function readTables(claim, d, arrays) {
    const { n } = claim;
    demand(claim.eliminated === null, "a claim about several components has no eliminated variables");
    const { supports, sizes, lower, upper } = fields(d.claim, "the claim", ["kind", "supports", "sizes", "lower", "upper"]);
    demand(["orthogonal", "disjoint", "common"].includes(supports), `supports are orthogonal, disjoint or common, not ${supports}`);
    list(sizes, "the sizes").forEach((k, t) => {
      demand(integer(k, "a size", 1) <= n && (t === 0 || sizes[t - 1] >= k), `the sizes must fall, from at most n = ${n}`);
    });
    const r = sizes.length;
    demand(r >= 1 && r <= n, `there are ${r} components of ${n} variables`);
    demand(supports !== "common" || (sizes[0] === sizes[r - 1] && sizes[0] >= r), "a common support has one size, of at least their number");
    Object.assign(claim, { supports, sizes, lower: real(lower, "the lower bound"), upper: real(upper, "the upper bound") });
    demand(claim.lower <= claim.upper, "the lower bound is above the upper bound");
    const { components } = fields(d.witness, "the witness", ["components"]);
    demand(list(components, "the components").length === r, `there are not ${r} components`);
    claim.components = components.map((/** @type {any} */ value, /** @type {number} */ t) => {
      fields(value, "a component", ["support", "loadings"]);
      demand(indices(value.support, "a support", n).length <= sizes[t], `a support has more than ${sizes[t]} variables`);
      demand(list(value.loadings, "the loadings").length === value.support.length, "there is not a loading for each variable");
      const loadings = Float64Array.from(value.loadings, (/** @type {any} */ text) => real(text, "a loading"));
      demand(loadings.some((x) => x !== 0), "the loadings of a component are all 0");
      return { support: value.support, loadings };
    });
    const used = claim.components.map((/** @type {any} */ x) => x.support);
    demand(supports !== "disjoint" || new Set(used.flat()).size === used.flat().length, "two supports are not disjoint");
    demand(supports !== "common" || new Set(used.map(String)).size === 1, "the supports are not one");
    const { points, tree } = fields(d.evidence, "the evidence", ["points", "tree"]);
    const parts = supports === "common" ? 1 : r;
    claim.points = list(points, "points").map((point) => {
      if (point?.kind !== "prices") {
        demand(point?.kind === "perron", `a point of the kind '${point?.kind}' has no place in a claim about several components`);
        return readPoint(point, claim, arrays);
      }
      fields(point, "prices", ["kind", "variables", "M", "y", "rows"]);
      const v = indices(point.variables, "the variables of a point", n).length;
      const [M, y] = [arrays.read(point.M, "the M of multipliers", [v, v]), arrays.read(point.y, "the y of multipliers", [v])];
      demand(M.every((x, at) => x === M[(at % v) * v + Math.floor(at / v)]), "the M of multipliers is not symmetric");
      demand(list(point.rows, "the rows of multipliers").length === parts, `there are not rows for ${parts} parts`);
      for (const at of point.rows) if (at !== null) integer(at, "a point of rows", 0);
      return { kind: "prices", variables: point.variables, M, y, rows: point.rows };
    });
    for (const { kind, rows } of claim.points) {
      const fits = (/** @type {number | null} */ at) => at === null || claim.points[at]?.kind === "perron";
      demand(kind !== "prices" || rows.every(fits), "the rows of multipliers are no perron points");
    }
    claim.tree = list(tree, "the tree").map((value, at) => {
      const [kind, ...rest] = list(value, `node ${at} of the tree`);
      if (kind === "choices") {
        demand(rest.length === 1 && supports !== "common", `node ${at} is no leaf of a list of points`);
        const point = list(rest[0], `the points of node ${at}`).map((x) => integer(x, `a point of node ${at}`, 0));
        demand(point.length > 0 && new Set(point).size === point.length, `node ${at} has no points, or one twice`);
        demand(point.every((i) => claim.points[i]?.kind === "prices"), `node ${at} uses a point without multipliers`);
        return { kind, point };
      }
      const numbers = rest.map((x) => (x === null ? x : integer(x, `a number of node ${at}`, 0)));
      if (kind === "split") {
        demand(rest.length === 4 && !rest.includes(null), `node ${at} is no split of a part and a variable`);
        const [component, variable, inside, outside] = numbers;
        demand(component < parts && variable < n, `node ${at} splits what there is not`);
        demand(Math.max(inside, outside) < tree.length, "the tree has a child beyond the last node");
        return { kind, component, variable, inside, outside };
      }
      demand(kind === "prices" && rest.length === 1, `node ${at} is of the unknown kind '${kind}'`);
      const isFree = rest[0] === null || claim.points[rest[0]]?.kind === "prices";
      demand(isFree, `node ${at} uses a point without multipliers`);
      return { kind, point: rest[0] };
    });
    demand(tree.length > 0, "the tree has no nodes");
    return claim;
  }

  /** Read what is claimed of a ratio, and the evidence (§14). @param {any} d @param {Arrays} arrays @returns {Certificate} */
  function readRatio(d, arrays) {
    const { storage } = fields(d.pencil, "the pencil", ["digest", "names", "storage"], Object.keys(d.pencil ?? {}));
    const own = { dense: ["numerator", "denominator"], least_squares: ["variables", "response", "intercept"] };
    demand(typeof storage === "string" && Object.hasOwn(own, storage), `a pencil is stored as dense or least_squares, not as ${storage}`);
    const held = fields(d.pencil, "the pencil", ["digest", "names", "storage", ...own[/** @type {"dense"} */ (storage)]]);
    const names = texts(held.names, "the names", true);
    const n = names.length;
    demand(n >= 1, "n must be at least 1");
    /** @type {any} */
    const pencil = { storage, n };
    if (storage === "dense") {
      for (const name of own.dense) {
        pencil[name] = arrays.read(held[name], `the ${name}`, [n, n]);
        const isSame = (/** @type {number} */ x, /** @type {number} */ at) => x === pencil[name][(at % n) * n + Math.floor(at / n)];
        demand(pencil[name].every(isSame), `the ${name} is not symmetric`);
      }
    } else {
      pencil.variables = arrays.read(held.variables, "the variables", [null, n]);
      pencil.response = arrays.read(held.response, "the response", [pencil.variables.length / n]);
      demand(pencil.response.length >= 1, "there are no observations");
      demand(typeof held.intercept === "boolean", "intercept must be true or false");
      pencil.intercept = held.intercept;
    }
    const c = fields(d.claim, "the claim", ["kind", "k", "lower", "upper"], ["include", "exclude", "budgets"]);
    const some = (/** @type {string} */ name) => {
      if (!(name in c)) return [];
      demand(indices(c[name], name, n).length > 0, `${name} is empty`);
      return c[name];
    };
    /** @type {Certificate} */
    const claim = {
      version: 2, kind: "ratio", n, names, pencil, include: some("include"), exclude: some("exclude"), eliminated: null, description: null,
      digest: digestText(held.digest, "the digest"), budgets: "budgets" in c ? list(c.budgets, "the budgets") : null,
    };
    readBounds(claim, c, c.k, undefined);
    if (claim.budgets) {
      demand(claim.budgets.length > 0, "budgets are empty");
      for (const part of claim.budgets) {
        fields(part, "a budget", ["variables", "k"]);
        indices(part.variables, "the variables of a budget", n);
        const left = part.variables.filter((/** @type {number} */ i) => !claim.exclude.includes(i)).length;
        demand(integer(part.k, "the k of a budget", 0) <= left, "a budget is larger than its part");
      }
      const all = claim.budgets.flatMap((/** @type {any} */ part) => part.variables);
      demand(all.length === n && new Set(all).size === n, "not every variable is in exactly one budget");
      const sum = claim.budgets.reduce((/** @type {number} */ so, /** @type {any} */ part) => so + part.k, 0);
      demand(sum === claim.k, "k is not the sum of the budgets");
    }
    readWitness(claim, fields(d.witness, "the witness", ["support", "loadings"]));
    const used = [...new Set([...claim.support, ...claim.include])];
    for (const part of claim.budgets ?? []) {
      demand(used.filter((i) => part.variables.includes(i)).length <= part.k, "the support has more variables of a part than its budget");
    }
    const { mu, exponents, points, tree, fit } = fields(d.evidence, "the evidence", ["mu", "exponents", "points", "tree"], ["fit"]);
    demand(!("fit" in d.evidence) || pencil.storage === "least_squares", "a fit is evidence about least squares only");
    claim.fit = "fit" in d.evidence ? arrays.read(fit, "the fit", [n]) : null;
    claim.mu = real(mu, "mu");
    demand(list(exponents, "the exponents").length === n, "there is not one exponent for each variable");
    for (const e of exponents) demand(integer(e, "an exponent", -1000) <= 1000, "an exponent is above 1000");
    claim.exponents = exponents;
    claim.points = list(points, "points").map((point) => {
      demand(["weights", "perron"].includes(point?.kind), `a point of the kind '${point?.kind}' has no place in a claim about a ratio`);
      return readPoint(point, claim, arrays);
    });
    claim.tree = list(tree, "the tree").map((node, at) => readNode(node, `node ${at} of the tree`, claim.points));
    demand(tree.length > 0, "the tree has no nodes");
    for (const node of claim.tree) {
      const known = ["split", "spectral", "support", "trace", "rowsum", "perron", "void"];
      demand(known.includes(node.kind), `a ${node.kind} leaf has no place in a claim about a ratio`);
      if (node.kind !== "split") continue;
      demand(Math.max(node.inside, node.outside) < tree.length, "the tree has a child beyond the last node");
      demand(node.variable < n, `the tree splits a variable beyond n = ${n}`);
    }
    return claim;
  }

  /** @param {any} d @param {Arrays} arrays */
  function readVersion1(d, arrays) {
    fields(d, "the certificate", ["format", "version", "made_by", "claim", "witness", "points", "tree"], ["eliminated", "arrays"]);
    const c = fields(d.claim, "the claim", ["n", "names", "covariance", "cardinality", "penalty", "lower", "upper"]);
    const names = texts(c.names, "the names", false);
    demand(c.n === names.length, "there are not n names");
    const matrix = fields(c.covariance, "the covariance", ["kind", "digest", "entries"]);
    const held = readMatrix(matrix.kind, matrix.entries, names.length, arrays);
    demand((c.cardinality === null) !== (c.penalty === null), "one of cardinality and penalty must be null");
    const eliminated = (d.eliminated ?? null) === null ? null : readEliminated(d.eliminated, ["names", "rule"], arrays);
    const claim = {
      ...held, version: 1, names, kind: c.penalty === null ? "cardinality" : "penalty", eliminated, description: null,
      digest: digestText(matrix.digest, "the digest"), include: [], exclude: [], evidence: [d.tree, d.eliminated?.rule ?? null],
    };
    readBounds(claim, c, c.cardinality, c.penalty);
    readWitness(claim, fields(d.witness, "the witness", ["support", "loadings"]));
    return claim;
  }

  /** @param {any} storage @param {any} entries @param {number} n @param {Arrays} arrays */
  function readMatrix(storage, entries, n, arrays) {
    demand(n >= 1, "n must be at least 1");
    demand(storage === "dense" || storage === "factor", `a matrix is stored as dense or factor, not as ${storage}`);
    const values = arrays.read(entries, "the matrix", [storage === "dense" ? n : null, n]);
    if (storage === "dense") {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) demand(values[i * n + j] === values[j * n + i], "the matrix is not symmetric");
      }
    }
    return { n, storage, entries: values, rows: values.length / n };
  }

  /** @param {any} value @param {string[]} others @param {Arrays} arrays */
  function readEliminated(value, others, arrays) {
    fields(value, "eliminated", ["variances", "shift", ...others]);
    // In version 1, which has the rule here, names are for the reader alone.
    const names = texts(value.names, "the eliminated names", !others.includes("rule"));
    const variances = arrays.read(value.variances, "the eliminated variances", [names.length]);
    demand(variances.every((x) => x >= 0), "an eliminated variance is below 0");
    return { names, variances, shift: nonnegative(value.shift, "the shift") };
  }

  /** @param {any} value @param {string[]} names @param {Arrays} arrays */
  function readDescription(value, names, arrays) {
    fields(value, "the description", ["kind", "observations", "is_centred", "deflation"]);
    demand(DESCRIPTIONS.includes(value.kind), `a matrix is one of ${DESCRIPTIONS}`);
    const N = value.observations;
    if (N !== null) integer(N, "the number of observations", 1, Number.MAX_SAFE_INTEGER);
    demand([true, false, null].includes(value.is_centred), "is_centred must be true, false or null");
    let deflation = value.deflation;
    if (deflation !== null) {
      fields(deflation, "the deflation", ["method", "digest", "names", "loadings"]);
      demand(typeof deflation.method === "string", "the method of deflation must be a text");
      const all = texts(deflation.names, "the names of the deflated matrix", true);
      const loadings = arrays.read(deflation.loadings, "the loadings of the deflation", [all.length, null]);
      const count = loadings.length / all.length;
      demand(count > 0, "a deflation takes out at least one component");
      for (let c = 0; c < count; c++) demand(loadings.some((x, at) => at % count === c && x !== 0), "a component that was taken out is 0");
      for (const name of names) demand(all.includes(name), `the deflated matrix has no variable ${name}`);
      deflation = { ...deflation, digest: digestText(deflation.digest, "the digest of the deflated matrix"), loadings };
    }
    return { ...value, deflation };
  }

  /** Return what splits and points count: variables, or groups. @param {Certificate} claim */
  function variablesOf(claim) {
    return claim.kind === "whole_groups" ? claim.groups.length : claim.n;
  }

  /** @param {any} value @param {number} n @returns {number[][]} */
  function readGroups(value, n) {
    fields(value, "groups", ["names", "members"]);
    const names = texts(value.names, "the names of groups", true);
    const members = list(value.members, "the members of groups");
    demand(members.length === names.length && members.length > 0, "there is not one list of members for each of at least one group");
    for (const group of members) demand(indices(group, "a group", n).length > 0, "a group is empty");
    demand(new Set(members.flat()).size === members.flat().length, "a variable is in two groups");
    return members;
  }

  /** @param {Certificate} claim @param {any} c @param {any} k @param {any} rho */
  function readBounds(claim, c, k, rho) {
    claim.lower = real(c.lower, "the lower bound");
    claim.upper = real(c.upper, "the upper bound");
    demand(claim.lower <= claim.upper, "the lower bound is above the upper bound");
    if (claim.kind === "penalty") claim.rho = nonnegative(rho, "the penalty");
    else claim.k = integer(k, "the cardinality", 1);
    demand(!(claim.k > claim.n), `cardinality ${k} is not between 1 and n = ${claim.n}`);
    demand(!claim.include.some((/** @type {number} */ i) => claim.exclude.includes(i)), "a variable is to be included and excluded");
    demand(!(claim.include.length > claim.k), "more variables are to be included than k");
    demand(!(claim.k > claim.n - claim.exclude.length), "fewer than k variables may be used");
    if (!claim.groups) return;
    const label = new Map(claim.groups.flatMap((/** @type {number[]} */ group, /** @type {number} */ at) => group.map((i) => [i, `group ${at}`])));
    claim.countClasses = (/** @type {number[]} */ some) => new Set(some.map((i) => label.get(i) ?? i)).size;
    if (claim.kind === "whole_groups") {
      demand(claim.k <= claim.groups.length, `k is more than the ${claim.groups.length} groups`);
    } else {
      const free = [...Array(claim.n).keys()].filter((i) => !claim.exclude.includes(i));
      demand(claim.k <= claim.countClasses(free), "fewer than k variables of different groups may be used");
      demand(claim.countClasses(claim.include) === claim.include.length, "two variables to include are in one group");
    }
  }

  /** @param {Certificate} claim @param {any} witness */
  function readWitness(claim, witness) {
    claim.support = indices(witness.support, "the support", claim.n);
    const loadings = list(witness.loadings, "the loadings");
    demand(loadings.length === claim.support.length, `${loadings.length} loadings for a support of ${claim.support.length}`);
    claim.loadings = Float64Array.from(loadings, (text) => real(text, "a loading"));
    const used = [...new Set([...claim.support, ...claim.include])];
    const size = claim.kind === "whole_groups" ? claim.countClasses(used) : used.length;
    if (claim.kind === "one_of_each") demand(claim.countClasses(used) === size, "the support has two variables of one group");
    const isInGroups = claim.kind !== "whole_groups" || used.every((i) => claim.groups.flat().includes(i));
    demand(isInGroups, "the support has a variable that is in no group");
    demand(!(size > claim.k), `with those to include the support has ${size} variables, more than ${claim.k}`);
    demand(!claim.support.some((/** @type {number} */ i) => claim.exclude.includes(i)), "the support has an excluded variable");
    // §11: at a penalty no variables are a support of value 0, unless there are some to include, which are paid for.
    Object.assign(claim, { paid: used.length, allowsNone: claim.kind === "penalty" && claim.include.length === 0 });
    const isEmpty = claim.allowsNone && loadings.length === 0;
    const isSigned = claim.kind !== "nonnegative" || claim.loadings.every((/** @type {number} */ x) => x >= 0);
    demand(isSigned, "a loading is below 0");
    demand(isEmpty || claim.loadings.some((/** @type {number} */ x) => x !== 0), "the loadings are all 0");
  }

  /** @param {Certificate} claim @param {any} c @param {any} loadings @param {Arrays} arrays */
  function readList(claim, c, loadings, arrays) {
    const most = real(c.others, "the bound of the others");
    demand(most <= claim.upper, "more is claimed of other supports than of all");
    const listed = fields(c.listed, "the list", ["supports", "lower", "upper"]);
    demand(list(listed.supports, "the supports").length > 0, "the list of supports is empty");
    const supports = listed.supports.map((/** @type {any} */ T) => indices(T, "a listed support", claim.n));
    for (const T of supports) {
      demand(T.length === claim.k, "the listed supports are not all of size k");
      demand(claim.include.every((/** @type {number} */ i) => T.includes(i)), "a listed support lacks a variable to include");
      demand(!T.some((/** @type {number} */ i) => claim.exclude.includes(i)), "a listed support has an excluded variable");
    }
    demand(new Set(supports.map(String)).size === supports.length, "a support is listed twice");
    const [lower, upper] = ["lower", "upper"].map((name) => list(listed[name], name).map((text) => real(text, name)));
    demand(lower.length === supports.length && upper.length === supports.length, "there is not one bound for each listed support");
    demand(lower.every((x, at) => x <= upper[at]), "a support is listed with lower above upper");
    const z = arrays.read(loadings, "the listed loadings", [supports.length, claim.k]);
    supports.forEach((/** @type {number[]} */ _, /** @type {number} */ at) => {
      demand(z.subarray(at * claim.k, (at + 1) * claim.k).some((x) => x !== 0), "the loadings of a listed support are all 0");
    });
    claim.others = { most, supports, lower, upper, loadings: z };
  }

  /** @param {any} value @param {Certificate} claim @param {Arrays} arrays */
  function readPoint(value, claim, arrays) {
    const { kind } = fields(value, "a point", [], Object.keys(value ?? {}));
    const own = { psi: ["rho", "vectors", "factor", "shift"], weights: ["weights"], perron: ["P", "N"] };
    if (typeof kind !== "string" || !Object.hasOwn(own, kind)) throw new Refused(`unknown kind of point '${kind}'`);
    fields(value, `a ${kind} point`, ["kind", "variables", ...own[/** @type {keyof typeof own} */ (kind)]]);
    const variables = indices(value.variables, "the variables of a point", variablesOf(claim));
    const v = variables.length;
    const array = (/** @type {string} */ name, /** @type {(number | null)[]} */ shape) =>
      value[name] === null && name === "factor" ? null : arrays.read(value[name], `${kind} ${name}`, shape);
    const paired = (/** @type {Float64Array} */ M, /** @type {(a: number, b: number) => boolean} */ test, /** @type {string} */ reason) =>
      demand(M.every((x, at) => test(x, M[(at % v) * v + Math.floor(at / v)])), reason);
    const sound = (/** @type {Float64Array} */ M) => demand(M.every((x) => x >= 0), `the ${kind} point has a negative entry`);
    if (kind === "psi") {
      const vectors = /** @type {Float64Array} */ (array("vectors", [null, v]));
      const rows = value.vectors.shape[0];
      const factor = array("factor", [rows, v]);
      const rho = nonnegative(value.rho, "psi rho");
      const shift = real(value.shift, "psi shift");
      demand(factor !== null || claim.storage === "factor", "a psi point has no factor of its own and the claim has none");
      demand(factor !== null || rows === claim.rows, "a psi point has no factor of its own and the claim's factor does not fit it");
      demand(factor !== null || shift === 0, "a psi point has no factor of its own but a shift");
      return { kind, variables, rho, vectors, rows, factor, shift };
    }
    if (kind === "weights") {
      const weights = /** @type {Float64Array} */ (array("weights", [v]));
      demand(weights.every((x) => x > 0), "weights must all be positive");
      return { kind, variables, weights };
    }
    const [P, N] = /** @type {Float64Array[]} */ ([array("P", [v, v]), array("N", [v, v])]);
    paired(P, (a, b) => a === b, "perron P is not symmetric");
    sound(N);
    for (let i = 0; i < v; i++) demand(P[i * v + i] === 0 && N[i * v + i] === 0, "a perron point is not 0 on the diagonal");
    return { kind, variables, P, N };
  }

  /** @param {any} value @param {string} what @param {any[]} points @returns {Node} */
  function readNode(value, what, points) {
    const [kind, ...rest] = list(value, what);
    if (kind === "split") {
      demand(rest.length === 3, `${what} is neither a split nor a leaf`);
      const [variable, inside, outside] = rest.map((i) => integer(i, `a number of ${what}`, 0));
      return { kind, variable, inside, outside };
    }
    demand(LEAVES.includes(kind), `${what} has the unknown leaf kind '${kind}'`);
    demand(rest.length === 1, `${what} is neither a split nor a leaf`);
    const [point] = rest;
    if (point === null) {
      demand(!NEEDS_POINT.includes(kind), `${what} is ${kind} and has no point`);
      return { kind, point };
    }
    demand(NEEDS_POINT.includes(kind) || kind === "rowsum", `${what} is ${kind}, which takes no point`);
    demand(integer(point, `the point of ${what}`, 0) < points.length, `${what} uses a point that is not there`);
    demand(points[point].kind === (["rowsum", "collatz"].includes(kind) ? "weights" : kind), `${what} is ${kind} but its point is not`);
    return { kind, point };
  }

  // §3 Digest

  /** Return the first bits of the fractions of roots of the first primes. @param {number} count @param {number} power */
  function rootsOfPrimes(count, power) {
    const primes = [];
    for (let p = 2; primes.length < count; p++) if (primes.every((q) => p % q)) primes.push(p);
    return primes.map((p) => {
      // The whole part of the root times 2**32, by bisection in whole numbers.
      const target = BigInt(p) << BigInt(32 * power);
      let [low, high] = [0n, 1n << 40n];
      while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (middle ** BigInt(power) <= target) low = middle;
        else high = middle;
      }
      return Number(BigInt.asUintN(32, low));
    });
  }

  const START = rootsOfPrimes(8, 2);
  const ROUNDS = rootsOfPrimes(64, 3);

  /** Return the 64 hexadecimal digits of the SHA-256 (FIPS 180-4) of bytes. @param {Uint8Array} bytes */
  function sha256(bytes) {
    const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
    const turn = (/** @type {number} */ x, /** @type {number} */ by) => (x >>> by) | (x << (32 - by));
    const hash = Uint32Array.from(START);
    const w = new Int32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const [x, y] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
        const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] += x));
    }
    return Array.from(hash, (x) => x.toString(16).padStart(8, "0")).join("");
  }

  /** Return the digest that binds the matrix, its names and its description. @param {Certificate} claim */
  function digestOf(claim) {
    const { n, rows, storage, names, description, eliminated } = claim;
    const encoder = new TextEncoder();
    /** @type {Uint8Array[]} */
    const parts = [];
    const line = (/** @type {string} */ said) => parts.push(encoder.encode(`${said}\n`));
    const text = (/** @type {string} */ said) => {
      const bytes = encoder.encode(said);
      parts.push(encoder.encode(`${bytes.length}:`), bytes, encoder.encode("\n"));
    };
    const doubles = (/** @type {Float64Array} */ values) => {
      const view = new DataView(new ArrayBuffer(8 * values.length));
      values.forEach((x, i) => view.setFloat64(8 * i, x + 0, true)); // -0 + 0 is 0
      parts.push(new Uint8Array(view.buffer));
    };
    if (claim.pencil) {
      const { pencil } = claim;
      const p = pencil.response?.length;
      line("relaxspca pencil 1");
      line(pencil.storage === "dense" ? `dense ${n}` : `least_squares ${p} ${n} ${pencil.intercept ? "intercept" : "origin"}`);
      (p === undefined ? [pencil.numerator, pencil.denominator] : [pencil.variables, pencil.response]).forEach(doubles);
      names.forEach(text);
      return hashed(parts);
    }
    line(`relaxspca ${claim.version === 1 ? "covariance" : "matrix 2"}${claim.version === 1 ? ` ${storage} ${rows} ${n}` : ""}`);
    if (claim.version !== 1) line(`${storage} ${rows} ${n}`);
    doubles(claim.entries);
    if (claim.version !== 1) {
      names.forEach(text);
      text(description.kind);
      line(`observations ${description.observations ?? "unknown"}`);
      line(`centred ${description.is_centred === null ? "unknown" : description.is_centred ? "yes" : "no"}`);
      const { deflation } = description;
      if (deflation) {
        line(`deflation ${deflation.names.length} ${deflation.loadings.length / deflation.names.length}`);
        [deflation.method, deflation.digest, ...deflation.names].forEach(text);
        doubles(deflation.loadings);
      } else line("deflation none");
    }
    if (eliminated) {
      line(`eliminated ${eliminated.variances.length}`);
      if (claim.version !== 1) eliminated.names.forEach(text);
      doubles(eliminated.variances);
      doubles(Float64Array.of(eliminated.shift));
    } else if (claim.version !== 1) line("eliminated none");
    return hashed(parts);
  }

  /** @param {Uint8Array[]} parts */
  function hashed(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return `sha256:${sha256(bytes)}`;
  }

  // §3 Companion

  /** Return the arrays in a companion that a document refers to, with their most bytes. @param {any} node @param {Map<string, number>} found */
  function wanted(node, found = new Map()) {
    if (typeof node !== "object" || node === null) return found;
    if (typeof node.npz === "string" && Array.isArray(node.shape)) {
      const count = node.shape.reduce((/** @type {any} */ a, /** @type {any} */ b) => a * Number(b), 1);
      if (count <= MOST_NUMBERS) found.set(node.npz, Math.max(found.get(node.npz) ?? 0, 8 * count + MOST_HEADER));
    }
    for (const value of Object.values(node)) wanted(value, found);
    return found;
  }

  /** Return the members of an .npz, each up to a stated size. @param {Uint8Array} bytes @param {Map<string, number>} sizes */
  async function openNpz(bytes, sizes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const members = new Map();
    try {
      const end = bytes.length - 22;
      const isOne = (/** @type {boolean} */ holds) => demand(holds, "the companion is not one zip archive from its first byte to its last");
      isOne(end >= 0 && view.getUint32(end, true) === 0x06054b50 && view.getUint16(end + 20, true) === 0);
      let [at, first] = [view.getUint32(end + 16, true), Infinity];
      isOne(at + view.getUint32(end + 12, true) === end);
      for (let left = view.getUint16(end + 10, true); left > 0; left--) {
        isOne(at + 46 <= end && view.getUint32(at, true) === 0x02014b50);
        const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
        const [crc, packed, size] = [16, 20, 24].map((by) => view.getUint32(at + by, true));
        const [name, extra, comment] = [28, 30, 32].map((by) => view.getUint16(at + by, true));
        const start = view.getUint32(at + 42, true);
        const called = String.fromCharCode(...bytes.subarray(at + 46, at + 46 + name));
        const key = called.replace(/\.npy$/, "");
        at += 46 + name + extra + comment;
        first = Math.min(first, start);
        const most = sizes.get(key);
        if (most === undefined || key === called) continue;
        demand(!members.has(key) && !(flags & 1) && (method === 0 || method === 8), `'${key}' of the companion cannot be read`);
        demand(size <= most, `'${key}' of the companion is larger than its shape`);
        isOne(view.getUint32(start, true) === 0x04034b50);
        const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
        const raw = bytes.subarray(from, from + packed);
        demand(raw.length === packed && size <= MOST_DEFLATED * packed, `'${key}' of the companion is damaged`);
        const content = method === 0 ? raw.slice() : await inflated(raw, size);
        demand(content.length === size && crc32(content) === crc, `'${key}' of the companion is damaged`);
        members.set(key, content);
      }
      isOne(at === end && (first === 0 || first === Infinity));
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(`the companion cannot be read: ${error.message}`);
    }
    return members;
  }

  /** Undo deflate, up to a size. @param {Uint8Array} raw @param {number} most @returns {Promise<Uint8Array>} */
  async function inflated(raw, most) {
    if (typeof require === "function") {
      const { buffer, engine } = require("node:zlib").inflateRawSync(raw, { maxOutputLength: most + 1, info: true });
      demand(engine.bytesWritten === raw.length, "a member of the companion is longer than what it was made of");
      return buffer;
    }
    const reader = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const found = new Uint8Array(most);
    for (let at = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return found.subarray(0, at);
      demand(at + value.length <= most, "a member of the companion is larger than it says");
      found.set(value, at);
      at += value.length;
    }
  }

  /** @param {Uint8Array} bytes */
  function crc32(bytes) {
    let crc = -1;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
  }

  /**
   * Read a certificate and its companion.
   * @param {string} text the JSON
   * @param {{companions?: {name: string, bytes: Uint8Array}[], stem?: string}} [beside]
   * @returns {Promise<Certificate>}
   */
  async function open(text, { companions = [], stem } = {}) {
    const document = parse(text);
    const stated = document?.arrays;
    if (stated === undefined) return read(document);
    fields(stated, "arrays", ["file", "sha256"]);
    const isBeside = typeof stated.file === "string" && /^[^/\\]+\.npz$/.test(stated.file);
    const allowed = [`${stem}.npz`, `${stem}.${String(stated.sha256).slice(0, 8)}.npz`];
    demand(isBeside && (stem === undefined || allowed.includes(stated.file)), "arrays must be in the .npz of the same stem beside the file");
    const companion = companions.find(({ name }) => name === stated.file);
    if (!companion) throw new Refused(`the companion '${stated.file}' is missing`);
    demand(companion.bytes.length <= 2 ** 32, "the companion is too large");
    demand(sha256(companion.bytes) === stated.sha256, `the sha256 of '${stated.file}' is not the one stated`);
    return read(document, await openNpz(companion.bytes, wanted(document)));
  }

  /**
   * Return variables by name in one line; a name with a comma, semicolon or quote stands in quotes.
   * @param {string[]} names @param {number[]} chosen
   */
  function inLine(names, chosen) {
    return chosen.map((i) => (/[,;"]/.test(names[i]) ? `"${names[i].replaceAll('"', '""')}"` : names[i])).join(", ");
  }

  return { open, read, parse, digestOf, sha256, inLine, Refused };
})();

if (typeof module !== "undefined") module.exports = relaxspcaCertificate;
