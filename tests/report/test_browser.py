"""A report that is opened checks its certificates itself, from a file, without a network."""

import base64
import contextlib
import http.server
import json
import queue
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pandas as pd
import pytest
from scripts import script
from true_certificates import true_certificates

import relaxspca as rs
import relaxspca.certificate.writing as certificate_writing
from relaxspca.report import write_report
from relaxspca.report.html import self_check

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
# Shows in one frame whatever page it is told to show next.
FRAME = """<!DOCTYPE html><iframe></iframe><script>
(async () => { while (true) document.querySelector("iframe").src = await (await fetch("ADDRESS")).text(); })();
</script>"""
# Sends what the page shows when nothing in it is merely claimed any more.
REPORTER = """<script>
const watch = setInterval(() => {
  const cells = [...document.querySelectorAll("[data-proof], #own-verdicts span")];
  if (cells.length < COUNT) return;
  if (cells.some((cell) => !cell.dataset.state || cell.dataset.state === "claimed")) return;
  clearInterval(watch);
  const name = (cell) => cell.dataset.proof ?? cell.previousSibling.textContent.replace(/: $/, "");
  const said = cells.map((cell) => `${name(cell)} ${cell.dataset.state} ${cell.textContent}`);
  fetch("ADDRESS", { method: "POST", mode: "no-cors", body: said.join("\\n") });
}, 20);
</script>"""


# Chooses files as a reader does, who picks or drops them.
CHOICE = """<script>
const list = (files) => {
  const given = new DataTransfer();
  for (const [name, base64] of files) {
    given.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  }
  return given;
};
const input = document.getElementById("own-files");
if (ONE_BY_ONE) {
  for (const file of FILES) {
    const dropped = { dataTransfer: list([file]), bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("drop", dropped));
  }
} else {
  input.files = list(FILES).files;
  input.dispatchEvent(new Event("change"));
}
</script>"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return a function that opens a page from a file, and returns what its cells say in the end.

    The reader chooses all files at once, or drops them on the page one after the other. One Chromium opens all.
    """
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    folder, waiting, told = tmp_path_factory.mktemp("opened"), queue.Queue(), queue.Queue()

    class Listener(http.server.BaseHTTPRequestHandler):
        def answer(self, code, text=""):
            self.send_response(code)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(text.encode())

        def do_GET(self):  # noqa: N802
            self.answer(200, waiting.get())

        def do_POST(self):  # noqa: N802
            said = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(204)
            told.put(said)

        def log_message(self, *_):
            pass

    def open_page(page, files=(), count=1, one_by_one=False):
        more = REPORTER.replace("ADDRESS", address).replace("COUNT", str(count))
        if files:
            named = [(file.name, base64.b64encode(file.read_bytes()).decode()) for file in files]
            chosen = CHOICE.replace("FILES", json.dumps(named))
            more = chosen.replace("ONE_BY_ONE", json.dumps(one_by_one)) + more
        file = folder / f"{len([*folder.iterdir()])}.html"
        file.write_text(page.replace("</body>", f"{more}</body>"))
        waiting.put(file.as_uri())
        return dict(line.split(" ", 1) for line in told.get(timeout=300).split("\n"))

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        (folder / "frame.html").write_text(FRAME.replace("ADDRESS", address))
        profile, frame = tmp_path_factory.mktemp("profile"), (folder / "frame.html").as_uri()
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0", frame]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield open_page
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()


@pytest.fixture(scope="module")
def path(cov):
    return rs.path(cov, k=[1, 5, 6, 13])


@pytest.fixture
def page(path, tmp_path, sketched):
    return write_report(path, tmp_path / "page").read_text()


