"""Pages about a covariance, and archives of certificates."""

from relaxspca.report.page import check_report_folder, write_report

__all__ = ["check_report_folder", "write_report"]


def __dir__() -> list[str]:
    return sorted(__all__)
