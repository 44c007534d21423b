from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Codes: TypeAlias = npt.NDArray[np.uint64]
Counts: TypeAlias = npt.NDArray[np.uint16]

def differing_bits(codes: Codes, query: Codes, differing: Counts, /) -> None: ...
def portable_differing_bits(codes: Codes, query: Codes, differing: Counts, /) -> None: ...
