"""Which cases of a long test run in `make test`; the others are left to `make soak`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def sampled(cases: Iterable[Any], every: int) -> list[ParameterSet]:
    """Return cases for `parametrize`: each n-th for every run, the others for the soak."""
    values = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [
        pytest.param(*value, marks=[pytest.mark.soak] if number % every else []) for number, value in enumerate(values)
    ]
