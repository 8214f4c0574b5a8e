"""Inputs that are nearly right: good ones, changed in a few places."""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

Content = TypeVar("Content", str, bytes)


@st.composite
def mutated(
    draw: st.DrawFn, good: st.SearchStrategy[Content], noise: st.SearchStrategy[Content]
) -> Content:
    """A good text, or good bytes, with up to four stretches left out, doubled, swapped or noisy."""
    content = draw(good)
    for _ in range(draw(st.integers(0, 4))):
        begin, end = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        # Most changes are small: a long stretch is cut to its first characters.
        end = min(end, begin + draw(st.sampled_from([0, 1, 1, 2, 3, 9, len(content)])))
        head, middle, tail = content[:begin], content[begin:end], content[end:]
        content = draw(
            st.sampled_from([head + tail, head + middle + middle + tail, head + tail + middle])
            | noise.map(lambda new, head=head, tail=tail: head + new + tail)
        )
    return content


def mutated_text(good: st.SearchStrategy[str], letters: Sequence[str]) -> st.SearchStrategy[str]:
    """A good text with changes: of these letters and words, or of any."""
    return mutated(good, st.sampled_from(letters) | st.text(max_size=3)) | st.text(max_size=40)


def mutated_bytes(good: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Good bytes with changes, or any bytes."""
    return mutated(good, st.binary(max_size=4)) | st.binary(max_size=40)
