"""Six components of the pit props with the cardinalities of Zou, Hastie and Tibshirani (2006).

python examples/several_components.py
"""

import relaxspca as rs

found = rs.components(rs.datasets.load_pitprops(), [7, 4, 4, 1, 1, 1])
frame = found.to_frame()
print(frame[["k", "share", "cumulative_share"]].to_string(float_format="%.3f"))

optimal = sum(result.status == "optimal" for result in found.results)
verified = all(rs.verify(result.certificate) for result in found.results)
share = 100 * found.share
print(f"verdict: {optimal} of 6 are proved best for what the earlier ones leave; together {share:.1f} %")
raise SystemExit(not verified)
