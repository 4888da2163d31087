"""Draw programs of the motion language at random: everything that its grammar allows."""

from hypothesis import strategies as st

from walking_robots.mdle.language.ast import (
    Action,
    Argument,
    Atom,
    Binary,
    Call,
    Cause,
    Condition,
    Constant,
    Emission,
    Encapsulation,
    Expression,
    Filter,
    Group,
    Guard,
    Handler,
    Import,
    Index,
    Interrupt,
    Law,
    LawCall,
    Loop,
    Member,
    Name,
    Number,
    Parallel,
    Parameter,
    Partner,
    Program,
    Reverse,
    Run,
    Scale,
    Segment,
    Segments,
    Slice,
    Step,
    Text,
    Timeout,
    Truth,
    Unary,
)
from walking_robots.mdle.language.parser import _parser, keywords
from walking_robots.mdle.language.quantities import UNITS

WORDS = st.sampled_from(['a', 'b2', 'y', 't', 'bb', 'go_to', 'min', 'm', 'e5', '_', 'hold', 'no'])
KEYWORDS = st.sampled_from(sorted(keywords()))
NAMES = WORDS | st.from_regex(r'[A-Za-z_][A-Za-z0-9_]{0,8}', fullmatch=True).filter(
    lambda name: name not in keywords()
)
MEMBERS = WORDS | KEYWORDS
STRINGS = st.text(st.characters(exclude_categories=['Cs']), max_size=8)
UNITED = st.sampled_from(sorted(UNITS))
TYPES = UNITED | st.sampled_from(['num', 'bool', 'str', 'point', 'pose', 'own'])
SMALL = st.integers(0, 3)
COUNTS = st.integers(1, 5) | st.integers(1, 1_000_000)
NUMBERS = st.builds(
    Number,
    st.integers(0, 100).map(float) | st.floats(0, allow_nan=False, allow_infinity=False),
    st.just('') | UNITED,
)
ENDLESS = st.just(Number(float('inf')))
LEAVES = (
    NUMBERS
    | ENDLESS
    | st.builds(Text, STRINGS)
    | st.builds(Truth, st.booleans())
    | st.builds(Name, NAMES)
)
OPERATORS = ['+', '-', '*', '/', '<', '<=', '>', '>=', '==', '!=', 'and', 'or']


def spans(source: str) -> list[tuple[int, int]]:
    """Return where the words and signs of a text begin and end."""
    return [(token.start_pos, token.end_pos) for token in _parser().lark.lex(source)]