def with_a_digit_changed(page, name, folder):
    """Change one digit of a lower bound so that the claim is false, though its bounds are still in order."""
    text = re.search(rf'data-certificate="{name}">(.*?)</script>', page, re.DOTALL)[1]
    first = re.search(r'"lower": "0x1\.', text).end()
    for place in range(first + 10, first, -1):
        for digit in "0123456789abcdef":
            changed = f"{text[:place]}{digit}{text[place + 1 :]}"
            (folder / "changed.json").write_text(changed)
            with contextlib.suppress(rs.CertificateError):
                if rs.verify(folder / "changed.json").outcome.name == "REFUTED":
                    return page.replace(text, changed)
    raise AssertionError("no digit will do")


@pytest.mark.usefixtures("sketched")
def test_arrays_beside_a_table_of_components_are_unpacked_and_it_turns_to_proved(
    opened, cov, tmp_path, monkeypatch
):
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    found = rs.components(cov, [2, 2], joint=True)
    page = write_report(found, tmp_path / "page").read_text()
    assert 'data-companion="' in page
    said = opened(page)
    assert list(said) == ["joint"]
    assert re.match(r"proved proved here, in [\d.]+ s, by your browser", said["joint"])


def test_pitprops_turns_to_proved_and_a_changed_digit_does_not(opened, page, tmp_path):
    said = opened(page)
    assert list(said) == [f"k{k:02}" for k in (1, 5, 6, 13)]
    proved = r"proved proved here, in [\d.]+ s, by your browser \(\d+ lea(f|ves), exact arithmetic, sha256:"
    for text in said.values():
        assert re.match(proved, text)
    # k = 5 attains 3.4; the matrix of k = 6 has one entry that its mirror image does not have.
    claim = r'(data-certificate="k05">.*?"lower": ")[^"]+(",\s*"upper": ")[^"]+"'
    lie = re.sub(claim, r'\g<1>0x1.0000000000000p+0\g<2>0x1.8000000000000p+0"', page, count=1, flags=re.DOTALL)
    entry = r'(data-certificate="k06">.*?"0x1.e872b020c49b)a(p-1")'
    lie = re.sub(entry, r"\g<1>b\g<2>", lie, count=1, flags=re.DOTALL)
    lie = with_a_digit_changed(lie, "k13", tmp_path)
    assert lie != page
    said = opened(lie)
    assert {name for name, text in said.items() if not text.startswith("proved ")} == {"k05", "k06", "k13"}
    below = "refuted refuted: the vector attains less than the lower bound; "
    assert said["k13"] == f"{below}the evidence proves an upper bound below the claimed lower bound"
    assert said["k05"].startswith("refuted refuted: the vector attains more")
    assert "is not symmetric" in said["k06"]


def test_the_page_carries_all_certificates_and_no_name_ends_its_scripts(page, cov, tmp_path):
    assert page.count("data-certificate=") == page.count('<span data-proof="') == 4
    assert page.count("<script") == page.count("</script>") == 5
    odd = rs.Covariance(cov.matrix[:2, :2], names=["</script><b>", "<!--"])
    rs.solve(odd, 1).certificate.save(tmp_path / "odd.json")
    text = self_check({"odd": tmp_path / "odd.json"})
    assert text.count("</script>") == 2
    assert "<!--" not in text


@pytest.fixture(scope="module")
def docs_page():
    """Return the page of the documentation that checks certificates, as Sphinx is given it."""
    folder = Path(rs.__file__).parents[1] / "docs"
    conf = script("docs/conf.py")
    source = [(folder / "check.md").read_text()]
    conf._insert_tables(None, "check", source)
    inside = re.search(r"^``````\{raw\} html\n(.*?)\n``````$", source[0], re.DOTALL | re.MULTILINE).group(1)
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", inside)  # it works without a network
    return f"<!DOCTYPE html><meta charset=utf-8><title>Check</title><body>{inside}</body>"


