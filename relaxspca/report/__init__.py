"""Pages about a covariance, and archives of certificates."""

from relaxspca.report.page import write_report

__all__ = ["write_report"]


def __dir__() -> list[str]:
    return sorted(__all__)
