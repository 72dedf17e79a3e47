# # A study of text: which words go together, and in which matrix
#
#
# A sparse component of word counts is a short list of words: a topic. Here is the whole way, from counts to the sentence in the paper, on a corpus that
# everybody can draw: 6000 short documents of 1000 words. One word in five comes from the document's topic, one of six with five words each (`topic4_0`
# to `topic4_4`, say); the others are drawn by Zipf's law, `word1` most often, whatever the topic.

import numpy as np
import relaxspca as rs
from relaxspca.applications import topics
from relaxspca.datasets.text import make_topic_model

model = make_topic_model(1000, 6, 5, offset=5.0, share=0.2)
counts = model.draw(6000, np.random.default_rng(1))  # scipy.sparse, one row a document

# ## First decide which matrix
#
# Papers on text often take $SS'$, the matrix of second moments, because centring makes sparse counts dense. (Here it does not: the means are
# taken off the small matrix, never off the counts.) The two matrices have different components, both *proved* optimal:

moments = rs.Covariance.from_sparse(counts, names=model.vocabulary, centred=False)
covariance = rs.Covariance.from_sparse(counts, names=model.vocabulary)
for matrix in (moments, covariance):
    print(rs.solve(matrix, 5))

# *(Figure: Loadings of two components of five words. Second moments: word1 to word5, the most frequent ones. Covariance: the five words of topic 4.)*

assert set(rs.solve(moments, 5).support) == {f"word{i}" for i in range(1, 6)}
assert set(rs.solve(covariance, 5).support) == {f"topic4_{i}" for i in range(5)}

# In second moments a word counts because it is *frequent*: the five most frequent words, of no topic, win. In the covariance a word counts because it *varies together with others*. Neither is wrong, but a table
# that does not say which one it used cannot be checked. Every result of this package says so: "for the matrix of second moments of 6000 observations about zero", "for the covariance matrix of 6000 observations".
#
# ## Six topics, each proved

found = topics(covariance, 5, 6)
print(found)
assert all(topic.status == "optimal" for topic in found)

# Each topic is the best of the words that earlier ones leave, so that topics share no word and each claim is about the covariance itself, not a deflated one.
# Five of the six are the planted topics. The sixth is not:

assert sorted(found[5].words) == ["topic1_0", "topic1_2", "topic1_3", "topic1_4", "word1"]

# `word1` stands in the place of `topic1_1`, and this is *proved optimal*. A proof says that no other five words explain more of this matrix; that they mean something it does not say.
# Documents differ in length, and a frequent word varies with the length. If that is not what you are after, take out the words that
# everybody uses (`exclude=["word1"]` in `rs.solve`), or divide counts by lengths, before you look for topics.
#
# ## Is the first topic the only answer?

near = rs.near_optimal(covariance, 5, within=0.02)
print(near.statement)
assert near.is_complete and len(near.supports) == 1

# ## What one would write
#
# > Topics are sparse components of the covariance matrix (centred counts, 6000 documents, 1000 words), five words each, disjoint. Each is proved to explain the most of all sets
# > of five words that earlier topics leave, and no other set of five words comes within 2 % of the first. The certificates are in the supplement.

found.save_certificates("topics")

# The same for your own counts: `python examples/topics.py COUNTS VOCABULARY`. Figures of earlier work has more on second moments of text.
