import numpy as np

from relaxspca import Covariance
from relaxspca.applications import topics


def test_topics_may_use_up_all_words():
    cov = Covariance(np.diag([3.0, 2.0, 1.5, 1.0]), names=["a", "b", "c", "d"])
    assert [topic.words for topic in topics(cov, 2, 2)] == [("a", "b"), ("c", "d")]


def test_positions_of_a_topic_are_among_the_words_that_earlier_ones_left():
    cov = Covariance(np.diag([3.0, 2.0, 1.5, 1.0]), names=["a", "b", "c", "d"])
    later = topics(cov, 2, 2)[1]
    assert later.indices == (0, 1)
    assert [later.certificate.names[i] for i in later.indices] == list(later.support) == ["c", "d"]
