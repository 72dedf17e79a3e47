r"""Every relaxation as a cvxpy problem with named variables and parameters.

Each function takes a covariance and a size, and returns a `Model`: print it, change it, solve it with any
solver that cvxpy knows and with that solver's options, and turn its solution into a proved bound.
The primal form maximises over matrices that stand for xx'; with ``dual=True`` the dual form minimises over dual
points, each of which proves a bound.

Examples
--------
>>> import relaxspca as rs
>>> model = rs.models.psi(rs.datasets.make_spiked(6, 2, n_samples=40), k=2)
>>> value = model.solve(solver="SCS")
>>> model.bound()
Largest variance with at most 2 variables: at most ..., by the relaxation psi, ...
"""

from relaxspca.relaxations.conic import write_cbf
from relaxspca.relaxations.model import Model
from relaxspca.relaxations.perron.models import model as perron
from relaxspca.relaxations.psi.models import kkt_model as kkt
from relaxspca.relaxations.psi.models import model as psi
from relaxspca.relaxations.published.dspca import model as dspca
from relaxspca.relaxations.published.li_xie import model as li_xie
from relaxspca.relaxations.published.perspective import model as perspective
from relaxspca.relaxations.published.spartrahedron import model as spartrahedron

__all__ = [
    "Model",
    "dspca",
    "kkt",
    "li_xie",
    "perron",
    "perspective",
    "psi",
    "spartrahedron",
    "write_cbf",
]
