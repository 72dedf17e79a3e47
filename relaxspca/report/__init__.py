"""Pages about a covariance, and archives of certificates."""

from relaxspca.report.page import write_report

__all__ = ["write_report"]
__dir__ = __all__.copy
