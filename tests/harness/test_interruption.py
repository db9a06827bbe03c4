"""Signals that ask a search to end."""

from __future__ import annotations

import os
import signal

import pytest

from dovetail.harness.run.clock import SIGNALS, Interruption


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_noted_while_deferred(number: signal.Signals) -> None:
    """At other times it is an interruption at once; afterwards it is what it was."""
    before = signal.getsignal(number)
    interruption = Interruption()
    with interruption.on_signal():
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        assert not interruption.requested
        with interruption.defer():
            os.kill(os.getpid(), number)
            assert interruption.requested
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("number", SIGNALS)
def test_only_ctrl_c_is_impatient(number: signal.Signals) -> None:
    """A second SIGTERM or SIGHUP changes nothing, wherever it comes."""
    interruption = Interruption()
    with interruption.on_signal():
        with interruption.defer():
            os.kill(os.getpid(), number)
        if number == signal.SIGINT:
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
        else:
            os.kill(os.getpid(), number)


def test_an_ignored_hangup_stays_ignored() -> None:
    """Under `nohup` a search goes on."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interruption = Interruption()
        with interruption.on_signal(), interruption.defer():
            os.kill(os.getpid(), signal.SIGHUP)
        assert not interruption.requested
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
