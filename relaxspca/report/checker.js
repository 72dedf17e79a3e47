/**
 * A second checker of certificates, written from certificates/SPEC.md alone (format version 3); the sections named
 * below are its sections. Nothing but the standard library is used, and nothing leaves the machine. It runs
 *
 *     node checker.js [--json] [--against=FILE] FILE...
 *
 * with exit status 0 if every file is verified, 1 if one is not, 2 if one is no certificate; as a Node module; and in a
 * page, which its own last part makes: there every certificate is checked in a worker that has this very text. FILE of
 * --against is a table (.csv) of a covariance or of observations, with names in its first line, another certificate, or
 * a digest.
 */
"use strict";

const relaxspcaChecker = (() => {
  /** The file is not a certificate. */
  class Refused extends Error {}
  /** The evidence proves too little. */
  class TooLittle extends Error {}
  /** Return why the evidence proves too little, or null. */
  function shortcoming(proof) {
    try {
      proof();
    } catch (error) {
      if (error instanceof TooLittle) return error.message;
      throw error;
    }
    return null;
  }
  /** What is computed once, by name. */
  class Once {
    made = new Map();
    once(name, make) {
      if (!this.made.has(name)) this.made.set(name, make());
      return this.made.get(name);
    }
  }

  const range = (n) => [...Array(n).keys()];
  const sorted = (list) => [...list].sort((a, b) => a - b);
  const maximum = (list) => list.reduce((a, b) => Math.max(a, b), 0);

  // §5 Numbers. Every double is a whole number times a power of two, and so are sums, products, and quotients and roots
  // rounded up to 120 bits. All that is proved is computed in such numbers {m, e} = m * 2**e, m a BigInt, without any other
  // rounding: this checker has the exact arithmetic only. Doubles do no more than propose.

  const ZERO = { m: 0n, e: 0 };
  const ONE = { m: 1n, e: 0 };
  const PRECISION = 120;
  const MOST_HELD = 500; // rows of a matrix whose entries are held as such numbers
  const MOST_KNOWN = 2500; // rows of charges that are put in order once
  const word = new DataView(new ArrayBuffer(8));
  /** Return a finite double as the number that it is. */
  function dyadic(x) {
    if (x === 0) return ZERO;
    word.setFloat64(0, x);
    const high = word.getUint32(0);
    const biased = (high >>> 20) & 0x7ff;
    let m = (high & 0xfffff) * 2 ** 32 + word.getUint32(4) + (biased ? 2 ** 52 : 0);
    let e = (biased || 1) - 1075;
    while (m % 65536 === 0) [m, e] = [m / 65536, e + 16];
    for (; m % 2 === 0; m /= 2) e += 1;
    return { m: BigInt(x < 0 ? -m : m), e };
  }

  const whole = (i) => ({ m: BigInt(i), e: 0 });
  const neg = (a) => ({ m: -a.m, e: a.e });
  const abs = (a) => (a.m < 0n ? neg(a) : a);
  const mul = (a, b) => ({ m: a.m * b.m, e: a.e + b.e });
  /** Return a times 2**e. */
  const byPower = (a, e) => ({ m: a.m, e: a.e + e });
  const half = (a) => byPower(a, -1);

  function add(a, b) {
    if (a.m === 0n) return b;
    if (b.m === 0n) return a;
    if (a.e < b.e) return { m: a.m + (b.m << BigInt(b.e - a.e)), e: a.e };
    return { m: (a.m << BigInt(a.e - b.e)) + b.m, e: b.e };
  }

  const sub = (a, b) => add(a, neg(b));
  const total = (list) => list.reduce(add, ZERO);
  const dot = (a, b) => a.reduce((sum, x, i) => (x.m === 0n || b[i].m === 0n ? sum : add(sum, mul(x, b[i]))), ZERO);
  const inner = (a, b) => a.reduce((sum, y, i) => (y && b[i] ? sum + y * b[i] : sum), 0n);
  const atMost = (a, b) => sub(a, b).m <= 0n;
  const descending = (a, b) => Number(sub(b, a).m);
  const largest = (list) => list.reduce((a, b) => (atMost(a, b) ? b : a));
  /** The sum of the `count` largest. */
  const top = (list, count) => total([...list].sort(descending).slice(0, count));
  /** Return how many units 2**e are at least x. */
  const unitsAbove = (x, e) => Number(x.e >= e ? x.m << BigInt(x.e - e) : -(-x.m >> BigInt(e - x.e)));
  const magnitude = (m) => (m < 0n ? -m : m);
  /** The number of bits of a positive whole number. */
  function bitLength(m) {
    const text = m.toString(16);
    return text.length * 4 - Math.clz32(parseInt(text[0], 16)) + 28;
  }

  const bitsOf = (a) => bitLength(magnitude(a.m)) + a.e; // |a| < 2**bitsOf(a), for a not 0
  /** Return the same number with an odd m. */
  function reduced(a) {
    if (a.m === 0n) return ZERO;
    const by = bitLength(a.m & -a.m) - 1;
    return { m: a.m >> BigInt(by), e: a.e + by };
  }
  /** Return numbers as whole numbers of one unit 2**e. */
  function inUnits(list) {
    const e = list.reduce((least, x) => (x.m === 0n ? least : Math.min(least, x.e)), Infinity);
    return { e, ints: list.map((x) => (x.m === 0n ? 0n : x.m << BigInt(x.e - e))) };
  }
  const unlessNegative = (x) => BigInt(Math.max(x, 0));
  /** Shift left, or right if `by` is negative, rounding down. */
  const shifted = (m, by) => (by >= 0 ? m << BigInt(by) : m >> BigInt(-by));
  /** Return the greatest common divisor of whole numbers that are at least 0: many of Euclid's quotients at once (Lehmer; Knuth 4.5.2 L). */
  function gcd(a, b) {
    if (a < b) [a, b] = [b, a];
    while (b > 1n << 64n) {
      const by = BigInt(bitLength(a) - 52);
      let [x, y] = [Number(a >> by), Number(b >> by)];
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
  /** Return a / b rounded up to 120 bits, for b > 0. */
  function quotient(a, b) {
    if (a.m === 0n) return ZERO;
    const [p, q] = [reduced(a), reduced(b)];
    const g = gcd(magnitude(p.m), q.m);
    const [up, down] = [p.m / g, q.m / g];
    const shift = PRECISION - bitLength(magnitude(up)) + bitLength(down);
    const below = down << unlessNegative(-shift);
    // What is left is cut off towards 0.
    return { m: ((up << unlessNegative(shift)) + (up > 0n ? below - 1n : 0n)) / below, e: p.e - q.e - shift };
  }
  /** Return a root of a >= 0, rounded up to 120 bits. */
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
  /** Return x * 2**e for a whole x below 2**53 in absolute value and a result that doubles hold. */
  function scaled(x, e) {
    for (; e > 0; e--) x *= 2;
    for (; e < 0; e++) x /= 2;
    return x;
  }
  /** Return the largest double that is at most a times 2**shift. */
  function doubleBelow(a, shift = 0) {
    if (a.m === 0n) return 0;
    const e = a.e + shift;
    const drop = Math.max(bitLength(magnitude(a.m)) - 53, -1074 - e, 0);
    return Math.min(scaled(Number(a.m >> BigInt(drop)), e + drop), Number.MAX_VALUE);
  }
  /** Return a number in decimals, rounded outward to 12 digits. */
  function decimal(a, up) {
    if (a.m === 0n) return "0";
    const power = 12 - Math.ceil(bitsOf(a) * Math.log10(2));
    const p = (a.m * 10n ** unlessNegative(power)) << unlessNegative(a.e);
    const q = 10n ** unlessNegative(-power) << unlessNegative(-a.e);
    let digits = p / q;
    if (digits * q !== p && p > 0n === up) digits += up ? 1n : -1n;
    const text = String(magnitude(digits));
    const sign = digits < 0n ? "-" : "";
    const point = text.length - power; // how many digits stand before the decimal point
    const padded = text.padStart(power + 1, "0");
    const cut = (all, at) => `${sign}${all.slice(0, at)}.${all.slice(at)}`.replace(/\.?0*$/, "");
    return power < 0 || point < -4 ? `${cut(text, 1)}e${point - 1}` : cut(padded, padded.length - power);
  }

  // Ratios p / q with q > 0.

  const over = (p, q = ONE) => ({ p, q });
  const isAtMost = (a, b) => atMost(mul(a.p, b.q), mul(b.p, a.q));
  const plus = (a, b) => over(add(mul(a.p, b.q), mul(b.p, a.q)), mul(a.q, b.q));
  const minus = (a, b) => plus(a, over(neg(b.p), b.q));
  /** Return p / q in lowest terms. */
  function fraction({ p, q }) {
    const e = Math.min(p.e, q.e);
    const [a, b] = [shifted(p.m, p.e - e), shifted(q.m, q.e - e)];
    const g = gcd(magnitude(a), b);
    return `${a / g}/${b / g}`;
  }

  // §5 Matrices and eigenvalues. A matrix {n, at} is symmetric, at(i, j) its entries; near(i, j), where there is one, is a
  // double, and off(i, j) at least its distance from the entry.
  /** Return the matrix with the entries f(i, j) = f(j, i), which are computed when they are asked for if there are many. */
  function symmetric(n, f) {
    if (n > MOST_HELD) return { n, at: (i, j) => f(Math.max(i, j), Math.min(i, j)) };
    const all = new Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) all[i * n + j] = all[j * n + i] = f(i, j);
    return { n, at: (i, j) => all[i * n + j] };
  }
  /** Return B'B of an r x n array of numbers, every column in whole numbers of one unit. */
  function gram(B, r, n) {
    const columns = range(n).map((i) => inUnits(range(r).map((l) => B[l * n + i])));
    return symmetric(n, (i, j) => {
      const sum = inner(columns[i].ints, columns[j].ints);
      return sum === 0n ? ZERO : { m: sum, e: columns[i].e + columns[j].e };
    });
  }

  /** Return a matrix with 0 for two variables of one label. */
  const separated = (M, labels) => symmetric(M.n, (i, j) => (i !== j && labels[i] === labels[j] ? ZERO : M.at(i, j)));
  /** Return the matrix of an array of n x n doubles. */
  const ofDoubles = (values, n) => symmetric(n, (i, j) => dyadic(values[i * n + j]));
  /** Return doubles little below a block of M, times 2**shift. */
  const doublesBelow = (M, rows, shift) => Float64Array.from(rows.flatMap((i) => rows.map((j) => doubleBelow(M.at(i, j), shift))));
  const negative = (M) => ({ n: M.n, at: (i, j) => neg(M.at(i, j)) });
  /** The largest absolute row sum of f(i, j) over rows and columns. */
  const rowSum = (rows, f) => largest([ZERO, ...rows.map((i) => total(rows.map((j) => abs(f(i, j)))))]);

  const BAREISS_SIZE = 24; // where elimination in whole numbers is the quickest
  /** How eigenvalues are bounded, and what was proved before. */
  class Eigenvalues {
    proved = new Map();
    /** The same as `atMost`; the last tau that was proved is remembered under a name if there is one. */
    remembered(name, M, rows, tau) {
      const known = this.proved.get(name);
      if (known && atMost(known, tau)) return true;
      const isProved = this.atMost(M, rows, tau);
      if (isProved && name !== null) this.proved.set(name, tau);
      return isProved;
    }
    /** Say whether the block of M on some rows is proved to have no eigenvalue above tau. A matrix that falls apart is
     * bounded block by block. */
    atMost(M, rows, tau) {
      if (rows.length === 0) return atMost(ZERO, tau);
      const d = rows.length;
      const entry = (a, b) => M.at(rows[a], rows[b]);
      const gaps = symmetric(d, (a, b) => (a === b ? sub(tau, entry(a, a)) : neg(entry(a, b))));
      const left = new Set(range(d));
      for (const first of left) {
        left.delete(first);
        const block = [first];
        for (const a of block) {
          for (const b of left) if (gaps.at(a, b).m !== 0n && left.delete(b)) block.push(b);
        }
        if (block.length === 1) {
          if (gaps.at(first, first).m < 0n) return false;
        } else if (!atMost(rowSum(block, entry), tau) && !this.positive(gaps, block)) return false;
      }
      return true;
    }
    /** Return some d >= 0 that is proved to be at least the largest eigenvalue of the block of M on some rows, little more. */
    depth(M, rows) {
      return this.atMost(M, rows, ZERO) ? ZERO : largest([ZERO, this.upper(M, rows)]);
    }
    /** The same of any sign. */
    upper(M, rows) {
      return this.upperOfAll(M, [rows], [ZERO]);
    }
    /** Return some tau that is proved to be at least the largest eigenvalue of the block of M on each set of rows plus
     * a number for each, and little more than the largest of these. */
    upperOfAll(M, sets, more) {
      const sums = sets.map((rows) => rowSum(rows, M.at));
      const most = largest(sums.map((sum, s) => add(more[s], sum)));
      if (sets.every((rows) => rows.length === 1)) return largest(sets.map(([i], s) => add(more[s], M.at(i, i))));
      const size = largest([...sums, ...more.map(abs), abs(most)]);
      if (size.m === 0n) return ZERO;
      const shift = -bitsOf(size); // brings all below 1
      let estimate = -Infinity;
      sets.forEach((rows, s) => {
        const own = doubleBelow(more[s], shift);
        estimate = Math.max(estimate, own + largestOf(doublesBelow(M, rows, shift), rows.length, Math.max(estimate - own, -2)));
      });
      const length = Math.max(...sets.map((rows) => rows.length));
      for (let e = -51 + Math.ceil(Math.log2(length)); e < 0; e += 4) {
        const tau = byPower(add(dyadic(estimate), { m: 1n, e }), -shift);
        if (!atMost(tau, most)) break;
        if (sets.every((rows, s) => this.atMost(M, rows, sub(tau, more[s])))) return tau;
      }
      return most;
    }
    /** Say whether a block of A is proved positive definite, or at least semidefinite. */
    positive(A, block) {
      if (block.some((i) => A.at(i, i).m <= 0n)) return false;
      return block.length <= BAREISS_SIZE ? positiveByElimination(A, block) : positiveByFactor(A, block);
    }
  }
  /** Return about the largest eigenvalue of a symmetric d x d matrix of doubles, or `least` if that is larger. */
  function largestOf(B, d, least) {
    const minusB = B.map((x) => -x);
    let [low, high] = [least, 0];
    for (let i = 0; i < d; i++) {
      low = Math.max(low, B[i * d + i]);
      high = Math.max(high, B.subarray(i * d, (i + 1) * d).reduce((sum, x) => sum + Math.abs(x), 0));
    }
    // The Cholesky factor of tau I - B tells on which side tau lies.
    if (low === least && cholesky(minusB, d, -least)) return least;
    for (let step = 0; step < 60 && high > low; step++) {
      const middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      if (cholesky(minusB, d, -middle)) high = middle;
      else low = middle;
    }
    return high;
  }
  /** Elimination in whole numbers (Bareiss): all leading minors are positive. */
  function positiveByElimination(A, block) {
    const d = block.length;
    const { ints: B } = inUnits(block.flatMap((i) => block.map((j) => A.at(i, j))));
    let last = 1n;
    for (let k = 0; k < d; k++) {
      const pivot = B[k * d + k];
      if (pivot <= 0n) return false;
      for (let i = k + 1; i < d; i++) {
        for (let j = k + 1; j <= i; j++) B[i * d + j] = (pivot * B[i * d + j] - B[i * d + k] * B[j * d + k]) / last;
      }
      last = pivot;
    }
    return true;
  }
  /** A = gap I + LL' + E is semidefinite if no absolute row sum of E is above gap; L, a factor in doubles, is only a proposal. */
  function positiveByFactor(A, block) {
    const d = block.length;
    const shift = -2 * Math.ceil(Math.max(...block.map((i) => bitsOf(A.at(i, i)))) / 2); // brings the diagonal below 1
    const B = doublesBelow(A, block, shift);
    for (let tries = 0, gap = (d + 2) * 2 ** -53; tries < 4; tries++) {
      const L = cholesky(B, d, gap);
      if (L === null) return false;
      const norm = normOfRest(A, block, L, gap, shift);
      if (norm <= gap) return true;
      gap = 2 * norm;
    }
    return false;
  }
  /** Return a Cholesky factor of B - gap I, or null. */
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
  /** Return at least the largest absolute row sum of 2**shift A - gap I - LL', L cut to 60 bits. */
  function normOfRest(A, block, L, gap, shift) {
    const [d, bits] = [block.length, 60];
    const rows = block.map((_, i) => Array.from(L.subarray(i * d, i * d + i + 1), (x) => BigInt(Math.trunc(x * 2 ** bits))));
    const sums = Array(d).fill(ZERO);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let product = 0n;
        for (let k = 0; k <= j; k++) product += rows[i][k] * rows[j][k];
        let rest = sub(byPower(A.at(block[i], block[j]), shift), { m: product, e: -2 * bits });
        if (i === j) rest = sub(rest, dyadic(gap));
        sums[i] = add(sums[i], abs(rest));
        if (i !== j) sums[j] = add(sums[j], abs(rest));
      }
    }
    return -doubleBelow(neg(largest(sums)));
  }

  // §4 File: JSON

  const MOST_BYTES = 2 ** 28;
  const MOST_NUMBERS = 2 ** 28; // and the largest whole number, but for observations
  const MOST_HEADER = 4096; // bytes of an .npy before its numbers
  const MOST_DEFLATED = 1032; // bytes that deflate makes of one
  const DEEPEST = 64;
  const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

  function demand(condition, reason) {
    if (!condition) throw new Refused(reason);
  }
  /** Read JSON strictly: ASCII, whole numbers only, no repeated keys, no lone surrogates. */
  function parse(text) {
    demand(text.length <= MOST_BYTES, `more than ${MOST_BYTES} bytes`);
    demand(/^[\t\n\r -\x7f]*$/.test(text), "not JSON in ASCII");
    let [document, keys] = [null, 0];
    const walk = (node, depth) => {
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
    // Tokens show what JSON.parse lets pass: 2.0 for 2, a key that a later one replaced. Without escapes no text is too long.
    for (const [token, colon] of text.replace(/\\./g, "").matchAll(/"[^"]*"\s*(:?)|-?[0-9][-+.0-9eE]*/g)) {
      if (colon) keys -= 1;
      else if (token[0] !== '"') demand(/^-?[0-9]+$/.test(token), `the number ${token.slice(0, 40)} is not whole`);
    }
    demand(keys === 0, "a key of an object is repeated");
    return document;
  }

  // §4 File: readers. A reader takes what stands in a file, what that is called, and what is known by name there: the fields
  // before it, and what is known of the objects around it. It returns what was read, or refuses it.

  const HEX = /^(-?)0x([01])\.([0-9a-f]{13})p([+-])(0|[1-9][0-9]{0,3})$/;
  /** Return the double that the canonical hexadecimal text spells. */
  function real(text, what) {
    demand(typeof text === "string", `${what} is not a hexadecimal text`);
    if (text === "0x0.0p+0") return 0;
    if (text === "-0x0.0p+0") return -0;
    const found = HEX.exec(text);
    demand(found !== null, `${what}: ${text.slice(0, 40)} is not the canonical hexadecimal form of a finite double`);
    const [, sign, lead, digits, exponentSign, exponent] = found;
    const e = Number(exponentSign + exponent);
    const isNormal = lead === "1" && e >= -1022 && e <= 1023;
    const isSubnormal = lead === "0" && e === -1022 && /[1-9a-f]/.test(digits);
    demand((isNormal || isSubnormal) && !(e === 0 && exponentSign === "-"), `${what}: ${text} is not canonical or not finite`);
    return scaled(Number(`${sign}1`) * parseInt(lead + digits, 16), e - 52);
  }
  /** Return the reader of what is taken as it is, if it fits. */
  const fitting = (fits, said) => (value, what) => {
    if (!fits(value)) throw new Refused(`${what} must be ${said}, not ${JSON.stringify(value).slice(0, 40)}`);
    return value;
  };
  const nonnegative = (text, what) => fitting((x) => x >= 0, "at least 0")(real(text, what), what);
  const ANYTHING = fitting(() => true);
  const TEXT = fitting((x) => typeof x === "string", "a text");
  const TRUTH = fitting((x) => typeof x === "boolean", "true or false");
  const isDigest = (x) => typeof x === "string" && /^sha256:[0-9a-f]{64}$/.test(x);
  const DIGEST = fitting(isDigest, "a digest");
  const oneOf = (...all) => fitting((x) => all.includes(x), all.join(" or "));
  const integer = (least, most = MOST_NUMBERS) =>
    fitting((x) => Number.isInteger(x) && x >= least && x <= most, `an integer of at least ${least} and at most ${most}`);
  const [WHOLE, POSITIVE] = [0, 1].map((least) => integer(least));
  const orNull = (read) => (value, what, known) => (value === null ? null : read(value, what, known));
  /** Return the reader of lists: not empty if `least` is 1, as long as what has the name `of`, if there is one. */
  const many = (read, least = 0, of = null) => (value, what, known) => {
    demand(Array.isArray(value) && value.length >= least, `${what} must be a list${least ? ", and not empty" : ""}`);
    demand(of === null || value.length === known[of].length, `${what}: there is not one entry for each of ${of}`);
    return value.map((one) => read(one, what, known));
  };
  /** Return the reader of texts that are not the same. */
  const texts = (least) => (value, what) => {
    const found = many(TEXT, least)(value, what);
    demand(new Set(found).size === found.length, `${what}: a name is used twice`);
    return found;
  };
  /** Return the reader of increasing indices below a number with a name. */
  const indices = (most, least = 0) => (value, what, known) => {
    const found = many(WHOLE, least)(value, what);
    demand(found.every((i, at) => at === 0 || found[at - 1] < i), `${what}: indices are not strictly increasing`);
    demand(found.every((i) => i < known[most]), `${what}: an index is beyond n = ${known[most]}`);
    return found;
  };
  const numbers = (of) => many(real, 0, of);
  /** Return the reader of objects that have these fields, perhaps optional ones, and no other. */
  const object = (needed, optional = {}) => (value, what, known = {}) => {
    demand(typeof value === "object" && value !== null && !Array.isArray(value), `${what} must be an object`);
    const table = { ...needed, ...optional };
    const found = Object.create(known);
    for (const [name, read] of Object.entries(table)) {
      if (Object.hasOwn(value, name)) found[name] = read(value[name], `${name} of ${what}`, found);
      else demand(Object.hasOwn(optional, name), `${what} lacks '${name}'`);
    }
    for (const name of Object.keys(value)) demand(Object.hasOwn(table, name), `${what} has the unknown field '${name}'`);
    return { ...found };
  };
  /** Return the reader of lists of such fields. */
  const listing = (needed, optional = {}) => (value, what, known) => {
    const names = Object.keys({ ...needed, ...optional });
    demand(value.length <= names.length, `${what} has more than ${names.length} entries`);
    return object(needed, optional)(Object.fromEntries(value.map((x, at) => [names[at], x])), what, known);
  };
  const PACKED = object({ shape: many(WHOLE) }, { hex: many(real), npz: TEXT });
  /** Return the reader of arrays, with their number of rows: a length is that of what has a name, or any where it is null;
   * numbers are at least `least`. They stand in the file or in its companion, and all are counted. */
  const array = (expected, least = -Infinity) => (value, what, known) => {
    const { shape, hex, npz } = PACKED(value, what);
    demand((hex === undefined) !== (npz === undefined), `${what} must have either hex or npz`);
    const lengths = expected.map((of) => of && (known[of].rows ?? known[of].length ?? known[of]));
    const fits = shape.length === lengths.length && lengths.every((length, at) => length === null || length === shape[at]);
    demand(fits, `${what} has shape (${shape}) instead of (${lengths.map((length) => length ?? "any")})`);
    const count = shape.reduce((a, b) => a * b, 1);
    known.arrays.numbers += count;
    demand(known.arrays.numbers <= MOST_NUMBERS, `more than ${MOST_NUMBERS} numbers`);
    const found = Float64Array.from(hex ?? member(known.arrays.members, npz, shape, count));
    demand(found.length === count, `${what} has ${found.length} numbers for its shape`);
    demand(found.every((x) => Number.isFinite(x) && x >= least), `${what} has an entry that is not finite, or below ${least}`);
    return Object.assign(found, { rows: shape[0] });
  };
  /** Return the numbers of a member of the companion that is an array of a shape. */
  function member(members, key, shape, count) {
    const bytes = members.get(`${key}.npy`);
    if (!bytes) throw new Refused(`the companion lacks '${key}'`);
    const start = 10 + bytes[8] + 256 * bytes[9];
    demand(start <= MOST_HEADER, `'${key}' has more than ${MOST_HEADER} bytes before its numbers`);
    const header = String.fromCharCode(...bytes.subarray(0, start));
    const stated = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
    const isStated = header.startsWith(stated, 10) && /^ *\n$/.test(header.slice(10 + stated.length));
    demand(header.startsWith("\x93NUMPY\x01\x00") && isStated, `'${key}' is no .npy of version 1.0, of doubles of the stated shape`);
    demand(bytes.length === start + 8 * count, `'${key}' has another length than its shape says`);
    const view = new DataView(bytes.buffer, bytes.byteOffset + start);
    return Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true));
  }
  /** Return the reader of symmetric matrices. */
  const symmetricOf = (of) => (value, what, known) => {
    const M = array([of, of])(value, what, known);
    const n = M.rows;
    demand(M.every((x, at) => x === M[(at % n) * n + Math.floor(at / n)]), `${what} is not symmetric`);
    return M;
  };

  // §4 File: the certificate

  const NAMED = { kind: TEXT, digest: DIGEST, names: texts(1) };
  const ELIMINATED = object({ names: texts(0), variances: array(["names"], 0), shift: nonnegative });
  const DEFLATION = object({ method: TEXT, digest: DIGEST, names: texts(0), loadings: array(["names", null]) });
  const DESCRIPTION = object({
    kind: oneOf("matrix", "covariance", "correlation", "second moments"),
    observations: orNull(integer(1, Number.MAX_SAFE_INTEGER)),
    is_centred: orNull(TRUTH),
    deflation: orNull(DEFLATION),
  });
  const ENTRIES = { dense: symmetricOf("names"), factor: array([null, "names"]) };
  const SUBJECTS = {
    matrix: object({
      ...NAMED, storage: oneOf("dense", "factor"), entries: (value, what, known) => ENTRIES[known.storage](value, what, known),
      description: DESCRIPTION, eliminated: orNull(ELIMINATED),
    }),
    pencil: object({ ...NAMED, numerator: symmetricOf("names"), denominator: symmetricOf("names") }),
    least_squares: object({
      ...NAMED, variables: array([null, "names"]), response: array(["variables"]), intercept: TRUTH, ridge: nonnegative,
    }),
  };
  const SUBJECTS_OF = { component: ["matrix"], components: ["matrix"], ratio: ["pencil", "least_squares"] };

  const SOME = indices("n", 1);
  const GROUPS = many(SOME, 1);
  const CONDITIONS = {
    include: SOME, exclude: SOME, one_of_each: GROUPS, whole_groups: GROUPS, nonnegative: oneOf(true),
    budgets: many(object({ variables: indices("n"), k: WHOLE }), 1),
    list: object({ supports: many(indices("n"), 1), lower: numbers("supports"), upper: numbers("supports"), others: real }),
  };
  /** Return the reader of claims that have these fields besides their bounds, and perhaps some conditions. */
  function claimOf(own, ...conditions) {
    const optional = Object.fromEntries(conditions.map((name) => [name, CONDITIONS[name]]));
    return object({ kind: TEXT, lower: real, upper: real, ...own }, optional);
  }
  const CLAIMS = {
    component: claimOf({ k: POSITIVE }, "include", "exclude", "one_of_each", "whole_groups", "nonnegative", "list"),
    penalised: claimOf({ rho: nonnegative }, "include", "exclude"),
    ratio: claimOf({ k: POSITIVE }, "include", "exclude", "one_of_each", "budgets", "list"),
    components: object(
      { kind: TEXT, lower: real, upper: real, supports: oneOf("orthogonal", "disjoint", "common"), sizes: many(POSITIVE, 1) },
      { include: many(indices("n")), exclude: SOME },
    ),
  };
  const VECTORS = many(object({ support: indices("n"), loadings: numbers("support") }));

  const ROWS = object({ kind: TEXT, variables: indices("size", 1), P: symmetricOf("variables"), N: array(["variables", "variables"], 0) });
  const WEIGHTS = { kind: TEXT, variables: indices("size", 1), weights: array(["variables"], Number.MIN_VALUE) };
  const BOTH = object({ ...WEIGHTS, paid: indices("size", 1), P: symmetricOf("paid"), N: array(["paid", "paid"], 0) });
  const POINTS = {
    rows: (value, ...rest) => (!Object.hasOwn(value, "weights") ? ROWS : Object.hasOwn(value, "paid") ? BOTH : object(WEIGHTS))(value, ...rest),
    factor: object({
      kind: TEXT, variables: indices("size"), vectors: array([null, "variables"]), factor: orNull(array(["vectors", "variables"])),
      rho: nonnegative, shift: nonnegative,
    }),
    multipliers: object({
      kind: TEXT, variables: indices("size"), M: symmetricOf("variables"), y: array(["variables"]), rows: many(orNull(WHOLE)),
    }),
  };
  const LEAF = listing({ point: orNull(WHOLE) });
  const [always, ofOne, ofSeveral] = [() => true, ({ sizes }) => !sizes, ({ sizes }) => Boolean(sizes)];
  // How nodes are read, the points that they take, and the claims in which they have a place.
  const NODES = {
    split: [listing({ part: WHOLE, variable: WHOLE, inside: WHOLE, outside: WHOLE }), ["none"], always],
    restrict: [
      listing({ part: WHOLE, point: orNull(WHOLE), level: real, kept: indices("size"), child: WHOLE }, { under: WHOLE }),
      ["none", "weights", "pairs", "both"], always,
    ],
    rows: [LEAF, ["none", "weights", "pairs", "both"], ofOne],
    factor: [LEAF, ["factor"], ofOne],
    collatz: [LEAF, ["weights"], ({ isNonnegative }) => isNonnegative],
    listed: [LEAF, ["none"], ({ list }) => Boolean(list)],
    multipliers: [LEAF, ["none", "multipliers"], ofSeveral],
    choices: [listing({ points: many(WHOLE, 1) }), ["multipliers"], (claim) => ofSeveral(claim) && claim.supports !== "common"],
  };
  const TREE = many(readNode, 1);
  const FEWER = many(object({ sizes: many(WHOLE), upper: real, evidence: ANYTHING }), 1);
  const SINGLES = many(object({ k: POSITIVE, tree: (value, what, known) => TREE(value, what, singleOf(known, known.k)) }), 1);

  const ARRAYS = object({ file: TEXT, sha256: TEXT });
  const CERTIFICATE = object({
    format: oneOf("relaxspca-certificate"), version: oneOf(3), made_by: TEXT,
    subject: ANYTHING, claim: ANYTHING, witness: ANYTHING, evidence: ANYTHING,
  }, { arrays: ARRAYS });
  /** Read a certificate, or say why the file is none. `members` are those of the companion. */
  function readDocument(document, members = new Map()) {
    const d = CERTIFICATE(document, "a certificate");
    const kind = d.claim?.kind;
    demand(typeof kind === "string" && Object.hasOwn(SUBJECTS_OF, kind), `unknown kind of claim '${kind}'`);
    const claim = readSubject(d.subject, kind, { members, numbers: 0 });
    if (kind === "components") readSeveral(claim, d.claim);
    else readOne(claim, d.claim);
    demand(claim.lower <= claim.upper, "the lower bound is above the upper bound");
    readWitness(claim, d.witness);
    readEvidence(claim, d.evidence);
    return claim;
  }
  /** Return what a certificate speaks of, to which its claim will be added. */
  function readSubject(value, claimed, arrays) {
    const subject = value?.kind;
    demand(SUBJECTS_OF[claimed].includes(subject), `a claim of the kind ${claimed} does not speak of a subject of the kind '${subject}'`);
    const found = SUBJECTS[subject](value, "the subject", { arrays });
    const { names, entries, response, eliminated, description } = found;
    demand(subject !== "least_squares" || response.length > 0, "there are no observations");
    const all = texts(1)([...names, ...(eliminated?.names ?? [])], "the names");
    if (description?.deflation) checkDeflation(description.deflation, all);
    return { ...found, subject, arrays, n: names.length, rows: entries?.rows };
  }
  function checkDeflation({ names, loadings }, all) {
    for (const name of all) demand(names.includes(name), `the deflated matrix has no variable ${name}`);
    const count = loadings.length / names.length;
    demand(count > 0, "a deflation takes out at least one component");
    for (let c = 0; c < count; c++) demand(loadings.some((x, at) => at % count === c && x !== 0), "a component that was taken out is 0");
  }

  // §2 Claims
  /** Read a claim about one component, or about a ratio. */
  function readOne(claim, value) {
    const isPenalty = value.kind === "component" && Object.hasOwn(value, "rho");
    const said = CLAIMS[isPenalty ? "penalised" : value.kind](value, "the claim", claim);
    const given = Object.keys(said).filter((name) => Object.hasOwn(CONDITIONS, name));
    for (const [name, ...beside] of [["whole_groups"], ["nonnegative", "exclude"], ["budgets", "include", "exclude", "list"]]) {
      const isFit = !given.includes(name) || given.every((other) => other === name || beside.includes(other));
      demand(isFit, `${name} stands with ${beside.join(", ") || "no other condition"} only`);
    }
    const { one_of_each: apart, whole_groups: united } = said;
    const isWhole = united !== undefined;
    const [groups, isNonnegative] = [apart ?? united ?? null, given.includes("nonnegative")];
    const members = groups?.flat() ?? [];
    demand(new Set(members).size === members.length, "a variable is in two groups");
    demand(!claim.eliminated || !(groups || isNonnegative), "with groups or signs there are no eliminated variables");
    Object.assign(claim, { include: [], exclude: [], list: null }, said, { groups, isNonnegative, isWhole, parts: [], labels: null });
    // What splits and points count: variables, or groups; of each the class of which a support has one at most.
    claim.size = isWhole ? groups.length : claim.n;
    if (apart) {
      claim.labels = range(claim.n).map((i) => groups.length + i);
      groups.forEach((group, at) => group.forEach((i) => (claim.labels[i] = at)));
    }
    claim.allowsNone = isPenalty && claim.include.length === 0;
    if (!isPenalty) setParts(claim);
    if (claim.list) checkListed(claim);
  }
  /** Set the parts of which a support has so many variables: the budgets, if there are any. */
  function setParts(claim) {
    const { n, k, size, exclude, budgets, labels } = claim;
    claim.parts = budgets ?? [{ k, variables: range(size) }];
    if (budgets) {
      const all = budgets.flatMap((part) => part.variables);
      demand(all.length === n && new Set(all).size === n, "not every variable is in exactly one budget");
      demand(budgets.reduce((so, part) => so + part.k, 0) === k, "k is not the sum of the budgets");
    }
    const barred = new Set(exclude);
    const classes = (some) => new Set(some.filter((i) => !barred.has(i)).map((i) => labels?.[i] ?? i));
    demand(claim.parts.every((part) => part.k <= classes(part.variables).size), "fewer than k variables, or groups, may be used");
  }
  /** Say what keeps variables from being part of a support of the claim, or null; then every part of them is one, too. */
  function misfit(claim, used, parts = claim.parts) {
    if (used.some((i) => claim.exclude.includes(i))) return "has an excluded variable";
    if (claim.labels && new Set(used.map((i) => claim.labels[i])).size < used.length) return "has two variables of one group";
    const own = claim.isWhole ? [...new Set(used.map((i) => claim.groups.findIndex((group) => group.includes(i))))] : used;
    if (own.includes(-1)) return "has a variable that is in no group";
    const isOver = parts.some(({ k, variables }) => own.length > k && own.filter((i) => variables.includes(i)).length > k);
    return isOver ? "has, with those to include, more variables, or groups, than k" : null;
  }
  /** See that the supports listed meet the conditions, and keep their names. */
  function checkListed(claim) {
    const { supports, lower, upper, others } = claim.list;
    demand(others <= claim.upper, "more is claimed of other supports than of all");
    for (const T of supports) {
      demand(T.length === claim.k, "the listed supports are not all of k variables");
      const reason = claim.include.every((i) => T.includes(i)) ? misfit(claim, T) : "lacks a variable to include";
      demand(reason === null, `a listed support ${reason}`);
    }
    claim.list.names = new Set(supports.map(String));
    demand(claim.list.names.size === supports.length, "a support is listed twice");
    demand(lower.every((x, at) => x <= upper[at]), "a support is listed with lower above upper");
  }
  /** Read a claim about several components (§10). */
  function readSeveral(claim, value) {
    demand(claim.eliminated === null, "a claim about several components has no eliminated variables");
    const said = CLAIMS.components(value, "the claim", claim);
    const { sizes, supports, exclude = [] } = said;
    const [most, r] = [claim.n - exclude.length, sizes.length];
    demand(sizes.every((k, t) => k <= (t === 0 ? most : sizes[t - 1])), `the sizes must fall, from at most ${most}`);
    demand(r <= most, `there are ${r} components of ${most} variables`);
    demand(supports !== "common" || (sizes[0] === sizes[r - 1] && sizes[0] >= r), "a common support has one size, of at least their number");
    const copies = supports === "common" ? r : 1;
    const partCount = r / copies;
    const { include = Array(partCount).fill([]) } = said;
    demand(include.length === partCount, `include has not a list for each of ${partCount} parts`);
    demand(include.flat().length > 0 || !said.include, "include is empty");
    Object.assign(claim, said, { include, exclude, copies, partCount, size: claim.n, isNonnegative: false, labels: null });
  }
  /** Read the vectors. With what is to be included each meets the conditions of the claim, and so what is to be included does. */
  function readWitness(claim, value) {
    const { list, sizes, include, n } = claim;
    const known = { ...claim, ...list };
    const { components, list: z } = object({ components: VECTORS, ...(list && { list: array(["supports", "k"]) }) })(value, "the witness", known);
    const r = sizes?.length ?? 1;
    demand(components.length === r, `the witness has not ${r} component${r === 1 ? "" : "s"}`);
    claim.witness = components.map(({ support, loadings }, t) => {
      demand((claim.allowsNone && loadings.length === 0) || loadings.some((x) => x !== 0), "the loadings are all 0");
      demand(!claim.isNonnegative || loadings.every((x) => x >= 0), "a loading is below 0");
      const used = [...new Set([...support, ...(sizes ? include[claim.copies > 1 ? 0 : t] : include)])];
      const reason = misfit(claim, used, sizes && [{ k: sizes[t], variables: range(n) }]);
      demand(reason === null, `the support ${reason}`);
      return { support, z: loadings, used };
    });
    const all = claim.witness.flatMap(({ used }) => used);
    demand(claim.supports !== "disjoint" || new Set(all).size === all.length, "two supports are not disjoint");
    demand(claim.supports !== "common" || new Set(components.map(({ support }) => String(support))).size === 1, "the supports are not one");
    if (!list) return;
    list.loadings = list.supports.map((_, at) => z.subarray(at * claim.k, (at + 1) * claim.k));
    for (const own of list.loadings) demand(own.some((x) => x !== 0), "the loadings of a listed support are all 0");
  }

  // §4 File: evidence

  function readEvidence(claim, value) {
    const needed = { points: many(readPoint), tree: TREE };
    if (claim.eliminated && claim.rho === undefined) needed.elimination = readNode;
    if (claim.kind === "ratio") Object.assign(needed, { mu: real, exponents: many(integer(-1000, 1000), 0, "names") });
    const fit = claim.subject === "least_squares" && { fit: array(["names"]) };
    const beside = claim.sizes && { singles: SINGLES, fewer: FEWER };
    const { singles = [], fewer = [], ...found } = object(needed, { ...fit, ...beside })(value, "the evidence", claim);
    demand(!needed.elimination || ["rows", "factor"].includes(found.elimination.kind), "the elimination rule bounds nothing");
    const fits = (at) => at === null || found.points[at]?.type === "pairs";
    for (const { type, rows } of found.points) {
      demand(type !== "multipliers" || rows.every(fits), "the rows of multipliers are no points with P and N");
    }
    Object.assign(claim, found);
    const trees = new Map(singles.map(({ k, tree }) => [k, tree]));
    demand(trees.size === singles.length, "two singles have one k");
    demand(singles.every(({ k }) => k <= claim.n - claim.exclude.length), "a single has too many variables");
    claim.singles = new Map(claim.sizes?.map((k) => [k, singleOf(claim, k, trees.get(k))]));
    claim.fewer = fewer.map((one) => readFewer(claim, one));
    demand(new Set(fewer.map(({ sizes }) => String(sizes))).size === fewer.length, "two of fewer have the same sizes");
  }
  /** Return the claim about one component beside several (§10); its tree says what is proved of it, and without one nothing is. */
  function singleOf({ n, exclude, storage, entries, rows, points }, k, tree = null) {
    return {
      kind: "component", n, size: n, k, parts: [{ k, variables: range(n) }], include: [], exclude, labels: null, groups: null, list: null,
      isNonnegative: false, partOf: new Int32Array(n), storage, entries, rows, points, tree,
    };
  }
  /** Read what some of the components explain together (§10): a claim about these, with evidence of its own. */
  function readFewer(claim, { sizes, upper, evidence }) {
    const rest = [...claim.sizes];
    sizes.forEach((k, t) => {
      demand(rest.includes(k) && (t === 0 || sizes[t - 1] >= k), "the sizes of fewer are not some of those of the claim, falling");
      rest.splice(rest.indexOf(k), 1);
    });
    demand(sizes.length > 1 && rest.length > 0 && claim.supports !== "common", "fewer are one, or all, or on a common support");
    const own = { ...claim, sizes, partCount: sizes.length, include: sizes.map(() => []), upper, witness: null };
    readEvidence(own, evidence);
    return own;
  }
  function readPoint(value, what, claim) {
    const kind = value?.kind;
    demand(typeof kind === "string" && Object.hasOwn(POINTS, kind), `unknown kind of point '${kind}'`);
    const point = POINTS[kind](value, `a ${kind} point`, claim);
    const { variables, P, N, weights, paid = variables, vectors, factor, shift, rows } = point;
    const [r, v] = [vectors?.rows, paid.length];
    const isOwn = claim.storage === "factor" && r === claim.rows && !claim.groups && shift === 0;
    demand(factor !== null || isOwn, "a factor point has no factor of its own, and the subject's does not serve");
    for (let i = 0; P && i < v; i++) demand(P[i * v + i] === 0 && N[i * v + i] === 0, "P and N of a point are not 0 on the diagonal");
    const isPlaced = kind !== "multipliers" || (claim.kind === "components" && rows.length === claim.partCount);
    demand(isPlaced, "multipliers have a place in a claim about several components only, with rows for each part");
    const place = new Map(variables.map((i, at) => [i, at]));
    demand(paid.every((i) => place.has(i)), "P and N of a point are of a variable that it does not have");
    return { ...point, paid, type: P ? (weights ? "both" : "pairs") : weights ? "weights" : kind, r, place };
  }
  function readNode(value, what, claim) {
    const [kind, ...rest] = many(ANYTHING)(value, what);
    demand(typeof kind === "string" && Object.hasOwn(NODES, kind), `a node is of the unknown kind '${kind}'`);
    const [read, taken, fits] = NODES[kind];
    demand(fits(claim), `a ${kind} node has no place in this claim`);
    const node = { kind, ...read(rest, `a ${kind} node`, claim) };
    const { part = 0, variable = 0, point = null, points = [point], under = null } = node;
    const typeOf = (at) => (at === null ? "none" : claim.points[at]?.type);
    demand(part < (claim.partCount ?? 1) && variable < claim.size, `a ${kind} node is about part ${part} or variable ${variable}, not there`);
    demand(new Set(points).size === points.length, `a ${kind} node has a point twice`);
    const isUnder = under === null || (ofSeveral(claim) && typeOf(under) === "multipliers" && ["none", "weights"].includes(typeOf(point)));
    demand(isUnder && points.every((at) => taken.includes(typeOf(at))), `the point of a ${kind} node is not there, or of another kind`);
    return node;
  }

  // §4 Digest
  /** Return the hexadecimal digits of the SHA-256 of bytes, which browsers have for pages from a disk or from https. */
  async function sha256(bytes) {
    if (!globalThis.crypto?.subtle) throw new Refused("without https this browser computes no SHA-256: save the page, and open it from the disk");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (x) => x.toString(16).padStart(2, "0")).join("");
  }
  /** Return what the digest binds: the subject, its names and its description. */
  function bytesOf(claim) {
    const { subject, n, storage, names, description, eliminated } = claim;
    const texts = (all) => all.map((said) => `${new TextEncoder().encode(said).length}:${said}\n`).join("");
    const doubles = (values) => {
      const view = new DataView(new ArrayBuffer(8 * values.length));
      values.forEach((x, i) => view.setFloat64(8 * i, x + 0, true)); // -0 + 0 is 0
      return view;
    };
    const parts = [subject === "matrix" ? "relaxspca matrix 2\n" : "relaxspca pencil 1\n"];
    if (subject === "pencil") parts.push(`dense ${n}\n`, doubles(claim.numerator), doubles(claim.denominator), texts(names));
    else if (subject === "least_squares") {
      const { variables, response, intercept, ridge } = claim;
      parts.push(`least_squares ${response.length} ${n} ${intercept ? "intercept" : "origin"}${ridge === 0 ? "" : " ridge"}\n`);
      parts.push(...[variables, response, ridge === 0 ? [] : [ridge]].map(doubles), texts(names));
    } else {
      const { kind, observations, is_centred: isCentred, deflation } = description;
      parts.push(`${storage} ${claim.rows} ${n}\n`, doubles(claim.entries), texts(names), texts([kind]));
      parts.push(`observations ${observations ?? "unknown"}\ncentred ${isCentred === null ? "unknown" : isCentred ? "yes" : "no"}\n`);
      parts.push(deflation ? `deflation ${deflation.names.length} ${deflation.loadings.length / deflation.names.length}\n` : "deflation none\n");
      if (deflation) parts.push(texts([deflation.method, deflation.digest]), texts(deflation.names), doubles(deflation.loadings));
      parts.push(`eliminated ${eliminated ? eliminated.variances.length : "none"}\n`);
      if (eliminated) parts.push(texts(eliminated.names), doubles(eliminated.variances), doubles([eliminated.shift]));
    }
    return new Blob(parts).arrayBuffer();
  }

  // §4 Companion
  /** Return the arrays in a companion that a document refers to, with their most bytes. */
  function wanted(node, found = new Map()) {
    if (typeof node !== "object" || node === null) return found;
    if (typeof node.npz === "string" && Array.isArray(node.shape)) {
      const count = node.shape.reduce((a, b) => a * Number(b), 1);
      const name = `${node.npz}.npy`;
      if (count <= MOST_NUMBERS) found.set(name, Math.max(found.get(name) ?? 0, 8 * count + MOST_HEADER));
    }
    for (const value of Object.values(node)) wanted(value, found);
    return found;
  }
  const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
    return byte;
  });
  const crc32 = (bytes) => ~bytes.reduce((crc, byte) => (crc >>> 8) ^ CRC[(crc ^ byte) & 255], -1) >>> 0;
  /** Return the members of an .npz, each up to a stated size. */
  async function openNpz(bytes, sizes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const members = new Map();
    try {
      const end = bytes.length - 22;
      const isOne = (holds) => demand(holds, "the companion is not one zip archive from its first byte to its last");
      isOne(end >= 0 && view.getUint32(end, true) === 0x06054b50 && view.getUint16(end + 20, true) === 0);
      let [at, first] = [view.getUint32(end + 16, true), Infinity];
      isOne(at + view.getUint32(end + 12, true) === end);
      for (let left = view.getUint16(end + 10, true); left > 0; left--) {
        isOne(at + 46 <= end && view.getUint32(at, true) === 0x02014b50);
        const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
        const [crc, packed, size] = [16, 20, 24].map((by) => view.getUint32(at + by, true));
        const [name, extra, comment] = [28, 30, 32].map((by) => view.getUint16(at + by, true));
        const start = view.getUint32(at + 42, true);
        const called = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at + 46, at + 46 + name));
        at += 46 + name + extra + comment;
        first = Math.min(first, start);
        demand(!members.has(called) && !(flags & 1) && (method === 0 || method === 8), `'${called}' of the companion cannot be read`);
        const most = sizes.get(called);
        demand(most !== undefined, `no array refers to '${called}' of the companion`);
        demand(size <= most, `'${called}' of the companion is larger than its shape`);
        isOne(view.getUint32(start, true) === 0x04034b50);
        const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
        const raw = bytes.subarray(from, from + packed);
        demand(raw.length === packed && size <= MOST_DEFLATED * packed, `'${called}' of the companion is damaged`);
        const content = method === 0 ? raw.slice() : await inflated(raw, size);
        demand(content.length === size && crc32(content) === crc, `'${called}' of the companion is damaged`);
        members.set(called, content);
      }
      isOne(at === end && (first === 0 || first === Infinity));
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(`the companion cannot be read: ${error.message}`);
    }
    return members;
  }
  /** Undo deflate, up to a size. */
  async function inflated(raw, most) {
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
  /** Read a certificate, {text}, with its companions [{name, bytes}]; `stem` is that of the file, if it is known. */
  async function openFile({ text, companions = [], stem }) {
    const document = parse(text);
    const stated = document?.arrays;
    const hashed = async (claim) => {
      demand(claim.digest === `sha256:${await sha256(await bytesOf(claim))}`, "the digest is not that of the subject: one of them was changed");
      return claim;
    };
    if (stated === undefined) return hashed(readDocument(document));
    ARRAYS(stated, "arrays");
    const allowed = [`${stem}.npz`, `${stem}.${stated.sha256.slice(0, 8)}.npz`];
    demand(stem === undefined || allowed.includes(stated.file), "arrays must be in the .npz of the same stem beside the file");
    const companion = companions.find(({ name }) => name === stated.file);
    if (!companion) throw new Refused(`the companion '${stated.file}' is missing`);
    demand(companion.bytes.length <= 2 ** 32, "the companion is too large");
    demand((await sha256(companion.bytes)) === stated.sha256, `the sha256 of '${stated.file}' is not the one stated`);
    return hashed(readDocument(document, await openNpz(companion.bytes, wanted(document))));
  }

  // §6 Tree. A node stands for boxes {k, J, F}, one for each part of §10 and else only one: J is forced in, F is free.
  const nameOf = ({ k, J, F }) => `${k};${J};${F}`;
  /** Return a box with i forced in, too; of F those that can stand beside it. */
  function forcedIn({ labels }, box, i) {
    return { ...box, J: sorted([...box.J, i]), F: box.F.filter((j) => j !== i && !(labels && labels[j] === labels[i])) };
  }
  /** Return what stands below a node: pairs of a child and its boxes. */
  function childrenOf(claim, here, at, boxes) {
    if (here.kind === "split") {
      const { part, variable, inside, outside } = here;
      const box = boxes[part];
      if (!box.F.includes(variable)) throw new TooLittle(`node ${at} splits a variable that is not free`);
      const own = nameOf(box);
      // Where an equal part has the variable, an exchange of the two gives it to this one.
      const without = boxes.map((other) => (nameOf(other) === own ? { ...other, F: other.F.filter((i) => i !== variable) } : other));
      return [[outside, without], [inside, boxes.map((other, t) => (t === part ? forcedIn(claim, box, variable) : other))]];
    }
    if (here.kind !== "restrict") return [];
    const kept = new Set(here.kept);
    return [[here.child, boxes.map((box, t) => (t === here.part ? { ...box, F: box.F.filter((i) => kept.has(i)) } : box))]];
  }
  /** Return the leaves and the restrict nodes with their boxes, or say what is wrong with the tree. */
  function casesOf(claim, start) {
    const { tree } = claim;
    const seen = new Uint8Array(tree.length);
    const found = [];
    const waiting = [[0, start]];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const [at, boxes] = node;
      if (at >= tree.length) throw new TooLittle(`the tree has no node ${at}`);
      if (seen[at]) throw new TooLittle(`node ${at} of the tree is reached twice`);
      seen[at] = 1;
      if (tree[at].kind !== "split") found.push({ at, node: tree[at], boxes });
      waiting.push(...childrenOf(claim, tree[at], at, boxes));
    }
    const idle = seen.indexOf(0);
    if (idle >= 0) throw new TooLittle(`node ${idle} of the tree is never reached`);
    return found;
  }

  // §1 Families
  /** Return the box of the root of a claim about one component or a ratio, or of one part. */
  function rootOf(claim, include = claim.include) {
    const barred = new Set(claim.exclude);
    const all = { J: [], F: range(claim.size).filter((i) => !barred.has(i)) };
    return include.reduce((box, i) => forcedIn(claim, box, i), all);
  }
  /** Return the family of a box: what is left to take of each part, or null if there is no support; m is the size at a penalty. */
  function familyOf(claim, { J, F }, m) {
    const { k, partOf, labels, isNonnegative } = claim;
    let rooms = m === undefined ? claim.parts.map((part) => part.k) : [m];
    if (isNonnegative) {
      if (J.length > k || J.length + F.length === 0) return null;
      rooms = [Math.min(k, J.length + F.length)];
    }
    for (const i of J) rooms[partOf[i]] -= 1;
    const own = rooms.map((_, b) => F.filter((i) => partOf[i] === b));
    const counts = own.map((some) => (labels ? new Set(some.map((i) => labels[i])).size : some.length));
    if (rooms.some((room, b) => room < 0 || counts[b] < room)) return null;
    const isSingle = rooms.every((room, b) => room === 0 || room === own[b].length);
    const left = rooms.length === 1 ? (rooms[0] > 0 ? F : []) : F.filter((i) => rooms[partOf[i]] > 0);
    return { J, F: left, rooms, rows: sorted([...J, ...left]), isSingle };
  }

  // §7 Row charges
  /** Charges p_ij, which `entry` makes, of rows i and columns j; the other columns of a row are put in falling order once.
   * `near` returns a double x near the charge, and at least how far off it is: where two may be equal the charges decide. */
  class RowCharges {
    constructor(entry, partOf, labels, near = (a, b) => ({ x: doubleBelow(entry(a, b)), off: 0 })) {
      Object.assign(this, { entry, partOf, labels, near, known: new Map() });
    }
    order(a) {
      if (this.known.has(a)) return this.known.get(a);
      const keys = Array.from(this.partOf, (_, j) => this.near(a, j));
      const slack = 2 * maximum(keys.map(({ off }) => off)) + 2 ** -1000;
      const compared = (d, i, j) => (Math.abs(d) > slack ? d : descending(this.entry(a, i), this.entry(a, j)));
      const order = [...this.partOf.keys()].filter((j) => j !== a).sort((i, j) => compared(keys[j].x - keys[i].x, i, j));
      if (order.length <= MOST_KNOWN) this.known.set(a, order);
      return order;
    }
    /** Return the charge of row a of those supports of a family that have a variable that is out, null if there are none. */
    without(a, here, isOut) {
      if (isOut(a)) return this.of(a, here);
      const others = this.order(a).filter((j) => here.free[j] && isOut(j));
      // With one part and no classes the dearest of them is in the dearest support.
      const few = here.rooms.length === 1 && !this.labels ? others.slice(0, 1) : others;
      const found = few.map((j) => this.of(a, here, j)).filter((c) => c !== null);
      return found.length ? largest(found) : null;
    }
    /** Return the charge of row a of a family, or of those of its supports that have `extra`, null if there are none. */
    of(a, { J, free, rooms }, extra = -1) {
      const { partOf, labels } = this;
      const left = rooms.slice();
      const taken = new Set(labels ? [labels[a]] : []);
      let c = this.entry(a, a);
      const fits = (j) => left[partOf[j]] > 0 && !(labels && taken.has(labels[j]));
      const take = (j) => {
        c = add(c, this.entry(a, j));
        if (labels) taken.add(labels[j]);
        left[partOf[j]] -= 1;
      };
      if (free[a]) left[partOf[a]] -= 1;
      for (const j of J) if (j !== a) c = add(c, this.entry(a, j));
      if (extra >= 0 && !fits(extra)) return null;
      if (extra >= 0) take(extra);
      const isFull = () => left.every((room) => room <= 0);
      for (const j of isFull() ? [] : this.order(a)) {
        if (free[j] && j !== extra && fits(j)) take(j);
        if (isFull()) break;
      }
      return c;
    }
  }

  // §7 Rules
  /** A bound on an eigenvalue: that of M on some rows, and a number more. */
  const eigenBound = (eigenvalues, M, rows, name = null, more = ZERO) => ({
    isAtMost: (tau) => eigenvalues.remembered(name, M, rows, sub(tau, more)),
    value: () => add(eigenvalues.upper(M, rows), more),
  });
  /** Return a bound on the largest eigenvalue of M + Diag c on some rows, c what each is charged. */
  function charged(eigenvalues, M, rows, charge) {
    const at = (a, b) => (a === b ? add(M.at(rows[a], rows[a]), charge(rows[a])) : M.at(rows[a], rows[b]));
    return eigenBound(eigenvalues, symmetric(rows.length, at), range(rows.length));
  }
  /** The rules that bound core(M, y, family, level); all of M is `unit` times what it is called in the specification. */
  class Core extends Once {
    /** `onUnion` bounds a support of groups. */
    constructor(claim, eigenvalues, M, { unit = ONE, onUnion = null } = {}) {
      super();
      Object.assign(this, { claim, eigenvalues, M, unit, onUnion });
    }
    /** Prove that a family, which is not empty, explains at most tau, in units. */
    prove(leaf, family, tau) {
      if (leaf.kind === "listed") this.listed(family);
      else if (!this.boundOf(leaf, family).isAtMost(tau)) throw new TooLittle("its bound is above what is to be proved");
    }
    /** Return the bound of a leaf. */
    boundOf({ kind, point: number }, family) {
      const point = number === null ? null : this.claim.points[number];
      if (kind === "collatz") return this.collatz(point, family);
      this.demandRows(point, family.rows);
      if (kind === "factor") return this.factor(family, point, number);
      if (point === null) return this.plain(family);
      return point.P ? this.pairs(family, point, number) : this.weights(family, point, number);
    }
    demandRows(point, rows) {
      const missing = point ? rows.filter((i) => !point.place.has(i)) : [];
      if (missing.length) throw new TooLittle(`its point says nothing of the variables ${missing.slice(0, 9)}`);
    }
    listed({ isSingle, rows }) {
      if (!isSingle) throw new TooLittle("a listed leaf has more than one support");
      if (!this.claim.list.names.has(String(rows))) throw new TooLittle(`its support ${rows} is not listed`);
    }
    plain({ rows, isSingle }) {
      if (this.onUnion && isSingle) return this.onUnion(rows);
      return eigenBound(this.eigenvalues, this.M, rows, `M ${rows}`);
    }
    /** The charges of a point, every row times its weight, so that nothing is divided; the weights, and with P and N what is left of M. */
    weighted(point, number) {
      return this.once(`weights ${number}`, () => {
        const { M, claim: { isNonnegative, partOf, labels } } = this;
        const variables = point ? point.variables : range(M.n);
        const times = (a) => point?.weights?.[a] ?? 1;
        const w = variables.map((_, a) => dyadic(times(a)));
        const slots = new Map((point?.P ? point.paid : []).map((i, at) => [point.place.get(i), at]));
        const isPaid = (a, b) => slots.has(a) && slots.has(b);
        const of = (values, a, b) => values[slots.get(a) * slots.size + slots.get(b)];
        const N = point?.P && paired(point, isNonnegative);
        const p = (a, b) => {
          if (isPaid(a, b)) return mul(mul(of(N, a, b), this.unit), w[a]);
          const x = M.at(variables[a], variables[b]);
          if (a === b) return N ? ZERO : mul(x, w[b]);
          return x.m === 0n || (isNonnegative && x.m < 0n) ? ZERO : mul(abs(x), w[b]);
        };
        const near = (a, b) => {
          const [x, y] = [M.near(variables[a], variables[b]), isPaid(a, b) ? of(point.N, a, b) * times(a) : null];
          const key = y ?? (isNonnegative ? Math.max(x, 0) : Math.abs(x)) * times(b);
          return { x: key, off: (y === null ? M.off(variables[a], variables[b]) * times(b) * 2 : 0) + 2 ** -52 * key };
        };
        const P = (a, b) => (isPaid(a, b) ? mul(dyadic(of(point.P, a, b)), this.unit) : ZERO);
        const rest = N && symmetric(w.length, (a, b) => (a === b || isPaid(a, b) ? sub(M.at(variables[a], variables[b]), P(a, b)) : ZERO));
        const [parts, own] = [partOf, labels].map((list) => list && variables.map((i) => list[i]));
        return { variables, w, p, near, rest, charges: new RowCharges(p, parts, own, M.near && near) };
      });
    }
    /** Return a family in places of a point. */
    local(point, { J, F, rooms }) {
      const at = (list) => (point ? list.map((i) => point.place.get(i)) : list);
      const free = new Uint8Array(point ? point.variables.length : this.M.n);
      for (const j of at(F)) free[j] = 1;
      return { J: at(J), F: at(F), rooms, free, at };
    }
    weights(family, point, number) {
      const { w, charges } = this.weighted(point, number);
      const here = this.local(point, family);
      const own = [...here.J, ...here.F];
      const isLow = (tau) => {
        const fits = (a, c) => atMost(c, mul(tau, w[a]));
        // No family of these sizes charges a row more than that of all variables: what fits there fits at every leaf.
        const rooms = here.rooms.map((room, b) => room + here.J.filter((a) => charges.partOf[a] === b).length);
        const low = this.once(`low ${number} ${tau.m} ${tau.e} ${rooms}`, () => new Map());
        const most = (a) => charges.of(a, { J: [], free: new Uint8Array(w.length).fill(1), rooms });
        const rest = own.filter((a) => !(low.get(a) ?? low.set(a, fits(a, most(a))).get(a)));
        return rest.every((a) => fits(a, charges.of(a, here)));
      };
      return { isAtMost: isLow, value: () => largest(own.map((a) => quotient(charges.of(a, here), w[a]))) };
    }
    pairs(family, point, number) {
      const [{ rest, w, charges }, here] = [this.weighted(point, number), this.local(point, family)];
      return charged(this.eigenvalues, rest, here.at(family.rows), (a) => quotient(charges.of(a, here), w[a]));
    }
    factor(family, point, number) {
      const { A, V, r, s, residual } = this.once(`factor ${number}`, () => this.factorParts(point));
      const { partOf } = this.claim;
      const { J, F, rooms } = family;
      const { J: own, F: free } = this.local(point, family);
      const M = this.once(`factor ${number} on ${J} and ${F}`, () => {
        const columns = [...own.map((i) => A[i]), ...free.map((i) => V[i])];
        const made = gram(columns.flat(), columns.length, r);
        return symmetric(r, (i, j) => mul(made.at(i, j), this.unit));
      });
      const paid = rooms.map((room, b) => {
        const charges = F.filter((i) => partOf[i] === b).map((i) => s[point.place.get(i)]);
        return add(mul(mul(dyadic(point.rho), this.unit), whole(room)), top(charges, room));
      });
      const more = total([residual, mul(dyadic(-point.shift), this.unit), ...paid]);
      return eigenBound(this.eigenvalues, M, range(r), `factor ${number} on ${J} and ${F}`, more);
    }
    /** Return the columns of A and of the vectors, the charges s_i and the residual of a factor point. */
    factorParts({ variables, r, factor, vectors, shift, rho }) {
      const v = variables.length;
      const columns = (values, n, chosen) => chosen.map((i) => range(r).map((l) => dyadic(values[l * n + i])));
      const A = factor ? columns(factor, v, range(v)) : columns(this.claim.entries, this.M.n, variables);
      const V = columns(vectors, v, range(v));
      const gap = (a, b) => {
        const x = sub(this.M.at(variables[a], variables[b]), mul(dot(A[a], A[b]), this.unit));
        return a === b ? add(x, mul(dyadic(shift), this.unit)) : x;
      };
      const s = A.map((a, i) => {
        const [aa, av, vv] = [dot(a, a), dot(a, V[i]), dot(V[i], V[i])];
        const p = sub(aa, vv);
        const star = half(add(p, root(add(mul(p, p), mul(whole(4), sub(mul(aa, vv), mul(av, av)))))));
        const charge = sub(star, dyadic(rho));
        return charge.m > 0n ? mul(charge, this.unit) : ZERO;
      });
      return { A, V, r, s, residual: factor ? rowSum(range(v), gap) : ZERO };
    }
    /** The bound by w > 0 on W in J with (Mw)_i <= 0 for all others: the largest (Mw)_i / w_i. */
    collatz({ variables: W, weights }, { J, F }) {
      const { M } = this;
      if (W.length === 0 || !W.every((i) => J.includes(i))) throw new TooLittle("the variables of its weights are not forced in");
      const w = Array.from(weights, dyadic);
      const image = (i) => total(w.map((x, at) => mul(M.at(i, W[at]), x)));
      const others = [...J, ...F].filter((i) => !W.includes(i) && image(i).m > 0n);
      if (others.length) throw new TooLittle(`(Mw)_i is above 0 for the variables ${others.slice(0, 9)}`);
      return { isAtMost: (tau) => W.every((i, at) => atMost(image(i), mul(tau, w[at]))) };
    }
    /** Prove that supports of a box that are not at the child of a restrict node explain at most the level; say whether the box has any. */
    restrict({ point: number, level, kept }, box) {
      const { claim } = this;
      const family = claim.rho === undefined ? familyOf(claim, box) : { ...box, rows: sorted([...box.J, ...box.F]), rooms: [] };
      if (family === null || family.rows.length === 0) return false;
      const [point, isKept] = [number === null ? null : claim.points[number], new Set(kept)];
      this.demandRows(point, family.rows);
      const left = family.F.filter((i) => !isKept.has(i));
      const [{ w, p, rest, charges }, here] = [this.weighted(point, number), this.local(point, family)];
      const net = (a) => w.map((_, b) => sub(p(a, b), mul(dyadic(claim.rho), w[a])));
      const most = (a, isOut) => (claim.rho === undefined ? charges.without(a, here, isOut) : penalised(net(a), a, here, isOut));
      const tau = mul(dyadic(level), this.unit);
      const proves = (out) => {
        const some = new Set(out);
        const paid = new Map(here.at(family.rows).map((a) => [a, most(a, (b) => some.has(b))]).filter(([, c]) => c !== null));
        if (!rest) return [...paid].every(([a, c]) => atMost(c, mul(tau, w[a])));
        if (paid.size === 0 || charged(this.eigenvalues, rest, [...paid.keys()], (a) => quotient(paid.get(a), w[a])).isAtMost(tau)) return true;
        const half = out.length >> 1; // so many at once have the largest of their charges
        return half > 0 && [out.slice(0, half), out.slice(half)].every(proves);
      };
      if (left.length && !proves(here.at(left))) throw new TooLittle("supports with variables that are left out are not proved to explain its level");
      return true;
    }
  }
  /** Return N in numbers, having checked that it pays for P. */
  function paired({ paid, P, N: given }, isNonnegative) {
    const v = paid.length;
    const N = Array.from(given, dyadic);
    for (let a = 0; a < v; a++) {
      for (let b = 0; b < a; b++) {
        const p = dyadic(P[a * v + b]);
        const isOwed = p.m !== 0n && !(isNonnegative && p.m < 0n);
        if (isOwed && !atMost(mul(p, p), mul(N[a * v + b], N[b * v + a]))) throw new TooLittle("a pair of its point is charged too little");
      }
    }
    return N;
  }
  /** Charge row a at a penalty, where every p has the penalty taken off, and a row pays what is positive in F, what it has
   * besides, and one of F that is out if it is none itself. */
  function penalised(p, a, { J, F }, isOut) {
    const besides = (list) => list.filter((j) => j !== a).map((j) => p[j]);
    const all = total([p[a], ...besides(J), ...besides(F).map((x) => largest([ZERO, x]))]);
    const dearest = isOut(a) ? ZERO : largest(F.filter(isOut).map((j) => p[j]));
    return dearest.m < 0n ? add(all, dearest) : all;
  }
  /** What is common to all claims: a tree, and what is to be proved at each of its leaves. */
  class ByCases extends Once {
    setCases(claim, boxes) {
      this.cases = [];
      this.defect = shortcoming(() => (this.cases = casesOf(claim, boxes)));
    }
    /** Prove every leaf, and the level of every restrict node, by tau, in units; return the number of leaves. */
    prove(tau, progress = () => {}) {
      if (this.defect !== null) throw new TooLittle(this.defect);
      this.cases.forEach(({ at, node, boxes }, done) => {
        const reason = shortcoming(() => this.proveCase(node, boxes, tau));
        if (reason !== null) throw new TooLittle(`node ${at} (${node.kind}): ${reason}`);
        progress(done + 1, this.cases.length);
      });
      return this.cases.length;
    }
  }
  /** The same of claims about one component and about ratios: a tree over core claims. */
  class ByCore extends ByCases {
    setTree(claim, core) {
      this.core = core;
      claim.partOf = new Int32Array(claim.size);
      claim.parts.forEach(({ variables }, b) => variables.forEach((i) => (claim.partOf[i] = b)));
      this.setCases(claim, [rootOf(claim)]);
    }
    proveCase(node, [box], tau) {
      const { claim, core } = this;
      if (node.kind === "restrict") {
        const isMet = core.restrict(node, box) && !atMost(mul(dyadic(node.level), core.unit), tau);
        if (isMet) throw new TooLittle("its level is above what is to be proved");
      } else if (claim.rho === undefined) {
        const family = familyOf(claim, box);
        if (family) core.prove(node, family, tau);
      } else {
        const rho = dyadic(claim.rho);
        for (let m = Math.max(1, box.J.length); m <= box.J.length + box.F.length; m++) {
          core.prove(node, familyOf(claim, box, m), add(tau, mul(rho, whole(m))));
        }
      }
    }
  }

  /** Return x'Sx for the entries of x on T. */
  const formOf = (S, T, x) => dot(x, T.map((i) => dot(x, T.map((j) => S.at(i, j)))));
  /** Return the matrix of a claim. */
  function sigmaOf({ n, storage, entries, rows }) {
    if (storage === "dense") return { ...ofDoubles(entries, n), near: (i, j) => entries[i * n + j], off: () => 0 };
    const columns = range(n).map((i) => Float64Array.from({ length: rows }, (_, l) => entries[l * n + i]));
    const sizes = columns.map((column) => column.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
    // Every product and every sum is off by a part of 2^-53 of what it is at most, and a product by 2^-1075 more.
    const off = (i, j) => rows * ((rows + 4) * 2 ** -53 * sizes[i] * sizes[j] + 2 ** -1073);
    return { ...gram(Array.from(entries, dyadic), rows, n), near: (i, j) => columns[i].reduce((sum, x, l) => sum + x * columns[j][l], 0), off };
  }

  // §2 One component

  class OneComponent extends ByCore {
    constructor(claim, eigenvalues) {
      super();
      Object.assign(this, { claim, eigenvalues });
      this.Sigma = sigmaOf(claim);
      const onUnion = (groups) => {
        const T = sorted(groups.flatMap((g) => claim.groups[g]));
        return eigenBound(eigenvalues, this.Sigma, T, `Sigma ${T}`);
      };
      const M = claim.isWhole ? this.compressed() : claim.labels ? separated(this.Sigma, claim.labels) : this.Sigma;
      this.setTree(claim, new Core(claim, eigenvalues, M, { onUnion: claim.isWhole ? onUnion : null }));
      this.attained = this.attainedOn();
    }
    /** Return B with B_GG >= lambda_max(Sigma_GG) and B_GH >= |Sigma_GH|, a row for each group. */
    compressed() {
      const { Sigma, eigenvalues, claim: { groups } } = this;
      return symmetric(groups.length, (a, b) => {
        const [G, H] = [groups[a], groups[b]];
        if (a === b) return eigenvalues.upper(Sigma, G);
        const [rows, columns] = G.length <= H.length ? [H, G] : [G, H];
        const C = rows.flatMap((i) => columns.map((j) => Sigma.at(i, j)));
        return root(eigenvalues.upper(gram(C, rows.length, columns.length), range(columns.length)));
      });
    }
    /** §11: what a vector attains; at a penalty less what its support costs. */
    attainedBy(T, z, S = this.Sigma, places = null) {
      const { rho, allowsNone, include } = this.claim;
      const own = T.length ? total(Array.from(z, (x) => mul(dyadic(x), dyadic(x)))) : ONE;
      const down = mul(own, S.den ?? ONE);
      let up = formOf(S, places ? T.map((i) => places[i]) : T, Array.from(z, dyadic));
      if (rho !== undefined) up = sub(up, mul(down, mul(dyadic(rho), whole(new Set([...T, ...include]).size))));
      if (allowsNone && up.m < 0n) up = ZERO;
      return over(up, down);
    }
    attainedOn(S = this.Sigma, places = null) {
      const [{ support, z }] = this.claim.witness;
      return this.attainedBy(support, z, S, places);
    }
    provesOn(T, bound) {
      return this.eigenvalues.remembered(`Sigma ${T}`, this.Sigma, T, bound);
    }
    /** The condition on which a claim about eliminated variables rests. */
    isConditionProved() {
      const { eliminated, storage } = this.claim;
      return !eliminated || storage === "factor" || this.eigenvalues.atMost(negative(this.Sigma), range(this.Sigma.n), dyadic(eliminated.shift));
    }
    /** Prove the bound at every leaf, and of the eliminated variables; return the number of leaves. */
    prove(bound, progress) {
      const { claim } = this;
      const target = claim.eliminated ? this.proveEliminated(bound) : bound;
      if (claim.allowsNone && target.m < 0n) throw new TooLittle("no variables have the value 0, which is above the bound");
      return super.prove(target, progress);
    }
    /** Prove the bound of supports with eliminated variables; return what the tree has to prove. */
    proveEliminated(bound) {
      const { eliminated, elimination, rho, k, size } = this.claim;
      const shift = dyadic(eliminated.shift);
      const variances = Array.from(eliminated.variances, dyadic).sort(descending);
      if (rho !== undefined) {
        const gains = variances.map((x) => sub(add(x, shift), dyadic(rho)));
        return sub(bound, total(gains.filter((x) => x.m > 0n)));
      }
      for (let b = 1; b <= Math.min(k, variances.length); b++) {
        const room = sub(bound, add(total(variances.slice(0, b)), mul(whole(b), shift)));
        const family = familyOf(this.claim, { J: [], F: range(size) }, k - b);
        const reason = shortcoming(() => {
          if (b < k) this.core.prove(elimination, family, room);
          else if (room.m < 0n) throw new TooLittle("their variances are above the bound");
        });
        if (reason !== null) throw new TooLittle(`supports with eliminated variables: ${reason}`);
      }
      return bound;
    }
  }

  // §9 Ratios. With an intercept all is multiplied by p^2, p the number of rows, so that nothing is divided.
  /** Return A, B, both times `unit`, and for least squares b and what y'Cy is, times the same. */
  function formsOf(claim) {
    const { n, subject, variables, response, numerator, denominator } = claim;
    if (subject === "least_squares") return leastSquares(Array.from(variables, dyadic), Array.from(response, dyadic), n, claim);
    return { A: ofDoubles(numerator, n), B: ofDoubles(denominator, n), unit: ONE, square: null };
  }
  /** Return X'X of p rows, or p times the same about the means, and that factor. */
  function scatter(X, p, n, isCentred) {
    const G = gram(X, p, n);
    const sums = range(n).map((i) => (isCentred ? total(range(p).map((l) => X[l * n + i])) : ZERO));
    const rows = isCentred ? whole(p) : ONE;
    return { C: symmetric(n, (i, j) => sub(mul(rows, G.at(i, j)), mul(sums[i], sums[j]))), rows };
  }
  function leastSquares(X, y, n, { intercept, ridge }) {
    const { C, rows } = scatter(y.flatMap((x, l) => [...X.slice(l * n, (l + 1) * n), x]), y.length, n + 1, intercept);
    const unit = mul(rows, rows);
    return {
      A: symmetric(n, (i, j) => mul(C.at(i, n), C.at(j, n))),
      B: symmetric(n, (i, j) => add(mul(rows, C.at(i, j)), i === j ? mul(unit, dyadic(ridge)) : ZERO)),
      b: range(n).map((i) => mul(rows, C.at(i, n))),
      unit,
      square: mul(rows, C.at(n, n)),
    };
  }

  const byPowers = (M, e) => symmetric(M.n, (i, j) => byPower(M.at(i, j), e[i] + e[j]));

  class Ratio extends ByCore {
    constructor(claim, eigenvalues) {
      super();
      Object.assign(this, { claim, eigenvalues, forms: formsOf(claim) });
      const { B, unit } = this.forms;
      this.minusB = byPowers(negative(B), claim.exponents);
      /** A lower bound on the smallest eigenvalue of DBD, times the unit. */
      this.beta = neg(eigenvalues.upper(this.minusB, range(claim.n)));
      this.setTree(claim, new Core(claim, eigenvalues, this.shifted(dyadic(claim.mu)), { unit }));
      const [{ support, z }] = claim.witness;
      this.attained = this.attainedBy(support, z);
    }
    /** Return D(A - mu B)D, without the entries within groups. */
    shifted(mu) {
      const { A, B } = this.forms;
      const { n, labels, exponents } = this.claim;
      const M = symmetric(n, (i, j) => sub(A.at(i, j), mul(mu, B.at(i, j))));
      return byPowers(labels ? separated(M, labels) : M, exponents);
    }
    attainedBy(T, z, { A, B } = this.forms) {
      const [p, q] = [A, B].map((S) => formOf(S, T, Array.from(z, dyadic)));
      return q.m > 0n ? over(p, q) : null;
    }
    /** Say whether all variables together are proved to explain at most so much. */
    isExplained(most) {
      const { square, unit } = this.forms;
      if (square === null) return false;
      const left = mul(most, unit);
      return atMost(square, left) || this.isFitted(left);
    }
    /** The same by a fit w, of which with h = b - Bw all explain at most w'(b + h) + |Dh|^2 / beta. */
    isFitted(most) {
      const { claim: { fit, exponents, n }, forms: { b, B }, beta } = this;
      if (!fit) return false;
      const w = Array.from(fit, dyadic);
      const slopes = b.map((x, i) => sub(x, dot(w, range(n).map((j) => B.at(i, j)))));
      const left = sub(most, dot(w, slopes.map((h, i) => add(b[i], h))));
      const excess = total(slopes.map((h, i) => byPower(mul(h, h), 2 * exponents[i])));
      if (left.m < 0n || excess.m === 0n) return left.m >= 0n;
      return beta.m > 0n && atMost(excess, mul(beta, left));
    }
    provesOn(T, bound) {
      return this.isExplained(bound) || this.eigenvalues.atMost(this.shifted(bound), T, ZERO);
    }
    /** Prove that the bound holds of every support that is not listed; return the number of leaves. */
    prove(bound, progress) {
      const isSound = this.claim.subject === "least_squares" || this.beta.m > 0n;
      if (!isSound) throw new TooLittle("the denominator is not proved to be positive definite");
      if (this.isExplained(bound)) return this.cases.length;
      const room = sub(bound, dyadic(this.claim.mu));
      if (this.defect === null && room.m < 0n) throw new TooLittle("mu is above the bound");
      return super.prove(this.beta.m > 0n ? mul(room, this.beta) : ZERO, progress);
    }
  }

  // §11 Several components, made exactly orthogonal in whole numbers

  const [MOST_BITS, MOST_WORK] = [2 ** 19, 2 ** 47]; // of an entry, and products of bits of all vectors together
  const countOf = (x) => x.filter((m) => m !== 0n).length;
  const madeOf = (x) => ({ x, square: inner(x, x), count: countOf(x) });
  /** Take out of a vector what its entries have in common; the direction stays. */
  function primitive(x) {
    const g = x.reduce((found, m) => gcd(found, magnitude(m)), 0n);
    return g > 1n ? x.map((m) => m / g) : x;
  }
  /** Return a multiple of doubles in whole numbers. */
  const wholeOf = (values) => primitive(inUnits(Array.from(values, dyadic)).ints);
  /** Return the components of a claim made exactly orthogonal one after the other, each inside its support. They may grow
   * threefold each time: there are limits. */
  function orthogonal({ n, witness }) {
    let work = 0;
    const count = (length, bits) => {
      work += length * bits ** 2;
      if (work > MOST_WORK) throw new TooLittle(`orthogonal components take more than ${MOST_WORK} products of bits`);
    };
    /** Return a multiple of x without its projections on a basis, and without common divisors. */
    const without = (x, basis) => basis.reduce((y, b) => {
      const along = inner(b.x, y);
      if (along === 0n) return y;
      const common = gcd(magnitude(along), b.square);
      const [p, q] = [along / common, b.square / common];
      const bits = bitLength(y.map(magnitude).reduce((a, c) => (a > c ? a : c))) + bitLength(q);
      if (bits > MOST_BITS) throw new TooLittle(`orthogonal components take numbers of more than ${MOST_BITS} bits`);
      count(y.length, bits);
      return primitive(y.map((m, i) => m * q - b.x[i] * p));
    }, x);
    const done = [];
    for (const t of range(witness.length).sort((a, b) => witness[a].support.length - witness[b].support.length || a - b)) {
      const { support, z } = witness[t];
      const here = done.map((v) => ({ ...v, x: support.map((i) => v.x[i]) }));
      // An orthogonal basis of what the earlier ones have here; those that are 0 elsewhere are orthogonal here, too.
      const basis = here.filter((v) => countOf(v.x) === v.count);
      for (const v of here.filter((one) => ![0, one.count].includes(countOf(one.x)))) {
        const rest = without(v.x, basis);
        if (countOf(rest) > 0) basis.push(madeOf(rest));
      }
      const x = without(wholeOf(z), basis);
      if (countOf(x) === 0) throw new TooLittle("the components cannot be made orthogonal inside their supports: one becomes 0");
      const everywhere = new Array(n).fill(0n);
      support.forEach((i, at) => (everywhere[i] = x[at]));
      done.push(madeOf(everywhere));
    }
    count(8, done.reduce((sum, { square }) => sum + bitLength(square), 0)); // to add up what they attain
    return done;
  }
  /** Return what orthogonal components attain together. */
  function attainedTogether(M, all, places) {
    return all.map(({ x, square }) => {
      const T = x.flatMap((m, i) => (m === 0n ? [] : [i]));
      const own = T.map((i) => ({ m: x[i], e: 0 }));
      return over(formOf(M, T.map((i) => places[i]), own), mul({ m: square, e: 0 }, M.den ?? ONE));
    }).reduce(plus);
  }

  // §10 Choices of supports, one by one

  const [MOST_VARIABLES, MOST_SETS, MOST_TRIED] = [62, 2 ** 17, 2 ** 28];
  const HEADS = 8; // of the first points, which may bound beginnings
  const MOST_KEPT = 2 ** 22; // losses of pairs
  const BITS = 50; // so that all sums are whole numbers that doubles hold
  /** What one point says of sets of variables, in units of its own: every value is rounded up to whole units. */
  class Point {
    constructor(several, at, V, upper) {
      const { claim, eigenvalues } = several;
      const point = claim.points[at];
      const W = V.filter((i) => point.place.has(i));
      const { delta, paid } = several.excess(at, W);
      const M = several.multiplied(at);
      const rows = W.map((i) => point.place.get(i));
      const r = whole(claim.sizes.length);
      const size = total([...paid.map(abs), mul(r, add(delta, rowSum(rows, M.at)))]);
      const e = size.m === 0n ? 0 : bitsOf(size) - BITS;
      this.isWhole = W.length === V.length;
      this.weights = new Map(W.map((i, x) => [i, unitsAbove(paid[x], e)]));
      this.charge = unitsAbove(neg(mul(r, delta)), e);
      this.limit = Math.max(-(2 ** 52), Math.min(2 ** 52, -unitsAbove(neg(upper), e)));
      this.everything = W.reduce((sum, i) => sum + Math.max(0, this.weights.get(i)), this.charge);
      Object.assign(this, { M, e, eigenvalues, place: point.place, known: [], leaders: [], lost: null });
    }
    /** Return a bound on the largest eigenvalue of M on a set, in units. */
    eigenvalue(set) {
      return (this.known[set.at] ??= unitsAbove(this.eigenvalues.upper(this.M, set.list.map((i) => this.place.get(i))), this.e));
    }
    /** Return the largest loss of a set and one of others, in units; `count` sets there are in all. */
    loss(set, others, count) {
      this.lost ??= new Float64Array(count ** 2 <= MOST_KEPT ? count ** 2 : 0).fill(-1);
      return maximum(others.map((other) => {
        const at = set.at * count + other.at;
        if (!(this.lost[at] >= 0)) this.lost[at] = this.between(set, other);
        return this.lost[at] ?? this.between(set, other);
      }));
    }
    /** What two sets lose as their vectors are orthogonal: (t/32) e (8 + 2e + e^2) for e = p/q, less what is above the bounds known. */
    between(set, other) {
      if (((set.lo & other.lo) | (set.hi & other.hi)) === 0) return 0;
      const [a, b] = [set, other].map((one) => (this.leaders[one.at] ??= this.leader(one)));
      if (a.gap === 0 || b.gap === 0) return 0;
      const [g, h] = [BigInt(a.gap), BigInt(b.gap)];
      const c = set.list.reduce((sum, i, x) => sum + a.v[x] * (b.v[other.list.indexOf(i)] ?? 0n), 0n);
      const t = g + h;
      const [p, q] = [4n * g * h * c * c, t * t * a.square * b.square];
      return Math.max(0, Number((t * p * (8n * q * q + 2n * p * q + p * p)) / (32n * q * q * q)) - a.excess - b.excess);
    }
    /** With v about a vector of the largest eigenvalue and h about the gap below it, M - hvv' has no eigenvalue above mu:
     * proved for mu, h and v as they are, so that a = mu + h|v|^2 and g = h|v|^2. In units; the gap is 0 where nothing is won. */
    leader(set) {
      const [rows, d, shift] = [set.list.map((i) => this.place.get(i)), set.list.length, -this.e - BITS];
      const { v: near, first, second } = leading(doublesBelow(this.M, rows, shift), d);
      const v = Array.from(near, (x) => (Number.isFinite(x) ? BigInt(Math.round(x * 2 ** 53)) : 0n));
      if (!(first > second)) return { gap: 0 };
      const square = v.reduce((sum, x) => sum + x * x, 0n);
      const height = byPower(dyadic(first - second), -shift);
      const rest = symmetric(d, (a, b) => sub(this.M.at(rows[a], rows[b]), mul(height, { m: v[a] * v[b], e: -106 })));
      const g = mul(height, { m: square, e: -106 });
      for (let margin = 1; margin < 2 ** 24; margin *= 4) {
        const mu = { m: BigInt(Math.ceil(second * 2 ** BITS) + margin), e: this.e };
        if (!this.eigenvalues.atMost(rest, range(d), mu)) continue;
        const excess = unitsAbove(add(mu, g), this.e) - this.eigenvalue(set);
        return { v, square, gap: Math.max(0, -unitsAbove(neg(g), this.e)), excess: Math.max(0, excess) };
      }
      return { gap: 0 };
    }
    /** Say whether a choice of sets explains at most the limit. */
    isEnough(sets, count) {
      const union = [...new Set(sets.flatMap(({ list }) => list))];
      if (!union.every((i) => this.weights.has(i))) return false;
      const paid = union.reduce((sum, i) => sum + this.weights.get(i), this.charge - this.limit);
      const above = sets.reduce((sum, set) => sum + this.eigenvalue(set), paid);
      return above <= 0 || sets.some((set, t) => this.loss(set, sets.slice(0, t), count) >= above);
    }
  }
  /** Return about the largest two eigenvalues of a symmetric d x d matrix of doubles below 1, and a vector of the first: inverse iteration. */
  function leading(B, d) {
    const first = largestOf(B, d, -2);
    const L = cholesky(B.map((x) => -x), d, -(first + 2 ** -40));
    let v = new Float64Array(d).map((_, i) => 1 + i / 8);
    for (let step = 0; step < 6 && L; step++) {
      for (let i = 0; i < d; i++) {
        for (let j = 0; j < i; j++) v[i] -= L[i * d + j] * v[j];
        v[i] /= L[i * d + i];
      }
      for (let i = d - 1; i >= 0; i--) {
        for (let j = i + 1; j < d; j++) v[i] -= L[j * d + i] * v[j];
        v[i] /= L[i * d + i];
      }
      const length = Math.hypot(...v);
      v = v.map((x) => x / length);
    }
    return { v, first, second: d > 1 && L ? largestOf(B.map((x, at) => x - 4 * v[Math.floor(at / d)] * v[at % d]), d, -2) : first };
  }
  /** Go through all choices of sets, as far as no point bounds all that begin alike. */
  class Choices {
    constructor(several, points, parts, V, upper) {
      if (V.length > MOST_VARIABLES) throw new TooLittle(`its supports have more than ${MOST_VARIABLES} variables`);
      this.isDisjoint = several.claim.supports === "disjoint";
      const bit = new Map(V.map((i, at) => [i, at]));
      const known = new Once();
      /** A set as a list and as bits, 31 in each of two numbers. */
      const numbered = (list) => {
        const [lo, hi] = [0, 31].map((from) => list.reduce((mask, i) => mask | (bit.get(i) - from >>> 0 < 31 ? 1 << (bit.get(i) - from) : 0), 0));
        return known.once(`${lo} ${hi}`, () => ({ at: known.made.size, list, lo, hi }));
      };
      const groups = new Once();
      for (const part of parts) groups.once(nameOf(part), () => ({ count: 0, sets: setsOf(part).map(numbered) })).count += 1;
      this.points = points.map((at) => new Point(several, at, V, upper));
      this.heads = this.points.slice(0, HEADS).filter(({ isWhole }) => isWhole);
      this.groups = [...groups.made.values()];
      const [first] = this.heads;
      if (first) for (const { sets } of this.groups) sets.sort((a, b) => first.eigenvalue(b) - first.eigenvalue(a));
      // Of every head the largest eigenvalue among the sets of a group from a place on.
      this.largest = this.groups.map(({ sets }) => this.heads.map((head) => {
        const found = Float64Array.from(sets, (set) => head.eigenvalue(set));
        for (let p = found.length - 2; p >= 0; p--) found[p] = Math.max(found[p], found[p + 1]);
        return found;
      }));
      // For every part its group, how many of the group are still to come, and what the later groups and all variables cost.
      this.steps = this.groups.flatMap(({ count }, g) => {
        const rest = this.heads.map((head, h) => this.groups.reduce((sum, later, at) =>
          sum + (at > g ? later.count * this.largest[at][h][0] : 0), head.everything - head.limit));
        return range(count).map((t) => ({ g, more: count - 1 - t, rest }));
      });
      this.sets = known.made.size;
      this.tried = 0;
    }
    /** Prove that no choice explains more that begins with some sets, of which the heads say sums and losses; the next one stands at
     * `start` or later. */
    prove(chosen = [], sums = this.heads.map(() => 0), losses = sums, start = 0) {
      if (chosen.length === this.steps.length) {
        if (this.points.some((point) => point.isEnough(chosen, this.sets))) return;
        throw new TooLittle("no point bounds one of its choices by what is to be proved");
      }
      const { g, more, rest } = this.steps[chosen.length];
      const { sets } = this.groups[g];
      for (let p = start; p < sets.length; p++) {
        const now = this.heads.map((head, h) => sums[h] + head.eigenvalue(sets[p]));
        const excess = now.map((sum, h) => sum - losses[h] + more * this.largest[g][h][p] + rest[h]);
        if (excess[0] <= 0) return; // later sets have no larger eigenvalues at the first head
        this.tried += 1;
        if (this.tried > MOST_TRIED) throw new TooLittle(`more than ${MOST_TRIED} sets to try`);
        if (excess.some((x) => x <= 0) || this.meets(sets[p], chosen)) continue;
        const worse = this.heads.map((head, h) => Math.max(losses[h], head.loss(sets[p], chosen, this.sets)));
        if (excess.some((x, h) => x <= worse[h] - losses[h])) continue;
        this.prove([...chosen, sets[p]], now, worse, more > 0 ? p : 0);
      }
    }
    /** Say whether a set shares with an earlier one what it may not: one variable, or any for disjoint supports. */
    meets(set, earlier) {
      return earlier.some((other) => {
        const [lo, hi] = [set.lo & other.lo, set.hi & other.hi];
        const isOne = hi === 0 ? (lo & (lo - 1)) === 0 : lo === 0 && (hi & (hi - 1)) === 0;
        return (lo | hi) !== 0 && (this.isDisjoint || isOne);
      });
    }
  }
  /** Return the sets that the entries of a part may have that are not 0: what is forced costs no room. */
  function setsOf({ k, J, F }) {
    let found = [{ list: [], room: k - J.length }];
    for (const i of [...J, ...F]) {
      const cost = J.includes(i) ? 0 : 1;
      found = found.concat(found.filter(({ room }) => room >= cost).map(({ list, room }) => ({ list: [...list, i], room: room - cost })));
      if (found.length > MOST_SETS + 1) throw new TooLittle(`a part has more than ${MOST_SETS} sets to choose from`);
    }
    return found.slice(1).map(({ list }) => list);
  }

  // §10 Several components

  const MOST_SUPPORTS = 2 ** 17;
  /** One component of k variables beside others: the rules of its supports, and what the evidence proves of it alone. */
  class Single extends ByCore {
    constructor(claim, core) {
      super();
      Object.assign(this, { claim, core });
      if (claim.tree) this.setTree(claim, core);
    }
    /** Return what is proved of the variance of one component of so many variables. */
    upper() {
      if (!this.claim.tree) throw new TooLittle(`nothing is proved of single components of ${this.claim.k} variables`);
      if (this.defect !== null) throw new TooLittle(this.defect);
      this.proved ??= largest(this.cases.flatMap(({ node, boxes: [box] }) => {
        if (node.kind === "restrict") return this.core.restrict(node, box) ? [dyadic(node.level)] : [];
        const family = familyOf(this.claim, box);
        return family ? [this.core.boundOf(node, family).value()] : [];
      }));
      return this.proved;
    }
  }
  /** The evidence of a claim about several components. */
  class Several extends ByCases {
    constructor(claim, eigenvalues) {
      super();
      Object.assign(this, { claim, eigenvalues, Sigma: sigmaOf(claim) });
      const { sizes, exclude, include, supports, n } = claim;
      this.isSmallerCounted = supports === "disjoint" && sizes.reduce((a, b) => a + b, 0) > n - exclude.length;
      this.setCases(claim, include.map((J, t) => ({ k: sizes[t], ...rootOf(claim, J) })));
      this.singles = new Map([...claim.singles].map(([k, single]) => [k, new Single(single, new Core(single, eigenvalues, this.Sigma))]));
      this.fewer = new Map(claim.fewer.map((own) => [String(own.sizes), new Several(own, new Eigenvalues())]));
      this.vectors = [];
      if (!claim.witness) return; // of fewer of the components
      this.fault = shortcoming(() => (this.vectors = orthogonal(claim)));
      this.attained = this.fault === null ? attainedTogether(this.Sigma, this.vectors, range(n)) : null;
    }
    attainedOn(S, places) {
      return attainedTogether(S, this.vectors, places);
    }
    /** Prove at a leaf that no set of components explains more than a bound. */
    proveCase(node, given, upper) {
      const { isSmallerCounted } = this;
      const parts = given.map(({ k, J, F }) => {
        if (J.length === k) return { k, J, F: [] };
        if (!isSmallerCounted && J.length + F.length === k) return { k, J: sorted([...J, ...F]), F: [] };
        return { k, J, F };
      });
      const V = sorted(new Set(parts.flatMap(({ J, F }) => [...J, ...F])));
      if (this.isEmpty(parts, V)) return;
      if (node.kind === "choices") {
        new Choices(this, node.points, parts, V, upper).prove();
        return;
      }
      const bound = node.kind === "restrict" ? this.restricted(node, given, parts, V)
        : node.point === null ? this.spectral(parts) : this.multipliers(node.point, parts, V);
      if (!atMost(bound, upper)) throw new TooLittle("its bound is above what is to be proved");
    }
    /** Say whether no set of components has such parts. */
    isEmpty(parts, V) {
      const { isSmallerCounted, claim: { supports, sizes } } = this;
      const allForced = parts.flatMap(({ J }) => J);
      const isShared = supports === "disjoint" && new Set(allForced).size < allForced.length;
      const isVoid = parts.some(({ k, J, F }) => J.length > k || J.length + F.length < (isSmallerCounted ? 1 : k));
      return isShared || isVoid || V.length < sizes.length;
    }
    /** Return what those explain at most that are not at the child of a restrict node. */
    restricted(node, boxes, parts, V) {
      const { singles, claim: { copies } } = this;
      if (this.isSmallerCounted) throw new TooLittle("where smaller supports count it proves nothing");
      if (node.under !== undefined) return this.restrictedUnder(node, parts, V);
      singles.get(boxes[node.part].k).core.restrict(node, boxes[node.part]);
      const others = boxes.filter((_, s) => s !== node.part).map(({ k }) => k);
      const fewer = this.fewer.get(String(others));
      if (fewer) {
        const upper = dyadic(fewer.claim.upper);
        this.once(`fewer ${others}`, () => fewer.prove(upper));
        return add(dyadic(node.level), upper);
      }
      return mul(whole(copies), total([dyadic(node.level), ...others.map((k) => singles.get(k).upper())]));
    }
    spectral(parts) {
      const tops = parts.map(({ J, F }) => this.eigenvalues.upper(this.Sigma, sorted([...J, ...F])));
      return mul(whole(this.claim.copies), total(tops));
    }
    /** Return the same under multipliers of few variables W; what a component has beside them is charged as by weights. */
    restrictedUnder(node, parts, V) {
      const { claim } = this;
      const { under: at, kept } = node;
      const { place, variables } = claim.points[at];
      const isIn = (i) => place.has(i);
      const [held, level] = [new Set(kept), dyadic(node.level)];
      const isWhole = claim.supports !== "common" && variables.every((i) => held.has(i));
      if (!isWhole) throw new TooLittle("supports are common, or it leaves out variables of its multipliers");
      if (!parts.every(({ J }) => J.every(isIn))) throw new TooLittle("its multipliers say nothing of a variable that is forced in");
      const values = parts.map((part, t) => {
        const beside = this.beside(node, t, part);
        if (t === node.part) {
          if (beside?.isAtMost(level) === false) throw new TooLittle("supports with a variable that is left out are not proved to explain its level");
          return level;
        }
        const within = { ...part, F: part.F.filter(isIn) };
        const isAny = part.J.length + within.F.length >= part.k;
        return largest([...(isAny ? [this.beta(at, t, within)] : []), ...(beside ? [beside.value()] : [])]);
      });
      // Of delta nothing is taken back: the components may be 0 on W.
      return add(total(values), this.paid(at, parts, V.filter(isIn)).paid);
    }
    /** Bound lambda_max(M_TT) + y(T) over the supports of a part that have a variable beside a point; null if there are none. */
    beside({ under: at, point: number }, t, { k, J, F }) {
      const { points } = this.claim;
      const { place, y, rows: { [t]: row } } = points[at];
      if (J.length === k || F.every((i) => place.has(i))) return null;
      if (row === null) throw new TooLittle("no rows are given for a part with variables beside its multipliers");
      if (points[at].variables.some((i) => !points[row].place.has(i))) throw new TooLittle("rows say nothing of a variable of the multipliers");
      const { core } = this.singles.get(k);
      const point = number === null ? null : points[number];
      core.demandRows(point, [...J, ...F]);
      return this.once(`beside ${at} ${row} ${number} ${k};${J};${F}`, () => {
        const { variables, w, p, near } = core.weighted(point, number);
        const charges = this.once(`charges beside ${at} ${row} ${number}`, () => {
          const { place: there, variables: { length: v }, N } = points[row];
          const price = this.priceOf(at, row);
          const entry = (a, b) => {
            const [i, j] = [variables[a], variables[b]];
            if (!place.has(j)) return p(a, b);
            return place.has(i) ? mul(price(i, j), w[a]) : add(p(a, b), mul(dyadic(y[place.get(j)]), w[a]));
          };
          const nearly = (a, b) => {
            const [i, j, times] = [variables[a], variables[b], point?.weights[a] ?? 1];
            if (!place.has(j)) return near(a, b);
            const own = place.has(i) ? { x: N[there.get(i) * v + there.get(j)] * times, off: 0 } : near(a, b);
            const more = y[place.get(j)] * times;
            return { x: own.x + more, off: own.off + 2 ** -51 * (Math.abs(own.x) + Math.abs(more)) };
          };
          return new RowCharges(entry, new Int32Array(variables.length), null, nearly);
        });
        const here = core.local(point, { J, F, rooms: [k - J.length] });
        const isOut = (b) => here.free[b] && !place.has(variables[b]);
        const paid = new Map([...J, ...F].flatMap((i) => {
          const [a] = here.at([i]);
          const c = charges.without(a, here, isOut);
          return c === null ? [] : [[i, { c, w: w[a], high: quotient(c, w[a]) }]];
        }));
        const [rows, others] = [true, false].map((is) => [...paid.keys()].filter((i) => place.has(i) === is));
        const alone = others.map((i) => paid.get(i));
        const inside = charged(this.eigenvalues, this.unpaid(at, row, rows), range(rows.length), (a) => paid.get(rows[a]).high);
        return {
          isAtMost: (tau) => alone.every(({ c, w: own }) => atMost(c, mul(tau, own))) && (rows.length === 0 || inside.isAtMost(tau)),
          value: () => largest([...alone.map(({ high }) => high), ...(rows.length ? [inside.value()] : [])]),
        };
      });
    }
    /** Return N_ij + y_j of variables i and j; N pays for P. */
    priceOf(at, row) {
      const [{ place: here, y }, { place, variables: { length: v } }] = [this.claim.points[at], this.claim.points[row]];
      const N = this.once(`N ${row}`, () => paired(this.claim.points[row], false));
      return (i, j) => add(N[place.get(i) * v + place.get(j)], dyadic(y[here.get(j)]));
    }
    /** Return M - P on some variables. */
    unpaid(at, row, rows) {
      const [point, pairs] = [this.claim.points[at], this.claim.points[row]];
      const entry = ({ place, variables: { length: v } }, values, i, j) => dyadic(values[place.get(i) * v + place.get(j)]);
      return symmetric(rows.length, (a, b) => sub(entry(point, point.M, rows[a], rows[b]), entry(pairs, pairs.P, rows[a], rows[b])));
    }
    multipliers(at, parts, V) {
      if (!V.every((i) => this.claim.points[at].place.has(i))) throw new TooLittle("its point says nothing of some variables of the leaf");
      const { paid, delta } = this.paid(at, parts, V);
      const betas = parts.map((part, t) => this.beta(at, t, part));
      return sub(add(mul(whole(this.claim.copies), total(betas)), paid), mul(whole(this.claim.sizes.length), delta));
    }
    /** Return what is paid of some variables of a point, and delta. */
    paid(at, parts, V) {
      const { copies, supports, points: { [at]: point } } = this.claim;
      const { delta, paid: diagonal } = this.excess(at, V);
      const all = new Set(parts.flatMap(({ J }) => J));
      const K = parts.reduce((sum, { k, J }) => sum + k - J.length, 0);
      const e = new Map(V.map((i, x) => {
        const y = point.y[point.place.get(i)];
        const [least, most] = [({ J }) => J.includes(i), ({ J, F }) => J.includes(i) || F.includes(i)].map((has) => parts.filter(has).length);
        const isShared = supports === "orthogonal";
        if (isShared && y < 0 && most > Math.max(1, least)) throw new TooLittle("a multiplier is negative");
        return [i, sub(diagonal[x], mul(whole(isShared ? Math.max(1, least) : copies), dyadic(y)))];
      }));
      const others = V.filter((i) => !all.has(i)).map((i) => e.get(i));
      const cut = supports === "common" ? others : others.map((x) => largest([ZERO, x]));
      return { paid: total([...[...all].map((i) => e.get(i)), top(cut, K)]), delta };
    }
    /** Bound lambda_max(M_TT) + y(T) over the supports of a part, by rows or by every support T. */
    beta(at, t, part) {
      const { rows: { [t]: row }, place, y } = this.claim.points[at];
      return this.once(`beta ${at} ${t} ${part.J};${part.F}`, () => {
        if (row !== null) return this.rows(at, row, part);
        const [J, F] = [part.J, part.F].map((list) => list.map((i) => place.get(i)));
        const supports = this.supports(part.k, J, F);
        return this.eigenvalues.upperOfAll(this.multiplied(at), supports, supports.map((T) => total(T.map((j) => dyadic(y[j])))));
      });
    }
    /** Return the M of a point with multipliers. */
    multiplied(at) {
      const { variables, M } = this.claim.points[at];
      return this.once(`M ${at}`, () => ofDoubles(M, variables.length));
    }
    /** Return delta >= 0 with Z + delta I semidefinite on W, and its diagonal there. */
    excess(at, W) {
      const { variables, place } = this.claim.points[at];
      const M = this.multiplied(at);
      const minusZ = this.once(`-Z ${at}`, () => symmetric(M.n, (a, b) => sub(M.at(a, b), this.Sigma.at(variables[a], variables[b]))));
      return this.once(`excess ${at} ${W}`, () => {
        const here = W.map((i) => place.get(i));
        const delta = this.eigenvalues.depth(minusZ, here);
        return { delta, paid: here.map((j) => sub(delta, minusZ.at(j, j))) };
      });
    }
    /** Return the supports of a part of k variables. */
    supports(k, J, F) {
      const most = Math.min(k, J.length + F.length);
      const least = this.isSmallerCounted ? Math.max(1, J.length) : most;
      const sizes = range(most - least + 1).map((x) => x + least - J.length);
      const count = sizes.reduce((sum, m) => sum + range(m).reduce((found, i) => (found * (F.length - i)) / (i + 1), 1), 0);
      if (count > MOST_SUPPORTS) throw new TooLittle(`a part has more than ${MOST_SUPPORTS} supports`);
      const supports = [];
      const choose = (from, m, some) => {
        if (m === 0) supports.push([...J, ...some]);
        else for (let at = from; at + m <= F.length; at++) choose(at + 1, m - 1, [...some, F[at]]);
      };
      for (const m of sizes) choose(0, m, []);
      return supports;
    }
    /** Bound the same by lambda_max(M - P + Diag c), c the row charges of N and y. */
    rows(at, row, { J, F, k }) {
      const own = [...J, ...F];
      if (!own.every((i) => this.claim.points[row].place.has(i))) throw new TooLittle("the rows of a part say nothing of some of its variables");
      const price = this.priceOf(at, row);
      const entry = (a, b) => {
        const p = price(own[a], own[b]);
        return this.isSmallerCounted && b >= J.length && a !== b && p.m < 0n ? ZERO : p;
      };
      const d = own.length;
      const charges = new RowCharges(entry, new Int32Array(d), null);
      const here = { J: range(J.length), free: Uint8Array.from(own, (_, b) => Number(b >= J.length)), rooms: [Math.min(k, d) - J.length] };
      return charged(this.eigenvalues, this.unpaid(at, row, own), range(d), (a) => charges.of(a, here)).value();
    }
  }

  // §12 The reader's own matrix. Nothing is rounded but what is printed: a matrix {n, at, den} is at / den, den > 0.

  const MILLION = whole(1e6);
  /** Return the subject of a certificate as a reader's matrix. */
  function ofCertificate(claim) {
    if (claim.subject !== "matrix") return { claim, names: claim.names };
    const { names, description, eliminated, storage } = claim;
    return { names, description, eliminated, isFactor: storage === "factor", matrix: { ...sigmaOf(claim), den: ONE } };
  }

  const isNumber = (cell) => /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(cell) && Number.isFinite(Number(cell));
  const refuseTable = (reason) => demand(false, `the table is refused: ${reason}`);
  /** Return the columns of numbers of a table, the names of these and of the rows, and of each other column a cell, by its name. */
  function ofTable(text) {
    const rows = cellsOf(text.replace(/^\ufeff/, ""));
    let [names, labels] = [null, null];
    // One line more than columns: then the first has names, be they numbers.
    if (rows.length && (!rows[0].every(isNumber) || rows.length === rows[0].length + 1)) {
      names = rows.shift();
      // The names of rows stand beside the numbers where the corner is empty, or where rows have one cell more.
      if (rows.length && (names[0] === "" ? names.length : names.length + 1) === rows[0].length) {
        if (names[0] === "") names.shift();
        labels = rows.map((row) => row.shift());
      }
      if (new Set(names).size < names.length) refuseTable("two of its columns have the same name");
    }
    const n = names?.length ?? rows[0]?.length ?? 0;
    if (n === 0 || rows.length === 0 || rows.some((row) => row.length !== n)) refuseTable("its rows are not of one length");
    const wrong = range(n).map((j) => rows.map((row) => row[j]).find((cell) => !isNumber(cell)));
    const kept = range(n).filter((j) => wrong[j] === undefined);
    const texts = new Map(range(n).filter((j) => wrong[j] !== undefined).map((j) => [names?.[j] ?? j + 1, wrong[j]]));
    // What may be a matrix holds numbers alone.
    if (names === null || [n, kept.length].includes(rows.length)) refuseTexts(texts, [...texts.keys()]);
    const values = rows.map((row) => kept.map((j) => dyadic(Number(row[j]))));
    return { names: names && kept.map((j) => names[j]), labels, values, texts };
  }
  /** Refuse a table if one of these columns holds text. */
  const refuseTexts = (texts, columns) => columns.filter((name) => texts.has(name)).forEach((name) =>
    refuseTable(`'${texts.get(name).slice(0, 40)}' is not a number such as 1.5, in column ${String(name).slice(0, 40)}`));
  /** Cut a table into cells at commas, semicolons or tabs, whichever the first line has most of; cells may be quoted. */
  function cellsOf(text) {
    const first = text.split("\n", 1)[0].replace(/"[^"]*"/g, "");
    const mark = ["\t", ";"].reduce((a, b) => (first.split(b).length > first.split(a).length ? b : a), ",");
    const cell = new RegExp(`(?: *"((?:[^"]|"")*)"[^${mark}\\n]*|([^${mark}\\n]*))(${mark}|\\r?\\n|$)`, "y");
    const rows = [[]];
    while (cell.lastIndex <= text.length) {
      const [, quoted, plain, end] = cell.exec(text);
      rows[rows.length - 1].push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
      if (end === "") break;
      if (end !== mark) rows.push([]);
    }
    return rows.filter((row) => row.length > 1 || row[0] !== "");
  }
  /** Return the rows of a square table in the order of its columns, or null where it can only be observations. */
  function squareOf({ names, labels, values }) {
    const [own, theirs] = [labels, names].map((list) => JSON.stringify(list && [...list].sort()));
    const isMoved = labels !== null && own === theirs && JSON.stringify(labels) !== JSON.stringify(names);
    const S = isMoved ? names.map((name) => values[labels.indexOf(name)]) : values;
    const isCount = [0, 1].some((first) => labels?.every((label, i) => label === String(i + first)));
    const shared = isCount ? undefined : labels?.find((label) => names.includes(label));
    const most = largest(values.flat().map(abs));
    const gaps = S.flatMap((cells, i) => cells.map((x, j) => abs(sub(x, S[j][i]))));
    const gap = largest(gaps);
    if (!atMost(mul(gap, whole(1e12)), most)) {
      // More than an eighth no covariance is off symmetry.
      if (shared === undefined && !atMost(mul(gap, whole(8)), most)) return null;
      const [i, j] = [Math.floor(gaps.indexOf(gap) / S.length), gaps.indexOf(gap) % S.length].map((at) => names?.[at] ?? at);
      refuseTable(`it is not symmetric, and so no covariance, in row ${i} and column ${j}`);
    }
    if (labels !== null && !isCount && own !== theirs) {
      const i = labels.findIndex((label, place) => label !== names[place]);
      refuseTable(`it is symmetric, but row ${i + 1} is called '${labels[i]}' and column ${i + 1} '${names[i]}'`);
    }
    return S;
  }
  /** Return what a table says of a claim's matrix: a square symmetric table is that matrix; else its rows are observations,
   * and the covariance, correlation or matrix of second moments is formed of them as the claim describes its own, without
   * the columns that it does not name, if it names others that are all there. */
  function matrixOfTable(table, claim) {
    const { description } = claim;
    const { names, values, texts } = table;
    const S = values.length === values[0].length ? squareOf(table) : null;
    if (S !== null) {
      const matrix = { ...symmetric(S.length, (i, j) => half(add(S[i][j], S[j][i]))), den: ONE };
      const told = S === values ? "" : "its rows put in the order of its columns";
      return { names, description: { kind: "matrix", observations: null, is_centred: null, deflation: null }, matrix, told };
    }
    const isCentred = description.is_centred !== false && description.kind !== "second moments";
    if (names === null) return { fault: "the table is not square, and observations need names" };
    if (isCentred && values.length < 2) return { fault: "the table is not square, and one observation has no covariance" };
    const known = new Set([...claim.names, ...(claim.eliminated?.names ?? [])]);
    const named = range(names.length).filter((j) => known.has(names[j]));
    const used = named.length === known.size ? named : range(names.length);
    const formed = momentsOf(values.map((row) => used.map((j) => row[j])), isCentred, description.kind === "correlation");
    const kept = formed.kept.map((i) => names[used[i]]);
    const others = used === named ? [...texts.keys(), ...names.filter((name) => !known.has(name))] : [];
    const without = others.length ? ` (left out: ${others.slice(0, 3).join(", ")}${others.length > 3 ? ", ..." : ""})` : "";
    const kind = description.kind === "matrix" ? "covariance" : description.kind;
    const divisor = kind === "correlation" ? "" : `, divided by ${isCentred ? "one less" : "their number"}`;
    const told = `the ${kind} of ${values.length} observations${isCentred ? "" : " about 0"}${divisor}${without}`;
    const said = { kind: description.kind, observations: values.length, is_centred: isCentred, deflation: null };
    return { names: kept, description: said, matrix: formed.matrix, told };
  }
  /** Return the matrix of moments of columns, all that vary if they are scaled to length 1; its entries are rounded to 2^-120 then. */
  function momentsOf(values, isCentred, isCorrelation) {
    const [p, n] = [values.length, values[0].length];
    const { C } = scatter(values.flat(), p, n, isCentred);
    const kept = range(n).filter((i) => !isCorrelation || C.at(i, i).m > 0n);
    if (!isCorrelation) return { kept, matrix: { ...C, den: whole(isCentred ? p * (p - 1) : p) } };
    const scaledTo = kept.map((i) => quotient(ONE, root(C.at(i, i))));
    const matrix = symmetric(kept.length, (i, j) => (i === j ? ONE : mul(C.at(kept[i], kept[j]), mul(scaledTo[i], scaledTo[j]))));
    return { kept, matrix: { ...matrix, den: ONE } };
  }
  /** Return that the certificate cannot be compared with what was given; or that it speaks of another thing, and is false of this. */
  const amiss = (reason, isFalse = false) => ({ reasons: [reason], isFalse, note: reason, distance: null });
  const another = (reason) => amiss(reason, true);
  /** Say what a certificate says of the reader's matrix, or of his digest. */
  function compare(claim, given, own) {
    if (typeof given === "string") {
      if (given === claim.digest) return { reasons: [], isFalse: false, note: "the digest is that of your matrix", distance: "0/1" };
      return another(`the certificate is about ${claim.digest}, not of ${given}`);
    }
    if (given.texts) refuseTexts(given.texts, [...claim.names, ...(claim.eliminated?.names ?? [])]);
    if (claim.kind === "ratio") return compareForms(claim, given, own);
    if (given.claim) return amiss("the certificate is about a matrix, yours is a pencil or a regression");
    const reader = given.values ? matrixOfTable(given, claim) : given;
    if (reader.fault) return amiss(reader.fault);
    const ours = claim.n + (claim.eliminated?.names.length ?? 0);
    const theirs = reader.matrix.n + (reader.eliminated?.names.length ?? 0);
    if (ours !== theirs) return another(`the certificate is about ${ours} variables, your matrix has ${theirs}`);
    const { places, fault } = placesOf(claim, reader);
    const reasons = [...contradictions(claim.description, reader.description), ...(fault ? [fault] : [])];
    if (!places) return { ...amiss(fault), reasons };
    return compareMatrices(claim, reader, places, reasons, own);
  }
  function compareMatrices(claim, reader, places, reasons, own) {
    const { Sigma, eigenvalues } = own.proof;
    const near = nearest(claim, Sigma, reader, places);
    const widened = plus(near.distance, over(beyond(claim, reader, near, eigenvalues)));
    // Every component may differ by the distance.
    const [apart, less] = [widened, near.distance].map(({ p, q }) => over(mul(p, whole(claim.sizes?.length ?? 1)), q));
    let low = own.proof.attained && minus(own.proof.attained, less);
    if (low && near.isPlain) {
      const there = own.proof.attainedOn(reader.matrix, places);
      if (isAtMost(low, there)) low = there;
    }
    if (low && claim.allowsNone && low.p.m < 0n) low = over(ZERO);
    const most = largest(range(Sigma.n).flatMap((i) => range(i + 1).map((j) => abs(Sigma.at(i, j)))));
    const [room, least] = [apart, widened].map(({ p, q }) => quotient(p, q));
    const what = `${reader.told ? `your table, ${reader.told},` : "your matrix"}${near.isPlain ? "" : " after the same deflation"}`;
    const said = valueBetween(claim, low, own.isProved ? add(dyadic(claim.upper), room) : null);
    const by = reader.names === null ? ", compared by position" : "";
    const note = room.m === 0n ? `${what} is identical to the certified one${by}`
      : `${what} differs by at most ${decimal(least, true)} in spectral norm${by}; for it ${said}`
        + `${claim.list && own.isProved ? `, and no other support more than ${decimal(add(dyadic(claim.list.others), room), true)}` : ""}`;
    let isFalse = false;
    if (!atMost(mul(widened.p, MILLION), mul(most, widened.q))) {
      const isTooMuch = low && !isAtMost(low, over(dyadic(claim.upper)));
      isFalse = reasons.length === 0 && Boolean(isTooMuch || own.provesBelow(sub(dyadic(claim.lower), room)));
      // Of no matrix nothing is false.
      const { eliminated, matrix } = reader;
      isFalse &&= !eliminated || reader.isFactor || eigenvalues.atMost(negative(matrix), range(matrix.n), mul(dyadic(eliminated.shift), matrix.den));
      const also = isFalse ? ", and its claim is false for yours" : "";
      reasons.push(`${note}; that is more than rounding: the certificate is about another matrix${also}`);
    }
    return { reasons, isFalse, note, distance: fraction(near.distance) };
  }
  /** Hold a ratio against a reader's pencil, or his observations with one column more, the response. */
  function compareForms(claim, given, own) {
    const { proof } = own;
    const { n, names, exponents } = claim;
    if (given.claim && given.claim.subject !== claim.subject) return amiss("a pencil is not compared with a regression");
    let theirs;
    if (given.claim) theirs = formsOf(given.claim);
    else if (claim.subject === "pencil" || !given.values) return amiss("a pencil is compared with a certificate or digest, not with one table");
    else if (given.names === null) return amiss("observations and a response need names to be compared");
    else {
      const [wide, extra] = [given.names.length, given.names.filter((name) => !names.includes(name))];
      if (wide !== n + 1) return another(`the certificate is about ${n} variables and a response, your table has ${wide} columns`);
      if (extra.length !== 1) return amiss(`the certificate does not speak of ${extra.slice(0, 3).join(", ")}, which your table has`);
      const at = [...names, extra[0]].map((name) => given.names.indexOf(name));
      theirs = leastSquares(given.values.flatMap((row) => at.slice(0, n).map((j) => row[j])), given.values.map((row) => row[at[n]]), n, claim);
    }
    if (theirs.A.n !== n) return another(`the certificate is about ${n} variables, yours are ${theirs.A.n}`);
    const places = given.claim ? names.map((name) => given.names.indexOf(name)) : range(n);
    if (places.includes(-1)) return amiss(`yours has no variable '${names[places.indexOf(-1)]}', which the certificate has`);
    // All is multiplied by both units, so that nothing is divided.
    const [u, t] = [proof.forms.unit, theirs.unit];
    const times = (M, x, at = range(n)) => byPowers(symmetric(n, (i, j) => mul(M.at(at[i], at[j]), x)), exponents);
    const [A, B] = [times(proof.forms.A, t), times(proof.forms.B, t)];
    const [A2, B2] = [times(theirs.A, u, places), times(theirs.B, u, places)];
    const upper = dyadic(claim.upper);
    const between = (P, Q) => rowSum(range(n), (i, j) => sub(P.at(i, j), Q.at(i, j)));
    const most = (Q) => largest(range(n * n).map((x) => abs(Q.at(Math.floor(x / n), x % n))));
    const near = [[A2, A], [B2, B]].map(([P, Q]) => atMost(mul(between(P, Q), MILLION), most(Q)));
    const e = rowSum(range(n), (i, j) => sub(sub(A2.at(i, j), A.at(i, j)), mul(upper, sub(B2.at(i, j), B.at(i, j)))));
    const beta = neg(proof.eigenvalues.upper(negative(B2), range(n)));
    const isSame = e.m === 0n && between(B2, B).m === 0n;
    const bounds = [...(isSame ? [upper] : beta.m > 0n ? [add(upper, quotient(e, beta))] : [])];
    if (theirs.square !== null) bounds.push(quotient(theirs.square, t));
    const [{ support, z }] = claim.witness;
    const low = proof.attainedBy(support.map((i) => places[i]), z, theirs);
    const high = own.isProved && bounds.length ? bounds.reduce((a, b) => (atMost(a, b) ? a : b)) : null;
    const note = isSame ? "yours is identical to the certified one" : `for yours ${valueBetween(claim, low, high)}`;
    if (near.every(Boolean)) return { reasons: [], isFalse: false, note, distance: null };
    const isFalse = Boolean(low && !isAtMost(low, over(upper)));
    return { reasons: [`${note}; yours differs by more than rounding: the certificate is about another`], isFalse, note, distance: null };
  }
  /** Say where two descriptions contradict each other. */
  function contradictions(a, b) {
    const isOpen = (x) => x === null || x === "matrix";
    const differing = ["kind", "observations", "is_centred"].filter((name) => a[name] !== b[name] && !isOpen(a[name]) && !isOpen(b[name]));
    const said = differing.map((name) => `${name} is ${a[name]} in the certificate and ${b[name]} in your matrix`);
    return b.deflation && !a.deflation ? [...said, "your matrix is deflated, that of the certificate is not"] : said;
  }
  /** Return where the certificate's variables stand in the reader's matrix, and what is amiss. */
  function placesOf(claim, reader) {
    const [more, gone] = [claim, reader].map((of) => of.eliminated?.names ?? []);
    const byPosition = more.length || gone.length ? null : range(claim.n);
    if (reader.names === null) {
      return { places: byPosition, fault: byPosition ? "" : "which of your variables were eliminated cannot be told without names" };
    }
    const there = new Map(reader.names.map((name, at) => [name, at]));
    const known = new Set([...there.keys(), ...gone]);
    const missing = [...claim.names.filter((x) => !there.has(x)), ...more.filter((x) => !known.has(x))];
    if (missing.length === 0) return { places: claim.names.map((x) => there.get(x)), fault: "" };
    return { places: byPosition, fault: `your matrix has no variable '${missing.slice(0, 3).join("', '")}', which the certificate has` };
  }
  /** Return the largest absolute row sum of Sigma - S. */
  function distanceOf(Sigma, S, places) {
    return over(rowSum(range(Sigma.n), (i, j) => sub(mul(Sigma.at(i, j), S.den), S.at(places[i], places[j]))), S.den);
  }
  /** The reader's matrix, or that matrix after the same deflation where that is nearer. */
  function nearest(claim, Sigma, reader, places) {
    const plain = { S: reader.matrix, places, names: reader.names, distance: distanceOf(Sigma, reader.matrix, places), isPlain: true };
    const { deflation } = claim.description;
    if (!deflation || reader.description.deflation || plain.distance.p.m === 0n) return plain;
    const S = deflated(reader, deflation);
    if (S === null) return plain;
    const there = claim.names.map((name) => deflation.names.indexOf(name));
    const distance = distanceOf(Sigma, S, there);
    return isAtMost(plain.distance, distance) ? plain : { S, places: there, names: deflation.names, distance, isPlain: false };
  }
  /** What a deflation by q makes of S, of s = Sq, w = q'q, v = q's: (dS + aqq' + b(sq' + qs') + css') / d, as [a, b, c, d]. */
  const FORMS = {
    hotelling: (w, v) => [neg(v), ZERO, ZERO, mul(w, w)],
    projection: (w, v) => [v, neg(w), ZERO, mul(w, w)],
    schur: (w, v) => [ZERO, ZERO, neg(ONE), v],
  };
  const ORTHOGONALISED = { orthogonalized_hotelling: "hotelling", orthogonalized_projection: "projection", generalized: "projection" };
  /** Deflate the reader's matrix by the formulas of Mackey; null where that cannot be followed. */
  function deflated({ names: known, matrix }, { method, names, loadings }) {
    const orthogonalises = Object.hasOwn(ORTHOGONALISED, method);
    const form = orthogonalises ? ORTHOGONALISED[method] : method;
    if (!Object.hasOwn(FORMS, form) || known === null || !names.every((name) => known.includes(name))) return null;
    const at = names.map((name) => known.indexOf(name));
    let S = { ...symmetric(at.length, (i, j) => matrix.at(at[i], at[j])), den: matrix.den };
    const count = loadings.length / names.length;
    const basis = [];
    for (let c = 0; c < count && S; c++) {
      const x = names.map((_, i) => dyadic(loadings[i * count + c]));
      // A multiple of what is left of x serves as well: every formula has as many q above as below.
      let q = x;
      for (const b of orthogonalises ? basis : []) {
        const [bb, bq] = [dot(b, b), dot(b, q)];
        q = q.map((y, i) => sub(mul(y, bb), mul(b[i], bq)));
      }
      basis.push(q);
      S = deflatedOnce(form, S, q);
    }
    return S;
  }
  function deflatedOnce(form, S, q) {
    const s = q.map((_, i) => dot(q, range(S.n).map((j) => S.at(i, j))));
    const [a, b, c, d] = FORMS[form](dot(q, q), dot(q, s));
    const sign = d.m < 0n ? neg : (x) => x;
    const more = (i, j) => total([mul(a, mul(q[i], q[j])), mul(b, add(mul(s[i], q[j]), mul(q[i], s[j]))), mul(c, mul(s[i], s[j]))]);
    return d.m === 0n ? null : { ...symmetric(S.n, (i, j) => sign(add(mul(d, S.at(i, j)), more(i, j)))), den: mul(S.den, abs(d)) };
  }
  /** Return what the reader's own eliminated variables add to the upper bound. */
  function beyond(claim, reader, near, eigenvalues) {
    if (!claim.eliminated) return ZERO;
    const { names, variances, shift } = claim.eliminated;
    const there = reader.eliminated;
    const found = new Map((there?.names ?? []).map((name, at) => [name, dyadic(there.variances[at])]));
    near.names.forEach((name, p) => found.set(name, ((x) => (x.m > 0n ? quotient(x, near.S.den) : ZERO))(near.S.at(p, p))));
    const least = () => quotient(eigenvalues.depth(negative(near.S), range(near.S.n)), near.S.den);
    const depth = there ? dyadic(there.shift) : reader.isFactor && near.isPlain ? ZERO : least();
    const excess = names.map((name, at) => sub(found.get(name), dyadic(variances[at])));
    const each = excess.length ? sub(add(largest(excess), depth), dyadic(shift)) : ZERO;
    return each.m > 0n ? mul(each, whole(claim.rho === undefined ? Math.min(names.length, claim.k) : names.length)) : ZERO;
  }

  // §3 Verdict

  const PROOFS = { component: OneComponent, ratio: Ratio, components: Several };
  /** Check what a certificate claims, as `read` returns it; `against` is a reader's matrix or digest, and `progress` is told
   * how many leaves are done. */
  function verify(claim, { against, progress } = {}) {
    const proof = new PROOFS[claim.kind](claim, new Eigenvalues());
    const { attained } = proof;
    const [lower, upper] = [dyadic(claim.lower), dyadic(claim.upper)];
    const reasons = [];
    let [refuted, leaves] = [false, 0];
    const say = (reason, isFalse) => {
      reasons.push(reason);
      refuted ||= isFalse;
    };
    const isLow = attained === null || !isAtMost(over(lower), attained);
    if (isLow) say(proof.fault ?? "the vector attains less than the lower bound", false);
    if (attained && !isAtMost(attained, over(upper))) say("the vector attains more than the upper bound", true);
    if (claim.list) checkList(claim, proof, say);
    if (proof.defect !== null) say(proof.defect, false);
    if (!refuted) {
      const reason = shortcoming(() => (leaves = proof.prove(claim.list ? dyadic(claim.list.others) : upper, progress)));
      if (reason !== null && !reasons.includes(reason)) say(reason, false);
    }
    /** Say whether a bound below this one is proved of all supports, of those that are listed, too. */
    const provesBelow = (bound) => {
      const less = sub(bound, { m: 1n, e: -1100 }); // less than any distance of doubles
      return isLow && shortcoming(() => proof.prove(less)) === null && (claim.list?.supports ?? []).every((T) => proof.provesOn(T, less));
    };
    if (!refuted && provesBelow(lower)) say("the evidence proves an upper bound below the claimed lower bound", true);
    const isMeant = proof.isConditionProved?.() !== false;
    if (!isMeant) {
      // Perhaps the claim is about no matrix, and then nothing that it says is false.
      refuted = false;
      say("the block is not proved to have no eigenvalue below minus the shift", false);
    }
    const compared = against === undefined ? null : compare(claim, against, { proof, isProved: reasons.length === 0, provesBelow });
    compared?.reasons.forEach((reason) => say(reason, compared.isFalse && isMeant));
    return {
      outcome: refuted ? "REFUTED" : reasons.length ? "INCONCLUSIVE" : "VERIFIED",
      is_other: Boolean(compared?.reasons.length) && compared.reasons.length === reasons.length,
      reasons,
      statement: statementOf(claim),
      presupposes: claim.eliminated ? `${claim.eliminated.names.length} further variables have at most the stated variances, `
        + `and the whole matrix no eigenvalue below ${-claim.eliminated.shift}` : "",
      attained: attained && fraction(attained),
      leaves,
      digest: claim.digest,
      note: compared?.note ?? "",
      distance: compared?.distance ?? null,
    };
  }
  /** §8: check every listed support. */
  function checkList(claim, proof, say) {
    const { supports, names, lower, upper, loadings, others } = claim.list;
    const [{ support }] = claim.witness;
    const isUnlisted = support.length === claim.k && !names.has(String(support));
    if (isUnlisted && proof.attained && !isAtMost(proof.attained, over(dyadic(others)))) {
      say("a support that is not listed attains more than all others are said to", true);
    }
    supports.forEach((T, at) => {
      const own = proof.attainedBy(T, loadings[at]);
      if (own === null || !isAtMost(over(dyadic(lower[at])), own)) say(`listed support ${T}: its vector attains less than its lower bound`, false);
      const most = dyadic(Math.min(upper[at], claim.upper));
      if (own && !isAtMost(own, over(most))) say(`listed support ${T}: its vector attains more than its upper bound`, true);
      if (!proof.provesOn(T, most)) say(`listed support ${T}: its upper bound is not proved`, false);
    });
  }
  /** Return variables by name in one line; a name with a comma, semicolon or quote stands in quotes. */
  function inLine(names, chosen) {
    return chosen.map((i) => (/[,;"]/.test(names[i]) ? `"${names[i].replaceAll('"', '""')}"` : names[i])).join(", ");
  }
  /** Return what the bounds of a claim are about. */
  function valueOf({ kind, k, rho, isWhole, groups, sizes, supports, subject, ridge }) {
    const explained = `sum of squares explained${ridge ? ", less the ridge term," : ""}`;
    if (kind === "ratio") return `largest ${subject === "least_squares" ? explained : "ratio"} with ${k} variables`;
    if (rho !== undefined) return `phi(${rho})`;
    if (kind === "component") return isWhole ? `the optimum with at most ${k} whole groups of ${groups.length}` : `v_${k}`;
    const how = { orthogonal: "orthonormal", disjoint: "disjoint", common: "of one common support" }[supports];
    const different = [...new Set(sizes)];
    const each = different.length === 1 && sizes.length > 1 && supports !== "common" ? " each" : "";
    return `total of ${sizes.length} components (${how}) of ${(different.length === 1 ? different : sizes).join(", ")} variables${each}`;
  }
  /** Return what is proved in words; null stands for no bound. */
  function valueBetween(claim, low, high) {
    const [least, most] = [low && decimal(neg(quotient(neg(low.p), low.q)), false), high && decimal(high, true)];
    return `${least ?? "nothing proved"} <= ${valueOf(claim)} <= ${most ?? "nothing proved"}`;
  }
  /** The claim in words, bounds rounded outward. */
  function statementOf(claim) {
    const { names, n, witness, include, exclude, list } = claim;
    const line = (some) => inLine(names, some);
    const what = { pencil: `pencil of ${n} variables`, least_squares: `regression on ${n} variables` }[claim.subject]
      ?? `${n} x ${n} ${claim.description.kind} matrix`.replace("matrix matrix", "matrix");
    let text = `${valueBetween(claim, over(dyadic(claim.lower)), dyadic(claim.upper))} of the ${what}`;
    if (claim.budgets) text += `, at most ${claim.parts.map((part) => `${part.k} of ${line(part.variables)}`).join("; ")}`;
    if (include.flat().length) text += `, ${claim.sizes ? include.map((J) => line(J) || "no variables").join("; ") : line(include)} included`;
    if (include.length && claim.rho !== undefined) text += " (penalised even where the loading is 0)";
    if (exclude.length) text += `, ${line(exclude)} excluded`;
    if (claim.labels) text += `, at most one variable of each of ${claim.groups.length} groups`;
    if (claim.isNonnegative) text += ", non-negative loadings";
    if (list) text += `; no set of variables explains more than ${decimal(dyadic(list.others), true)} besides ${list.supports.length} listed`;
    const supports = new Set(witness.map(({ support }) => line(support) || "no variables"));
    const who = `${claim.sizes ? "components" : "a component"} of ${[...supports].join("; of ")}`;
    return `${text}; the lower bound is attained by ${who}${list ? "" : "; that it is the only one is not claimed"}`;
  }
  /** Read and check a certificate, {text, companions, stem}; throws `Refused` where the file is none. `options` are those
   * of `verify`; against is what `readMatrix` returns. */
  async function check(file, options = {}) {
    const claim = await openFile(file);
    try {
      return verify(claim, options);
    } catch (error) {
      if (error instanceof Refused) throw error;
      const reasons = [`the check was stopped by ${error.name}: ${error.message}`];
      const nothing = { presupposes: "", attained: null, leaves: 0, note: "", distance: null };
      return { outcome: "INCONCLUSIVE", reasons, statement: "the claim was not checked to its end", digest: claim.digest, ...nothing };
    }
  }
  /** Read what to hold certificates against: a digest, another certificate, or a table. */
  async function readMatrix(file) {
    if (isDigest(file.text)) return file.text;
    return /^\s*\{/.test(file.text) ? ofCertificate(await openFile(file)) : ofTable(file.text);
  }

  return { check, readMatrix, Refused, parts: { dyadic, gcd, quotient, root, fraction, decimal, doubleBelow, RowCharges } };
})();
/** Read a file and what stands beside it. */
function fileOf(file) {
  const [fs, path] = [require("node:fs"), require("node:path")];
  const told = fs.statSync(file);
  if (!told.isFile() || told.size > 2 ** 28) throw new relaxspcaChecker.Refused("not a regular file, or of more than 2^28 bytes");
  const stem = path.basename(file).replace(/\.[^.]*$/, "");
  const isBeside = (name) => name.startsWith(stem) && /^(\.[0-9a-f]{8})?\.npz$/.test(name.slice(stem.length));
  const beside = fs.readdirSync(path.dirname(file)).filter(isBeside).map((name) => path.join(path.dirname(file), name));
  const regular = beside.filter((name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile());
  const companions = regular.map((name) => ({ name: path.basename(name), bytes: fs.readFileSync(name) }));
  // Byte by byte, so that a certificate that is not ASCII is seen to be none.
  return { text: fs.readFileSync(file, file.endsWith(".json") ? "latin1" : "utf8"), companions, stem };
}
/** The command line: some lines for each file; return the exit status. */
async function main(words) {
  const flags = words.filter((word) => word.startsWith("--") && !word.startsWith("--against="));
  const files = words.filter((word) => !word.startsWith("--"));
  const held = words.find((word) => word.startsWith("--against="))?.slice(10);
  if (files.length === 0 || flags.some((flag) => flag !== "--json")) {
    process.stderr.write("usage: node checker.js [--json] [--against=FILE] FILE...\n");
    return 2;
  }
  const expected = (error) => {
    if (error instanceof relaxspcaChecker.Refused || error.code?.startsWith?.("E")) return error.message;
    throw error;
  };
  let against;
  try {
    if (held !== undefined) against = await relaxspcaChecker.readMatrix(held.startsWith("sha256:") ? { text: held } : fileOf(held));
  } catch (error) {
    process.stderr.write(`${held}: ${expected(error)}\n`);
    return 2;
  }
  let code = 0;
  for (const file of files) {
    const begun = performance.now();
    let said;
    try {
      said = await relaxspcaChecker.check(fileOf(file), { against });
      code = Math.max(code, said.outcome === "VERIFIED" ? 0 : 1);
    } catch (error) {
      said = { outcome: "REFUSED", reasons: [expected(error)] };
      code = 2;
    }
    const seconds = (performance.now() - begun) / 1000;
    process.stdout.write(flags.includes("--json") ? `${JSON.stringify({ file, seconds, ...said })}\n` : linesOf(file, seconds, said));
  }
  return code;
}
/** Return a verdict as lines of text. */
function linesOf(file, seconds, { outcome, is_other: isOther, reasons, statement, note, presupposes, digest, leaves }) {
  const lines = [`${isOther ? "another matrix" : outcome}: ${file}`, ...reasons.map((reason) => `  ${reason}`)];
  if (statement !== undefined) {
    lines.push(`  ${statement}`);
    if (note && outcome === "VERIFIED") lines.push(`  ${note}`);
    if (presupposes) lines.push(`  presupposed: ${presupposes}`);
    lines.push(`  ${digest}`, `  ${leaves === 1 ? "1 leaf" : `${leaves} leaves`}, exact arithmetic, ${seconds.toFixed(3)} s`);
  }
  return `${lines.join("\n")}\n`;
}
/** A worker is sent {id, file, table}, the table being what to hold the file against; it answers {id, done, all} while it works. */
async function answer({ data: { id, file, table } }) {
  const begun = performance.now();
  const told = { id };
  try {
    const against = table && (await relaxspcaChecker.readMatrix(table));
    told.verdict = await relaxspcaChecker.check(file, { against, progress: (done, all) => self.postMessage({ id, done, all }) });
  } catch (error) {
    told.refused = error.message;
  }
  self.postMessage({ ...told, seconds: (performance.now() - begun) / 1000 });
}
/** What a page does: every certificate that it carries is checked in the reader's browser, and so is every file that the
 * reader drops, in a worker that has the text of this very script. */
function startPage(script) {
  const cells = [];
  const say = (cell, text, state) => {
    cell.textContent = text;
    cell.dataset.state = state;
    cell.className = ["proved", "claimed"].includes(state) ? "" : "failed";
  };
  const show = ({ data: { id, done, all, verdict, refused, seconds } }) => {
    const cell = cells[id];
    if (all !== undefined) say(cell, `claimed; ${done} of ${all} leaves checked`, "claimed");
    else if (refused !== undefined) say(cell, `not proved, ${refused.replace(/^(?!the table)/, "the file is refused: ")}`, "refused");
    else if (verdict.outcome === "VERIFIED") {
      const leaves = verdict.leaves === 1 ? "1 leaf" : `${verdict.leaves} leaves`;
      const facts = `${leaves}, exact arithmetic, ${verdict.digest.slice(0, 19)}…`;
      const when = verdict.presupposes ? `, if ${verdict.presupposes}` : "";
      // What is claimed stands in a report already, but not where a file was dropped.
      const claim = cell.dataset.proof === undefined ? `: ${verdict.statement}` : "";
      say(cell, `proved here, in ${seconds.toFixed(2)} s, by your browser (${facts})${claim}${when}${verdict.note && `; ${verdict.note}`}`, "proved");
      cell.title = `${verdict.statement}; ${verdict.digest}`;
    } else {
      const said = verdict.is_other ? "another matrix" : verdict.outcome === "REFUTED" ? "refuted" : "not proved";
      say(cell, `${said}: ${verdict.reasons.join("; ")}`, verdict.outcome.toLowerCase());
    }
  };
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  worker.onmessage = show;
  const check = (cell, file, table) => {
    if (!cell.textContent) say(cell, "being checked", "claimed");
    worker.postMessage({ id: cells.push(cell) - 1, file, table });
  };
  for (const { textContent: text, dataset } of document.querySelectorAll("script[data-certificate]")) {
    const { certificate: stem, companion: name, packed } = dataset;
    const cell = document.querySelector(`[data-proof="${CSS.escape(stem)}"]`);
    if (cell) check(cell, { text, stem, companions: name && packed ? [{ name, bytes: Uint8Array.from(atob(packed), (c) => c.charCodeAt(0)) }] : [] });
  }
  const field = document.getElementById("own-files");
  if (field) takeFiles(field, say, check);
}
/** Check the certificates that a reader drops, one after the other or together, against the table that he dropped last. */
function takeFiles(field, say, check) {
  const list = document.getElementById("own-verdicts");
  const known = new Map();
  let table;
  const checkAll = async (files) => {
    for (const file of files) known.set(file.name, file);
    const tables = files.filter(({ name }) => /\.(csv|txt)$/i.test(name));
    if (tables.length === 1) table = { text: await tables[0].text() };
    const texts = [...known.values()].filter(({ name }) => /\.json$/i.test(name));
    list.replaceChildren(...texts.map(({ name }) => {
      const item = document.createElement("li");
      item.append(`${name}: `, document.createElement("span"));
      return item;
    }));
    if (texts.length === 0) list.append(`${table ? "The table is read" : "No certificate is among these files"}: now drop a certificate (.json).`);
    for (const [at, file] of texts.entries()) {
      const cell = list.children[at].lastChild;
      const stem = file.name.replace(/\.[^.]*$/, "");
      const beside = [...known.values()].filter(({ name }) => name.startsWith(`${stem}.`) && name.endsWith(".npz"));
      const companions = await Promise.all(beside.map(async (other) => ({ name: other.name, bytes: new Uint8Array(await other.arrayBuffer()) })));
      // Byte by byte, so that a file that is not ASCII is seen to be none.
      const text = new TextDecoder("windows-1252").decode(await file.arrayBuffer());
      if (tables.length > 1) say(cell, "choose one table only to compare with", "refused");
      else check(cell, { text, stem, companions }, table);
    }
  };
  field.addEventListener("change", () => {
    checkAll([...field.files]);
    field.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    checkAll([...event.dataTransfer.files]);
  });
}

if (typeof module !== "undefined") {
  module.exports = relaxspcaChecker;
  if (require.main === module) main(process.argv.slice(2)).then((code) => (process.exitCode = code));
} else if (typeof document === "undefined") self.onmessage = answer;
else startPage(document.currentScript.textContent);
