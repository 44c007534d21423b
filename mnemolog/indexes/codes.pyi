from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Codes: TypeAlias = npt.NDArray[np.uint64]
Counts: TypeAlias = npt.NDArray[np.uint16]
Rows: TypeAlias = npt.NDArray[np.int64]
Halves: TypeAlias = npt.NDArray[np.float16]
Floats: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.bool_]

def differing_bits(codes: Codes, query: Codes, differing: Counts, /) -> None: ...
def portable_differing_bits(codes: Codes, query: Codes, differing: Counts, /) -> None: ...
def nearest_codes(
    codes: Codes, query: Codes, allowed: Mask, excluded: Rows, found: Rows, /
) -> int: ...
def portable_nearest_codes(
    codes: Codes, query: Codes, allowed: Mask, excluded: Rows, found: Rows, /
) -> int: ...
def products(vectors: Halves, rows: Rows, query: Floats, products: Floats, /) -> None: ...
def portable_products(vectors: Halves, rows: Rows, query: Floats, products: Floats, /) -> None: ...
