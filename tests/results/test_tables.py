import csv
import io
from fractions import Fraction

from draws import examples
from hypothesis import given
from hypothesis import strategies as st

from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.numerics.latex import latex_escaped
from relaxspca.results.tables import csv_table, latex_table, markdown_table

CELLS = st.text(st.sampled_from("ab1 ,;'\"\\|&_é\u00a0\u202e\u2028\U0001f600"), max_size=8)


@examples(50)
@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=4))
def test_csv_is_read_back(rows):
    read = list(csv.reader(io.StringIO(csv_table(["a", "b"], rows), newline="")))
    assert read == [["a", "b"], *(list(row) for row in rows)]


def test_special_characters_do_not_break_a_table():
    assert latex_escaped(r"a_b & 5% \ {x}") == r"a\_b \& 5\% \textbackslash{} \{x\}"
    assert markdown_table(["a"], [["x|y"]]).splitlines()[-1] == "| x\\|y |"
    assert latex_table(["a", "b"], [["1_2", "3"]], right=[1]).splitlines()[0] == r"\begin{tabular}{lr}"


def test_names_that_look_like_numbers_stay_names():
    lines = latex_table(["variable", "PC 1"], [["1e5", "1e5"]], right=[1], wrapped=[0]).splitlines()
    assert r"1e5 & $1\cdot10^{5}$ \\" in lines


@examples(300)
@given(value=st.floats(1e-12, 1e12) | st.floats(-1e12, -1e-12), digits=st.integers(1, 17))
def test_printed_bounds_are_still_bounds(value, digits):
    down, up = Fraction(rounded_down(value, digits)), Fraction(rounded_up(value, digits))
    assert down <= Fraction(value) <= up
    assert up - down <= 10 * abs(Fraction(value)) / 10**digits