def few(items: st.SearchStrategy, least: int = 0, most: int = 2) -> st.SearchStrategy[tuple]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _primaries(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Draw a name and up to three things behind it, that hold ``inner``."""
    arguments = few(st.builds(Argument, inner, st.just('') | NAMES), most=3)
    suffixes = st.one_of(
        st.tuples(st.just(Member), MEMBERS),
        st.tuples(st.just(Partner), MEMBERS),
        st.tuples(st.just(Index), inner),
        st.tuples(st.just(Slice), inner, inner),
        st.tuples(st.just(Call), arguments),
    )

    def grow(name: str, behind: list[tuple]) -> Expression:
        found: Expression = Name(name)
        for kind, *parts in behind:
            found = kind(found, *parts)
        return found

    return st.builds(grow, NAMES, st.lists(suffixes, max_size=3))


def _larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Binary, st.sampled_from(OPERATORS), inner, inner),
        st.builds(Unary, st.sampled_from(['-', 'not']), inner),
        _primaries(inner),
    )


_EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=6)
_CALLS = _primaries(LEAVES)


def expressions() -> st.SearchStrategy[Expression]:
    """Draw any expression."""
    return _EXPRESSIONS


def optional(items: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | items


VALUES = NUMBERS | ENDLESS | _EXPRESSIONS
VECTORS = few(VALUES, 1, 3)
PARAMETERS = few(st.builds(Parameter, NAMES, TYPES, optional(VALUES)))


def _actions() -> st.SearchStrategy[Action]:
    plain = st.one_of(
        st.builds(Action, st.sampled_from(['next', 'done', 'fail', 'restart', 'abort'])),
        st.builds(Action, st.just('fail'), STRINGS),
        st.builds(Action, st.just('retry'), count=COUNTS),
        st.builds(Action, st.just('run'), call=_CALLS),
    )
    return st.recursive(
        plain,
        lambda then: st.builds(Action, st.just('run'), call=_CALLS, then=then),
        max_leaves=2,
    )


ACTIONS = _actions()
GUARDS = st.builds(Guard, _EXPRESSIONS, optional(ACTIONS))
TIMEOUTS = st.builds(Timeout, VALUES, optional(ACTIONS))
FILTERS = st.one_of(
    st.builds(Filter, st.sampled_from(['hold', 'debounce']), VALUES),
    st.builds(Filter, st.sampled_from(['edge', 'latch'])),
    st.builds(Filter, st.just('stale'), policy=st.sampled_from(['fault', 'true', 'false'])),
)
CONTROLS = st.one_of(
    st.builds(Segments, few(st.builds(Segment, VECTORS, VALUES), 1, 3)),
    VECTORS,
    st.builds(LawCall, _CALLS),
)
TIMES = st.builds(Loop, st.just('forever')) | st.builds(Loop, st.just('count'), COUNTS)
LOOPS = TIMES | st.builds(Loop, st.just('while'), condition=_EXPRESSIONS)
LABELS = st.just('') | NAMES


def _holding(steps: st.SearchStrategy[Step]) -> st.SearchStrategy[Step]:
    block = few(steps, 1, 3)
    return st.one_of(
        _runs(call=st.none(), steps=block),
        st.builds(Parallel, st.sampled_from(['all', 'any']), block, LABELS),
        st.builds(Condition, _EXPRESSIONS, block, st.just(()) | block, LABELS),
    )


def _runs(**what: st.SearchStrategy) -> st.SearchStrategy[Run]:
    return st.builds(
        Run,
        **what,
        label=LABELS,
        output=LABELS,
        scale=optional(st.builds(Scale, VECTORS, optional(VALUES))),
        guard=optional(GUARDS),
        timeout=optional(TIMEOUTS),
        times=optional(TIMES),
    )


STEPS = st.recursive(
    st.builds(Run, _CALLS) | _runs(call=_CALLS) | st.builds(Reverse, optional(_CALLS), LABELS),
    _holding,
    max_leaves=4,
)
CAUSES = st.one_of(
    st.builds(Cause, st.sampled_from(['timeout', 'fail', 'fault'])),
    st.builds(Cause, st.just('fail'), STRINGS),
    st.builds(Cause, st.just('interrupt'), NAMES),
)
ATOMS = st.builds(
    Atom,
    NAMES,
    NAMES,
    PARAMETERS,
    PARAMETERS,
    optional(CONTROLS),
    few(GUARDS),
    optional(TIMEOUTS),
    few(st.builds(Emission, NAMES, VALUES)),
    few(_CALLS),
    st.booleans(),
)


def _encapsulations(kind: str) -> st.SearchStrategy[Encapsulation]:
    return st.builds(
        Encapsulation,
        st.just(kind),
        NAMES,
        few(STEPS, 1, 3),
        PARAMETERS,
        PARAMETERS,
        few(GUARDS),
        optional(TIMEOUTS),
        optional(LOOPS),
        few(st.builds(Handler, CAUSES, ACTIONS)),
        few(_CALLS),
        few(_CALLS),
    )


LAWS = st.builds(Law, NAMES, PARAMETERS, NAMES, VECTORS) | st.builds(
    Law, NAMES, PARAMETERS, NAMES, extern=STRINGS
)
PATHS = st.builds(lambda first, rest: (first, *rest), NAMES, few(MEMBERS))
_PROGRAMS = st.builds(
    Program,
    st.just(1),
    few(st.builds(Import, PATHS, LABELS)),
    few(st.builds(Constant, NAMES, st.just('') | TYPES, VALUES)),
    few(st.builds(Group, NAMES, few(NAMES, 1, 3))),
    few(st.builds(Interrupt, NAMES, PARAMETERS, _EXPRESSIONS, few(FILTERS))),
    few(LAWS),
    few(ATOMS),
    few(_encapsulations('behavior')),
    few(_encapsulations('plan')),
)


def programs() -> st.SearchStrategy[Program]:
    """Draw any program, without places and comments; names mean nothing and may repeat."""
    return _PROGRAMS
