"""Build the fields of documents: parts that refuse unknown keys, numbers that keep to a range."""

from pydantic import AfterValidator, BaseModel, ConfigDict


class DocumentPart(BaseModel):
    """Refuse what is not described here."""

    model_config = ConfigDict(extra='forbid', frozen=True, defer_build=True)


def within(low: float, high: float, text: str) -> AfterValidator:
    """Return a validator that keeps a number in low ... high; ``text`` says so in the error."""

    def check(value: float) -> float:
        if not low <= value <= high:
            raise ValueError(f'must be {text}')
        return value

    return AfterValidator(check)
