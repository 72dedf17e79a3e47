# # A study of text: which words go together, and in which matrix
#
#
# A sparse component of word counts is a short list of words: a topic. Here is the way from counts to topics, on a corpus made from a seed, of
# which the topics are known, and which shows what a proof does *not* say. ({func}`~relaxspca.datasets.text.read_counts` reads counts of your own.)
#
# ## First decide which matrix
#
# 6000 documents of 1000 words. One word in five comes from the document's topic, one of six with five words each (`topic4_0`
# to `topic4_4`, say); the others are drawn by Zipf's law, `word1` most often, whatever the topic.

import numpy as np

import relaxspca as rs
from relaxspca.datasets.text import make_topic_model

model = make_topic_model(1000, topics=6, words=5, offset=5.0, share=0.2)
counts = model.draw(6000, rng=np.random.default_rng(1))  # scipy.sparse, one row a document
moments = rs.Covariance.from_sparse(counts, names=model.vocabulary, centred=False)
covariance = rs.Covariance.from_sparse(counts, names=model.vocabulary)

# *(Figure: Loadings of two components of five words. Second moments: word1 to word5, the most frequent ones. Covariance: the five words of topic 4.)*

print(", ".join(rs.solve(moments, 5).support))
print(", ".join(rs.solve(covariance, 5).support))

# In second moments a word counts because it is *frequent*: the five most frequent words, of no topic, win. In the covariance a word counts because it *varies together with others*. Neither is wrong, but a table
# that does not say which one it used cannot be checked. Every result of this package says so: "for the matrix of second moments of 6000 observations about zero", "for the covariance matrix of 6000 observations".
#
# ## Six topics, of which one is not planted

found, used = [], []
for _ in range(6):
    found.append(rs.solve(covariance, 5, exclude=used))
    used += found[-1].support
    print(", ".join(found[-1].support), found[-1].status, bool(rs.verify(found[-1].certificate)))

# Each topic is the best of the words that earlier ones leave: topics share no word, and each claim is about the covariance itself, not a deflated one. Five of the six are the planted topics. The sixth is not:
# `word1` stands in the place of `topic1_1`, and this is *proved optimal*. A proof says that no other five words explain more of this matrix; that they mean something it does not say.
# Documents differ in length, and a frequent word varies with the length. If that is not what you are after, take out the words that
# everybody uses (`exclude=["word1"]` in `rs.solve`), or divide counts by lengths, before you look for topics.
#
# ## Is the first topic the only answer?

near = rs.near_optimal(covariance, 5, within=0.01)
print(near)

# The same for your own counts: `python examples/topics.py COUNTS VOCABULARY`. Figures of earlier work has more on second moments of text.
