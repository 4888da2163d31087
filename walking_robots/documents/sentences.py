"""Sentences for people: on one line, whatever they repeat of what was written."""

import re

LONGEST_WORD, LONGEST = 200, 2000
"""Letters of a word, and of a sentence. File names have 255 at most, and seldom half of that."""
_HEAD, _TAIL = 60, 40


def one_line(sentence: str) -> str:
    """Return a sentence on one line; the middle of a long word or text becomes '…'."""
    text = re.sub(rf'\S{{{LONGEST_WORD},}}', _without_middle, ' '.join(sentence.split()))
    return text if len(text) <= LONGEST else f'{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}'


def _without_middle(word: re.Match[str]) -> str:
    return f'{word[0][:_HEAD]}…{word[0][-_TAIL:]}'
