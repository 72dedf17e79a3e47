# # Five studies
#
#
# From a question to a sentence that a paper can print. The first two run as they stand; the third needs scanpy (`pip install scanpy`), the fourth and the fifth a file.
#
# ## Which measurements carry the variance of a tumour?
#
# Thirty measurements of 569 breast tumours come with scikit-learn. How few of them say nearly as much as all together?

import relaxspca as rs
from sklearn.datasets import load_breast_cancer

cancer = load_breast_cancer(as_frame=True).data
cov = rs.Covariance.from_data(cancer, correlation=True)
shares = rs.path(cov, share_of_dense=0.9)
print(shares.statement)

# Eighteen of the thirty keep 90 % of what the first dense component explains, and it is proved that no seventeen do. For a name that
# fits on an axis label fewer are wanted, so look at the component of six:

best = rs.solve(cov, 6)
print(best)

# It uses the radius, the perimeter and the area, each as mean and as worst value, with nearly equal loadings: *size*. Would another six do as well?

near = rs.near_optimal(cov, 6, within=0.01)
print(near.statement)
print(rs.stability(best).statement)
best.certificate.save("size.json")

# No. Here is what one would write:
#
# > The best sparse component of six variables (correlations, n = 569) weighs mean and worst radius, perimeter and area about equally and explains 19.5 % of
# > the variance; it is proved optimal, and no other six variables come within 1 % of it. Certificate with digest sha256:… in the supplement.
#
# ## Three measurements that tell wines apart
#
# A discriminant asks for the direction that separates classes best. Fisher's uses all 13 measurements of the wine data; how far do three get?

from relaxspca.estimators import CertifiedSparseLDA
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score

X, y = load_wine(return_X_y=True)
three = cross_val_score(CertifiedSparseLDA(k=3), X, y, cv=5).mean()
dense = cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=5).mean()
print(f"two directions of three variables: {three:.3f}; all thirteen: {dense:.3f}")

# In cross-validation two directions of three variables each classify as well as the dense ones. What is *proved* is another thing: that among all directions of three
# variables none has a larger ratio of variance between classes to variance within them, for the wines at hand.

model = CertifiedSparseLDA(k=3).fit(load_wine(as_frame=True).data, y)
print(model.results_[0])