def reader(folder, monkeypatch):
    """Return files of a reader: a true one, a lie, one with arrays beside it, one that is none."""
    cov = rs.datasets.load_pitprops()
    rs.solve(cov, 5).certificate.save(folder / "true.json")
    document = json.loads((folder / "true.json").read_text())
    document["claim"]["upper"] = document["claim"]["lower"] = (3.5).hex()
    (folder / "lie.json").write_text(json.dumps(document))
    (folder / "none.json").write_text("[]")
    with monkeypatch.context() as context:
        context.setattr(certificate_writing, "MAX_INLINE", 0)
        rs.solve(cov, 4).certificate.save(folder / "beside.json")
    return sorted(folder.glob("*.json")) + sorted(folder.glob("*.npz"))


def test_files_that_are_dropped_on_the_page_are_checked(opened, docs_page, tmp_path, monkeypatch):
    (tmp_path / "files").mkdir()
    files = reader(tmp_path / "files", monkeypatch)
    said = opened(docs_page, files, count=4)
    assert list(said) == ["beside.json", "lie.json", "none.json", "true.json"]
    assert re.match(r"proved proved here, in .* <= v_5 <= 3\.4061549468 of the 13 x 13 corr", said["true.json"])
    assert re.match(r"proved proved here, in .* <= v_4 <=", said["beside.json"])
    assert said["lie.json"].startswith("refuted refuted: the vector attains less than the lower bound")
    assert said["none.json"] == "refused not proved, the file is refused: a certificate must be an object"
    # Without its companion the certificate is none; with a table of another matrix it is not of that matrix.
    alone = [file for file in files if file.suffix == ".json"]
    cov = rs.datasets.load_pitprops()
    frame = pd.DataFrame(cov.matrix, cov.names, cov.names)
    (frame + 1e-12).to_csv(tmp_path / "mine.csv")
    said = opened(docs_page, [*alone, tmp_path / "mine.csv"], count=4)
    assert re.match(
        "refused not proved, the file is refused: the companion '.*' is missing", said["beside.json"]
    )
    assert re.search(r"your matrix differs by at most 1\.300\d*e-11 .* for it .* <= v_5 <=", said["true.json"])
    (2 * frame).to_csv(tmp_path / "mine.csv")
    said = opened(docs_page, [tmp_path / "files" / "true.json", tmp_path / "mine.csv"])
    assert re.match("refuted another matrix: your matrix differs .*, and its claim is false", said["true.json"])
    (tmp_path / "mine.csv").write_text("a,b\n1\n")
    said = opened(docs_page, [tmp_path / "files" / "true.json", tmp_path / "mine.csv"])
    refused = "refused not proved, the table is refused: its rows are not of one length"
    assert said["true.json"] == refused


def test_a_certificate_and_a_table_are_dropped_one_after_the_other(opened, docs_page, tmp_path, cov):
    """The last table counts for every certificate, whatever the order of its variables and their names."""
    rs.solve(cov, 3).certificate.save(tmp_path / "true.json")
    frame = pd.DataFrame(cov.matrix, cov.names, cov.names)
    renamed = ["top", *cov.names[1:]]
    tables = {
        "reordered": (frame.iloc[::-1, ::-1], "proved proved here"),
        "wrong": (frame / 2, "inconclusive another matrix: your matrix differs"),
        "renamed": (pd.DataFrame(cov.matrix, renamed, renamed), "inconclusive another matrix: your matrix"),
        "fewer": (frame.iloc[1:, 1:], "refuted another matrix: the certificate is about 13 variables, your"),
    }  # fmt: skip
    for name, (table, expected) in tables.items():
        table.to_csv(tmp_path / f"{name}.csv")
        said = opened(docs_page, [tmp_path / f"{name}.csv", tmp_path / "true.json"], one_by_one=True)
        assert list(said) == ["true.json"]
        assert said["true.json"].startswith(expected), said


def test_every_true_certificate_is_proved_in_the_browser(opened, docs_page, tmp_path):
    files = []
    for at, (_, made) in enumerate(true_certificates().values()):
        files.append(tmp_path / f"{at:02}.json")
        made.save(files[-1])
    said = opened(docs_page, files, count=len(files))
    assert len(said) == len(files)
    assert all(text.startswith("proved ") for text in said.values()), said
