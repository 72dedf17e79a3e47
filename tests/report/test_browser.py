"""A report that is opened checks its certificates itself, from a file, without a network."""

import http.server
import re
import shutil
import subprocess
import threading

import pytest

import relaxspca as rs
import relaxspca.certificate.writing as certificate_writing
from relaxspca.report import write_report
from relaxspca.report.browser import self_check

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
# Sends what the page shows when nothing in it is merely claimed any more.
REPORTER = """<script>
const watch = setInterval(() => {
  const cells = [...document.querySelectorAll("[data-proof]")];
  if (cells.some((cell) => !cell.dataset.state || cell.dataset.state === "claimed")) return;
  clearInterval(watch);
  const said = cells.map((cell) => `${cell.dataset.proof} ${cell.dataset.state} ${cell.textContent}`);
  fetch("ADDRESS", { method: "POST", mode: "no-cors", body: said.join("\\n") });
}, 20);
</script>"""


def opened(page, folder):
    """Open a page from a file in Chromium and return what its cells say in the end, by certificate."""
    heard, told = threading.Event(), []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802
            told.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()
            heard.set()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        reporter = REPORTER.replace("ADDRESS", f"http://127.0.0.1:{server.server_port}/")
        file = folder / "opened.html"
        file.write_text(page.replace("</body>", f"{reporter}</body>"))
        command = [
            CHROMIUM,
            *FLAGS,
            f"--user-data-dir={folder / 'profile'}",
            "--remote-debugging-port=0",
            file.as_uri(),
        ]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert heard.wait(90), "the page did not finish its checks"
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    return dict(line.split(" ", 1) for line in told[0].split("\n"))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = rs.path(rs.datasets.load_pitprops(), k=range(1, 14))
    return write_report(path, tmp_path_factory.mktemp("report")).read_text()


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_pitprops_turns_to_proved_and_a_changed_digit_does_not(page, tmp_path):
    said = opened(page, tmp_path)
    assert list(said) == [f"k{k}" for k in range(1, 14)]
    proved = r"proved proved here, in [\d.]+ s, by your browser \(\d+ lea(f|ves), arithmetic exact, sha256:"
    for text in said.values():
        assert re.match(proved, text)
    # k = 5 attains 3.4; the matrix of k = 6 has one entry that its mirror image does not have.
    claim = r'(data-certificate="k5">.*?"lower": ")[^"]+(",\s*"upper": ")[^"]+"'
    lie = re.sub(claim, r'\g<1>0x1.0000000000000p+0\g<2>0x1.8000000000000p+0"', page, count=1, flags=re.DOTALL)
    entry = r'(data-certificate="k6">.*?"0x1.e872b020c49b)a(p-1")'
    lie = re.sub(entry, r"\g<1>b\g<2>", lie, count=1, flags=re.DOTALL)
    assert lie != page
    said = opened(lie, tmp_path)
    assert {name for name, text in said.items() if not text.startswith("proved ")} == {"k5", "k6"}
    assert said["k5"].startswith("refuted refuted: the vector attains more")
    assert "is not symmetric" in said["k6"]


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_arrays_beside_a_certificate_are_unpacked_by_the_browser(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    result = rs.solve(rs.datasets.load_pitprops(), 5)
    page = write_report(result, tmp_path / "report").read_text()
    assert 'data-companion="' in page
    assert opened(page, tmp_path)["component"].startswith("proved ")


def test_the_page_carries_all_certificates_and_no_name_ends_its_scripts(page, tmp_path):
    assert page.count("data-certificate=") == page.count('<span data-proof="') == 13
    assert page.count("<script") == page.count("</script>") == 18
    cov = rs.datasets.load_pitprops()
    odd = rs.Covariance(cov.matrix[:2, :2], names=["</script><b>", "<!--"])
    rs.solve(odd, 1).certificate.save(tmp_path / "odd.json")
    text = self_check({"odd": tmp_path / "odd.json"})
    assert text.count("</script>") == 6
    assert "<!--" not in text
