"""One true certificate of every kind, by name."""

from restricted_certificates import restricted_certificates
from true_certificates import true_certificates
from true_choices import true_choices
from true_ratios import true_ratios
from true_tables import true_tables


def every_certificate():
    """Return all that are made without the solver."""
    pairs = true_certificates() | restricted_certificates() | true_tables() | true_choices()
    return {name: made for name, (_, made) in pairs.items()} | true_ratios()
