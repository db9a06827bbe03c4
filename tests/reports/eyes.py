"""How far colours are apart, as they are seen by most kinds of eyes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.float64]

# Linear RGB as it is seen; Machado, Oliveira and Fernandes 2009, severity 1.
EYES = {
    "usual": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# From linear RGB to cones and from there to Oklab (Ottosson 2020).
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(*colours: str) -> Colours:
    """Linear RGB of colours as CSS writes them."""
    values = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def min_difference(colours: Sequence[str], eyes: str) -> float:
    """Between two of the colours, in hundredths of Oklab."""
    seen = np.clip(linear(*colours) @ EYES[eyes].T, 0, 1)
    lab = np.cbrt(seen @ TO_CONES.T) @ TO_LAB.T
    return float(100 * min(np.linalg.norm(a - b) for a, b in combinations(lab, 2)))


def min_contrast(colours: Sequence[str], other: str) -> float:
    """Of any of the colours to another one, as WCAG defines it."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    brightness = linear(*colours) @ weights + 0.05
    against = (linear(other) @ weights)[0] + 0.05
    return float((np.maximum(brightness, against) / np.minimum(brightness, against)).min())
