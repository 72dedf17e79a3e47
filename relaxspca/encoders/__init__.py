"""Sparse linear encoders that minimise information loss."""

from relaxspca.encoders.batch import batch_encoder
from relaxspca.encoders.black_box import black_box_encoder
from relaxspca.encoders.encoder import Encoder
from relaxspca.encoders.iterative import iterative_encoder
from relaxspca.encoders.loss import encoder_loss, optimal_decoder, symmetric_variance
from relaxspca.encoders.optimal import optimal_encoder

__all__ = [
    "Encoder",
    "batch_encoder",
    "black_box_encoder",
    "encoder_loss",
    "iterative_encoder",
    "optimal_decoder",
    "optimal_encoder",
    "symmetric_variance",
]
__dir__ = __all__.copy
