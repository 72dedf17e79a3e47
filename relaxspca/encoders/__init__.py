"""Sparse linear encoders that minimise information loss."""

from relaxspca.encoders.batch import batch_encoder, black_box_encoder, iterative_encoder
from relaxspca.encoders.encoder import Encoder, encoder_loss, optimal_decoder, symmetric_variance
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
