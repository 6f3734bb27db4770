"""Memory stays where it is over 10⁶ calls, half of them in error."""
import os

import pytest

import soba

CALLS = int(os.environ.get("SOBA_PYTHON_CALLS", "100000"))


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
def test_memory_does_not_grow():
    model = soba.Model("sobadiag", labels=["a", "b", "c"])
    case, bad = {f"feature{i}": 0.5 * i for i in range(20)}, {"feature0": float("nan")}

    def call(count):
        for _ in range(count // 4):
            d = model.decide(case)
            d.distribution, d.label
            model.reward(d, True)
            for refused in (lambda: model.decide(bad), lambda: model.reward("none", True)):
                try:
                    refused()
                except (ValueError, KeyError):
                    pass

    call(20_000)
    before = resident()
    call(CALLS)
    assert resident() - before < 2_000_000
