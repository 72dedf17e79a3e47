from relaxspca.results.bound import Bound


def test_a_bound_reads_as_what_it_claims():
    bound = Bound(3, 2.5, "psi", seconds=0.12, note="<scs>").after(Bound(3, 3.0, "trace", seconds=0.001))
    assert (
        repr(bound).splitlines()[0]
        == "Largest variance with at most 3 variables: at most 2.50000, by the relaxation psi."
    )
    assert "| psi | 2.50000 | 0.12 | <scs> |" in repr(bound)
    html = bound._repr_html_()
    assert "at most 2.50000, by the relaxation psi" in html
    assert "&lt;scs&gt;" in html
    assert html.count("<tr>") == 3
