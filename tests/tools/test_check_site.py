"""The checker of the built pages finds every kind of fault, and none where there is none."""

import pytest
from scripts import ran, script

FAULTS = script("tools/check_site.py").faults
GOOD = """<html><body><h1 id="top">x</h1><a href="#top">up</a><a href="sub/b.html#there">b</a>
<a href="https://example.org/a?b=c#d">out</a><img src="sub/p%20q.png" alt=""><img src="data:image/png,AA">
<p>It costs $5 and then $6.</p><code>\\alpha $x$</code><math title="\\arg"><mi>a</mi></math></body></html>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.html").write_text('<p id="there"><a href="../a.html">a</a></p>')
    (tmp_path / "sub" / "p q.png").write_bytes(b"")
    (tmp_path / "a.html").write_text(GOOD)
    return tmp_path


def test_good_pages_have_no_fault(site):
    assert list(FAULTS(site)) == []
    assert ran("tools/check_site.py", site)[0] == 0


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('<a href="c.html">c</a>', "no such file"),
        ('<a href="sub">c</a>', "no such file"),
        ('<a href="#nowhere">c</a>', "no such anchor"),
        ('<a href="sub/b.html#nowhere">c</a>', "no such anchor"),
        ('<img src="sub/none.png">', "no such file"),
        ('<a href="../../etc/hosts">c</a>', "out of the pages"),
        ('<a href="htp://example.org">c</a>', "no address"),
        ('<a href="https://example">c</a>', "no address"),
        ('<a href="https://exa mple.org">c</a>', "no address"),
        ("<math><mi>\\arg</mi></math>", "TeX is shown: \\arg"),
        ("<p>the value $x_1+2$ is</p>", "TeX is shown"),
        ("<p>$$x$$</p>", "TeX is shown"),
    ],
)
def test_every_fault_is_found_once_on_its_line(site, bad, message):
    (site / "a.html").write_text(f"{GOOD}\n{bad}")
    found = list(FAULTS(site))
    assert found
    assert all(line.startswith("a.html:4:") for line in found)
    assert message in found[0]
    assert ran("tools/check_site.py", site)[0] == 1


def test_an_empty_folder_is_a_fault(tmp_path):
    assert list(FAULTS(tmp_path))
