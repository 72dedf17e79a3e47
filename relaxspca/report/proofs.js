/**
 * What a report does when it is opened: every certificate that it carries is checked in the reader's browser, in a
 * worker, and so is every file that the reader drops. The texts of the checker stand in the page's scripts.
 */
"use strict";

{
  /** @param {string} id */
  const textOf = (id) => /** @type {HTMLElement} */ (document.getElementById(id)).textContent ?? "";
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const names = { REFUTED: "refuted", INCONCLUSIVE: "not proved" };

  /** @param {HTMLElement} cell @param {string} text @param {string} state */
  const say = (cell, text, state) => {
    cell.textContent = text;
    cell.dataset.state = state;
    cell.className = ["proved", "claimed"].includes(state) ? "" : "failed";
  };

  /** @param {any} told what the worker answers */
  const show = ({ id, done, all, verdict, refused, seconds }) => {
    const cell = /** @type {HTMLElement} */ (cells.get(id));
    if (all !== undefined) {
      say(cell, `claimed; ${done} of ${all} leaves checked`, "claimed");
    } else if (refused !== undefined) {
      say(cell, `not proved, the file is refused: ${refused}`, "refused");
    } else if (verdict.outcome === "VERIFIED") {
      const leaves = verdict.leaves === 1 ? "1 leaf" : `${verdict.leaves} leaves`;
      const facts = `${leaves}, arithmetic ${verdict.arithmetic}, ${verdict.digest.slice(0, 19)}…`;
      const when = verdict.presupposes ? `, if ${verdict.presupposes}` : "";
      // What is claimed stands in a report already, but not where a file was dropped.
      const claim = cell.dataset.proof === undefined ? `: ${verdict.statement}` : "";
      const compared = verdict.note && `; ${verdict.note}`;
      say(cell, `proved here, in ${seconds.toFixed(2)} s, by your browser (${facts})${claim}${when}${compared}`, "proved");
      cell.title = `${verdict.statement}; ${verdict.digest}`;
    } else {
      say(cell, `${names[/** @type {keyof typeof names} */ (verdict.outcome)]}: ${verdict.reasons.join("; ")}`, verdict.outcome.toLowerCase());
    }
  };

  const parts = ["certificate", "numbers", "restricted", "losses", "choices", "several", "ratio", "against", "checker"];
  const source = new Blob(parts.map((name) => textOf(`checker-${name}`)), { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(source));
  worker.onmessage = ({ data }) => show(data);

  /** @param {HTMLElement} cell @param {string} text @param {object} options @param {object} [table] to hold it against */
  const check = (cell, text, options, table) => {
    const id = String(cells.size);
    cells.set(id, cell);
    if (!cell.textContent) say(cell, "being checked", "claimed");
    worker.postMessage({ id, text, options, table });
  };

  /** @param {string} base64 */
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

  for (const element of document.querySelectorAll("script[data-certificate]")) {
    const script = /** @type {HTMLScriptElement} */ (element);
    const stem = script.dataset.certificate ?? "";
    const { companion, packed } = script.dataset;
    const companions = companion && packed ? [{ name: companion, bytes: bytesOf(packed) }] : [];
    const cell = /** @type {HTMLElement | null} */ (document.querySelector(`[data-proof="${CSS.escape(stem)}"]`));
    if (cell) check(cell, script.textContent ?? "", { stem, companions });
  }

  const field = /** @type {HTMLInputElement} */ (document.getElementById("own-files"));
  field.addEventListener("change", async () => {
    const files = [...(field.files ?? [])];
    const list = /** @type {HTMLElement} */ (document.getElementById("own-verdicts"));
    const tables = files.filter(({ name }) => /\.(csv|txt)$/i.test(name));
    const table = tables.length ? { text: await tables[0].text() } : undefined;
    for (const file of files.filter(({ name }) => /\.json$/i.test(name))) {
      const item = document.createElement("li");
      item.append(`${file.name}: `, document.createElement("span"));
      list.append(item);
      const stem = file.name.replace(/\.[^.]*$/, "");
      const beside = files.filter(({ name }) => name.startsWith(`${stem}.`) && name.endsWith(".npz"));
      const companions = await Promise.all(
        beside.map(async (other) => ({ name: other.name, bytes: new Uint8Array(await other.arrayBuffer()) })),
      );
      // Byte by byte, so that a file that is not ASCII is seen to be none.
      const text = new TextDecoder("windows-1252").decode(await file.arrayBuffer());
      const cell = /** @type {HTMLElement} */ (item.lastChild);
      if (tables.length > 1) say(cell, "choose one table only to compare with", "refused");
      else check(cell, text, { stem, companions }, table);
    }
    field.value = "";
  });
}
