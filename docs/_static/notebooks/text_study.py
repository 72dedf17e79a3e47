# # A study of text: which words go together, and in which matrix
#
#
# A sparse component of word counts is a short list of words: a topic. Here is the whole way, from counts to the sentence in the paper, on a corpus that is on
# every machine where this package runs: the docstrings of scipy, some 2000 short texts about numerical methods. After that comes a corpus made from a seed, of
# which the topics are known, and which shows what a proof does *not* say.
#
# ## The words of scipy

import relaxspca as rs
from relaxspca.applications import topics
from relaxspca.datasets.docstrings import docstring_counts

every = docstring_counts("scipy")
print(every)

# The sources are read and the words of each docstring counted ({func}`~relaxspca.datasets.docstrings.docstring_counts` says which count). Nothing is drawn at random. The line that is
# printed has the version of scipy and a digest of vocabulary and counts: who has the same digest has the same corpus, and must get what stands below. Another version
# has other docstrings and may have other topics.
#
# ## First decide which matrix, and which words
#
# Papers on text often take $SS'$, the matrix of second moments, because centring makes sparse counts dense. (Here it does not: the means are
# taken off the small matrix, never off the counts.) Both matrices are one word away:

moments = rs.Covariance.from_sparse(every.counts, names=every.vocabulary, centred=False)
covariance = rs.Covariance.from_sparse(every.counts, names=every.vocabulary)
for matrix in (moments, covariance):
    print(rs.solve(matrix, 6))

# With scipy 1.17.1 the best six words of 1389 are *the, and, are, for, optional*, with *array* in second moments and *with* in the covariance. Both are proved optimal, and neither is a
# topic: *the* stands often in long docstrings and seldom in short ones, so it has most of the variance. The usual remedy is a list of words to leave out. A rule needs no list: keep the words
# of at most a tenth of the docstrings.

rare = docstring_counts("scipy", most=0.1)
covariance = rs.Covariance.from_sparse(rare.counts, names=rare.vocabulary)
print(rare)

# ## Five topics, each proved

found = topics(covariance, 6, 5)
print(found)
assert all(topic.gap < 1e-6 for topic in found)
assert rs.verify(found[0].certificate)

# *(Figure: Five panels of six bars, the loadings of the words: statistic and test lead the first, optimize the second, window and filter the third, singular the fourth, step the fifth.)*
#
# *Hypothesis tests, minimisation, signals, decompositions and clusters, differential equations and Jacobians*: whoever knows scipy knows its chapters again. (`ref` is in the second topic because
# docstrings of minimisers cite much.) Each topic is the best of the words that earlier ones leave, so that topics share no word and each claim is about the covariance itself, not a deflated one.

if rare.digest == "56058dd6fdd28a1d69dde3f354a320c5a530ea1d92be5f47659aef99165d9e42":  # scipy 1.17.1
    assert found[0].words == ("statistic", "test", "null", "hypothesis", "alternative", "observations")
    assert set(found[2].words) == {"window", "filter", "frequency", "signal", "fft", "stft"}

# ## Is the first topic the only answer?

near = rs.near_optimal(covariance, 6, within=0.01)
print(near)
assert near.is_complete

# One other list of six comes within one per cent: *sided*, as in "two-sided", in the place of *observations*. The other five words are in both.
#
# ## What one would write
#
# > Topics are sparse components of the covariance matrix of word counts (2127 docstrings of scipy 1.17.1 of at least 30 words; the 1247 words that are in 20 docstrings or more and in at most 10 % of
# > them; counts centred, not scaled; SHA-256 of the counts 56058dd6...), six words each, disjoint. Each is proved to explain the most of all sets of six words that earlier topics leave, to within a
# > relative 10⁻⁶. One other set of six words comes within 1 % of the first topic, and differs in one word. The certificates are in the supplement.

found.save_certificates("topics")

# ## A corpus whose topics are known
#
# 6000 documents of 1000 words. One word in five comes from the document's topic, one of six with five words each (`topic4_0`
# to `topic4_4`, say); the others are drawn by Zipf's law, `word1` most often, whatever the topic.

import numpy as np
from relaxspca.datasets.text import make_topic_model

model = make_topic_model(1000, topics=6, words=5, offset=5.0, share=0.2)
counts = model.draw(6000, rng=np.random.default_rng(1))  # scipy.sparse, one row a document
moments = rs.Covariance.from_sparse(counts, names=model.vocabulary, centred=False)
covariance = rs.Covariance.from_sparse(counts, names=model.vocabulary)

# *(Figure: Loadings of two components of five words. Second moments: word1 to word5, the most frequent ones. Covariance: the five words of topic 4.)*

assert set(rs.solve(moments, 5).support) == {f"word{i}" for i in range(1, 6)}
assert set(rs.solve(covariance, 5).support) == {f"topic4_{i}" for i in range(5)}

# In second moments a word counts because it is *frequent*: the five most frequent words, of no topic, win. In the covariance a word counts because it *varies together with others*. Neither is wrong, but a table
# that does not say which one it used cannot be checked. Every result of this package says so: "for the matrix of second moments of 6000 observations about zero", "for the covariance matrix of 6000 observations".
#
# ### Six topics, of which one is not planted

found = topics(covariance, 5, 6)
print(found)
assert all(topic.gap < 1e-6 for topic in found)

# Five of the six are the planted topics. The sixth is not:

assert sorted(found[5].words) == ["topic1_0", "topic1_2", "topic1_3", "topic1_4", "word1"]

# `word1` stands in the place of `topic1_1`, and this is *proved optimal*. A proof says that no other five words explain more of this matrix; that they mean something it does not say.
# Documents differ in length, and a frequent word varies with the length. If that is not what you are after, take out the words that
# everybody uses (`exclude=["word1"]` in `rs.solve`), or divide counts by lengths, before you look for topics.
#
# The same for your own counts: `python examples/topics.py COUNTS VOCABULARY`. Figures of earlier work has more on second moments of text.
