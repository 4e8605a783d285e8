"""What all tests share: how Hypothesis runs, and a cache of their own.

`--hypothesis-profile` chooses `dev` (the default), `ci` or `nightly`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# A shared machine can be slow for a moment: time limits would make tests flaky, and `--durations` shows what is slow.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("dev", parent=_patient, max_examples=25)
settings.register_profile("ci", parent=_patient, max_examples=100, derandomize=True, database=None, print_blob=True)
settings.register_profile("nightly", parent=_patient, max_examples=2000, print_blob=True)
settings.load_profile("dev")


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test, nor any program it starts, touch the cache of whoever runs the tests. Workers share one."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "rules-cache"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AODRULES_CACHE", os.fspath(folder))
        yield