# > Two sparse discriminants of three measurements each, proved to maximise Fisher's ratio among all such directions (the second on what the first leaves), classify
# > 97 % of the wines in five-fold cross-validation, as do dense discriminants.
#
# ## Which genes vary together in blood?
#
# scanpy comes with 765 genes of 700 blood cells (a sample of the 68 000 of 10x Genomics; logarithms of normalised counts, most of them 0, and the type that was given to each cell).
# Which ten genes carry most of the variance? The counts stay sparse, and the types are not used:
#
# ```py
# import scanpy
# import relaxspca as rs
#
# cells = scanpy.datasets.pbmc68k_reduced()
# cov = rs.Covariance.from_sparse(cells.raw.X, names=cells.raw.var_names)
# best = rs.solve(cov, 10)
# near = rs.near_optimal(cov, 10, within=0.01)
# print(best, near)
# ```
#
# Seven genes of the HLA-D family with CD74, which belongs to them, and LYZ and CST3, proved optimal at the first node. One other list of ten comes within 1 %, with HLA-DQB1 in the place of HLA-DQA2.
# Next come the best ten of the genes that are left, and so on, each with a proof (`exclude` leaves out what earlier groups use):
#
# ```py
# groups = []
# for _ in range(4):
#     used = [name for group in groups for name in group.support]
#     groups.append(rs.solve(cov, 10, exclude=used))
#     print(groups[-1])
# ```
#
# *(Figure: Mean score of ten types of cells on four components. The first is largest in dendritic cells, then in monocytes and B cells; the second in monocytes, then in dendritic cells; the third is largest in dendritic cells and below 0 in T and NK cells; the fourth is largest in NK cells, then in cytotoxic T cells.)*
#
# | | variance | genes by falling weight (− before a gene: its loading is negative) |
# |---|---|---|
# | 1 | 24.4913 | HLA-DRA, CST3, LYZ, HLA-DPB1, HLA-DPA1, HLA-DRB1, HLA-DQA1, CD74, HLA-DRB5, HLA-DQA2 |
# | 2 | 15.7968 | AIF1, LST1, TYROBP, FCER1G, FCGR3A, CTSS, PSAP, −PTPRCAP, FCN1, SPI1 |
# | 3 | 8.24378 | HLA-DQB1, −IL32, −LTB, −CD3D, FCER1A, HLA-DMA, CPVL, GSTP1, HLA-DMB, −CD3E |
# | 4 | 6.98960 | NKG7, GNLY, CCL5, GZMA, CTSW, GZMB, CD7, CST7, GZMH, HOPX |
#
# The types of the cells agree with what the genes are known for: presenting antigens, monocytes, dendritic cells against T cells, killing. That is an observation. What is *proved* is that no other ten genes
# explain more. The figure is drawn by `docs/gene_figure.py`; all of it takes some seconds.
#
# > Sparse components of the covariance matrix of 765 genes in 700 blood cells (pbmc68k_reduced of scanpy 1.11.5; log-normalised counts, centred, not scaled; digest sha256:1a3e9f4a…), ten genes each, disjoint.
# > The first, HLA class II genes with CD74, LYZ and CST3, explains 5.48 % of the variance. Each is proved to explain the most of all sets of ten genes that earlier ones leave, to within a relative 10⁻⁶. One other set
# > of ten comes within 1 % of the first, and differs in one gene. Certificates in the supplement.
#
# ## Whole expression matrices
#
# The R package hdi (GPL) has the expression of 4088 genes of *Bacillus subtilis* in 71 fermentations (Bühlmann, Kalisch and Meier 2014); here it is saved as `riboflavin4088.npz`, with the
# array `X` as it is and the array `names`. Which ten genes vary most closely together? All correlations are asked, none of the genes is dropped before:
#
# ```py
# arrays = np.load("riboflavin4088.npz")
# cov = rs.Covariance.from_data(arrays["X"], names=arrays["names"], correlation=True)
# best = rs.solve(cov, 10)
# print(best)
# ```
#
# ```text
# Largest variance with at most 10 of 4088 variables: 9.53239 (rounded; correlation matrix of 71 observations).
# Proved optimal (relative gap 1.2e-9). Uniqueness not checked.
# Explains 0.2332 % of the total variance, using YOKC_at, YOMH_at, YONH_at, YORF_at, YORG_at, YORH_at, YORI_at, YORK_at, YOSH_at, YOSJ_at.
# Searched 1 node.
# | variable | loading |
# | --- | ---: |
# | YORH_at | 0.3190 |
# | YORI_at | 0.3181 |
# | YOSH_at | 0.3180 |
# | YORG_at | 0.3174 |
# | YOKC_at | 0.3171 |
# | YOSJ_at | 0.3160 |
# | YOMH_at | 0.3151 |
# | YORK_at | 0.3150 |
# | YONH_at | 0.3135 |
# | YORF_at | 0.3130 |
# ```
#
# There are 10²⁹ sets of ten. Rows of the matrix prove which few of the 4088 genes a better one could use, and a search among these proves that there is none
# (how). All ten are genes of one prophage, SPβ, which stand beside each other on the chromosome (yokA to yotN). How nearly is it the only answer?
#
# ```py
# near = rs.near_optimal(cov, 10, within=0.001)
# print(near.statement)
# print(rs.stability(best).statement)
# ```
#
# ```text
# Exactly 5 sets of 10 variables come within 0.1 % of the best (proved; correlation matrix of 71 observations of 4088 variables). Any other set explains at most 9.52287.
# Common to all: YOKC_at, YOMH_at, YORG_at, YORH_at, YORI_at, YORK_at, YOSH_at, YOSJ_at.
# The best set is the only optimum, and remains so for any perturbation of the matrix with spectral norm below 0.00279 (half its lead; stability, where ties are allowed, may find more).
# YOKC_at, YOMH_at, YONH_at, YORF_at, YORG_at, YORH_at, YORI_at, YORK_at, YOSH_at, YOSJ_at: variance at least 9.53239; any other set of 10 variables at most 9.52680 (correlation matrix of 71 observations of 4088 variables).
# The same variables remain optimal for any perturbation of the matrix with spectral norm up to 0.00615 (possibly tied).
# Sampling error is another matter: with 71 observations, a correlation of these variables has a standard error of about 0.012 (normal data), 14 times the proved change of an entry. See bootstrap.
# ```
#
# What is usually done is to keep the ten largest loadings of the first principal component. They are assessed in the same way:
#
# ```py
# loadings = np.linalg.svd(cov.factor, full_matrices=False)[2][0]
# loadings[np.argsort(-abs(loadings))[10:]] = 0
# print(rs.certify(cov, loadings).statement)
# ```
#
# ```text
# uxaB_at, YDEL_at, YFNF_at, YJCO_at, YKVI_at, YMAE_at, YNDD_at, YNDG_at, YNDJ_at, YWHK_at: not optimal, a better component explains 3.69 % more.
# These loadings explain at least 9.19292, and no 10 variables more than 9.53240 (correlation matrix of 71 observations of 4088 variables; the upper bound is by branch and bound).
# Assessed as a first component.
# Better loadings on these variables explain 0.00474 % more.
# Best known: YOKC_at, YOMH_at, YONH_at, YORF_at, YORG_at, YORH_at, YORI_at, YORK_at, YOSH_at, YOSJ_at (+3.69 %; the optimum is larger by at most 1.2e-7 %).
# To assess a later component, pass the earlier ones with after= (--after).
# ```
#
# None of them is of the prophage: the first principal component is of all genes, and the ten with its largest loadings vary less closely together. Three components of
# five genes each, together:
#
# ```py
# together = rs.components(cov, [5, 5, 5], joint=True)
# print(together)
# ```
#
# ```text
# Largest total variance of 3 orthogonal components of 5 variables each: 14.6186 (rounded; correlation matrix of 71 observations of 4088 variables).
# These components are jointly optimal (relative gap 1.1e-9). Uniqueness not checked.
# Together they explain 0.3576 % of the total variance (projection on their span), 0.6730 % of what 3 ordinary PCs explain.
# No 3 orthogonal components of these sizes can explain more than 0.3576 % in total.
# Searched 1 node.
# | component | k | variables | % of total | cumulative % |
# | ---: | ---: | --- | ---: | ---: |
# | 1 | 5 | YXLC_at, YXLD_at, YXLE_at, YXLF_at, YXLG_at | 0.120 | 0.120 |
# | 2 | 5 | ARGB_at, ARGD_at, ARGF_at, CARA_at, CARB_at | 0.119 | 0.239 |
# | 3 | 5 | YOKC_at, YORG_at, YORH_at, YORI_at, YOSH_at | 0.119 | 0.358 |
# | variable | PC 1 | PC 2 | PC 3 |
# | --- | ---: | ---: | ---: |
# | ARGB_at |  | 0.442 |  |
# | ARGD_at |  | 0.447 |  |
# | ARGF_at |  | 0.447 |  |
# | CARA_at |  | 0.449 |  |
# | CARB_at |  | 0.451 |  |
# | YOKC_at |  |  | 0.447 |
# | YORG_at |  |  | 0.447 |
# | YORH_at |  |  | 0.448 |
# | YORI_at |  |  | 0.448 |
# | YOSH_at |  |  | 0.446 |
# | YXLC_at | 0.446 |  |  |
# | YXLD_at | 0.448 |  |  |
# | YXLE_at | 0.447 |  |  |
# | YXLF_at | 0.447 |  |  |
# | YXLG_at | 0.447 |  |  |
# | variables | 5 | 5 | 5 |
# | % of total | 0.120 | 0.119 | 0.119 |
# | cumulative % | 0.120 | 0.239 | 0.358 |
# | cumulative, % of ordinary PCs | 0.330 | 0.500 | 0.673 |
# | adjusted cumulative % | 0.120 | 0.238 | 0.344 |
# ```
#
# Here, too, what belongs together was not told: yxlC to yxlG stand in one operon, and so do argB, argD, argF, carA and carB, which make arginine; the third five are of the prophage. That is an
# observation. What is *proved* is that no three orthogonal components of five genes explain more. All three are a small part of 4088 variances; sparse components of so many variables are
# groups that vary together, not a summary of all.
#
# `python docs/whole_matrix.py riboflavin4088.npz` printed all of this, in about a minute of processor time with the checks of both certificates.
#
# ## Factors of stock returns
#
# The R package msPCA (CC0) has a 423 × 423 matrix of correlations of S&P 500 stocks with the market taken out; here it is saved as `snp500.npz`, with the matrix as
# array `S` and the stocks as array `names`. Four components of five stocks each, proved
# together, from the command line:
#
# ```sh
# relaxspca components snp500.npz -k 5,5,5,5 --joint --time-limit 600 \
#     --plot factors.pdf --latex factors.tex
# ```
#
# or in Python, with the names of the stocks:
#
# ```py
# arrays = np.load("snp500.npz")
# cov = rs.Covariance(arrays["S"], names=arrays["names"])
# factors = rs.components(cov, [5, 5, 5, 5], joint=True, time_limit=600)
# ```
#
# Three of the four are groups of electric utilities (AEP, DUK, ED, SO, XEL; CMS, ES, LNT, PNW, WEC; AEE, DTE, ETR, NEE, PEG), the fourth is one of landlords of
# apartments (AVB, CPT, EQR, ESS, UDR). They are exactly orthogonal, and the bound says how much any other four could explain together. Performance has the measured table beside two other programs.
