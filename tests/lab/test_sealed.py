"""A sealed file is told from whatever else it may have become."""

import json

from hypothesis import given
from hypothesis import strategies as st
from mutations import mutated_bytes

from red7sim.lab.sealed import described, fault_of, sealed

MEMBERS = {"who": "é", "numbers": [1, 2.5, None], "inner": {"seal": "none", "format": 9}}


def written(format_version: int = 3) -> bytes:
    text = json.dumps(described(format_version, MEMBERS))
    return sealed(b"\x00head" + text.encode() + bytes(range(256)))


def test_a_sealed_file_has_no_fault_and_its_description_can_be_read() -> None:
    content = written()
    assert fault_of(content, 3) is None
    told = json.loads(content[content.index(b"{") : content.rindex(b"}", 0, -256) + 1])
    assert told["format"] == 3
    assert len(told["seal"]) == 64
    assert {name: told[name] for name in MEMBERS} == MEMBERS


@given(mutated_bytes(st.just(written())))
def test_any_other_bytes_are_a_fault(content: bytes) -> None:
    assert (fault_of(content, 3) is None) == (content == written())


@given(st.data())
def test_a_changed_bit_is_a_fault(data: st.DataObject) -> None:
    content = bytearray(written())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert fault_of(bytes(content), 3) is not None


def test_faults_are_told_apart() -> None:
    assert fault_of(written(), 4) == "is of format 3; this program reads format 4"
    assert fault_of(b"", 3) == "is damaged, or no file of red7sim"
    assert fault_of(written()[:60], 3) == "is damaged, or no file of red7sim"
    assert fault_of(written()[:-1], 3) == "is damaged: it is not what was written"
