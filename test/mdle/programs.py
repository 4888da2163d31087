"""Draw programs of the motion language at random: everything that its grammar allows."""

from hypothesis import strategies as st

from walking_robots.mdle.language import ast
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
    ast.Number,
    st.integers(0, 100).map(float) | st.floats(0, allow_nan=False, allow_infinity=False),
    st.just('') | UNITED,
)
ENDLESS = st.just(ast.Number(float('inf')))
LEAVES = (
    NUMBERS
    | ENDLESS
    | st.builds(ast.Text, STRINGS)
    | st.builds(ast.Truth, st.booleans())
    | st.builds(ast.Name, NAMES)
)
OPERATORS = ['+', '-', '*', '/', '<', '<=', '>', '>=', '==', '!=', 'and', 'or']


def spans(source: str) -> list[tuple[int, int]]:
    """Return where the words and signs of a text begin and end."""
    return [(token.start_pos, token.end_pos) for token in _parser().lark.lex(source)]


def few(items: st.SearchStrategy, least: int = 0, most: int = 2) -> st.SearchStrategy[tuple]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _primaries(inner: st.SearchStrategy[ast.Expression]) -> st.SearchStrategy[ast.Expression]:
    """Draw a name and up to three things behind it, that hold ``inner``."""
    arguments = few(st.builds(ast.Argument, inner, st.just('') | NAMES), most=3)
    suffixes = st.one_of(
        st.tuples(st.just(ast.Member), MEMBERS),
        st.tuples(st.just(ast.Partner), MEMBERS),
        st.tuples(st.just(ast.Index), inner),
        st.tuples(st.just(ast.Slice), inner, inner),
        st.tuples(st.just(ast.Call), arguments),
    )

    def grow(name: str, behind: list[tuple]) -> ast.Expression:
        found: ast.Expression = ast.Name(name)
        for kind, *parts in behind:
            found = kind(found, *parts)
        return found

    return st.builds(grow, NAMES, st.lists(suffixes, max_size=3))


def _larger(inner: st.SearchStrategy[ast.Expression]) -> st.SearchStrategy[ast.Expression]:
    return st.one_of(
        st.builds(ast.Binary, st.sampled_from(OPERATORS), inner, inner),
        st.builds(ast.Unary, st.sampled_from(['-', 'not']), inner),
        _primaries(inner),
    )


_EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=6)
_CALLS = _primaries(LEAVES)


def expressions() -> st.SearchStrategy[ast.Expression]:
    """Draw any expression."""
    return _EXPRESSIONS


def optional(items: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | items


VALUES = NUMBERS | ENDLESS | _EXPRESSIONS
VECTORS = few(VALUES, 1, 3)
PARAMETERS = few(st.builds(ast.Parameter, NAMES, TYPES, optional(VALUES)))


def _actions() -> st.SearchStrategy[ast.Action]:
    plain = st.one_of(
        st.builds(ast.Action, st.sampled_from(['next', 'done', 'fail', 'restart', 'abort'])),
        st.builds(ast.Action, st.just('fail'), STRINGS),
        st.builds(ast.Action, st.just('retry'), count=COUNTS),
        st.builds(ast.Action, st.just('run'), call=_CALLS),
    )
    return st.recursive(
        plain,
        lambda then: st.builds(ast.Action, st.just('run'), call=_CALLS, then=then),
        max_leaves=2,
    )


ACTIONS = _actions()
GUARDS = st.builds(ast.Guard, _EXPRESSIONS, optional(ACTIONS))
TIMEOUTS = st.builds(ast.Timeout, VALUES, optional(ACTIONS))
FILTERS = st.one_of(
    st.builds(ast.Filter, st.sampled_from(['hold', 'debounce']), VALUES),
    st.builds(ast.Filter, st.sampled_from(['edge', 'latch'])),
    st.builds(ast.Filter, st.just('stale'), policy=st.sampled_from(['fault', 'true', 'false'])),
)
CONTROLS = st.one_of(
    st.builds(ast.Segments, few(st.builds(ast.Segment, VECTORS, VALUES), 1, 3)),
    VECTORS,
    st.builds(ast.LawCall, _CALLS),
)
TIMES = st.builds(ast.Loop, st.just('forever')) | st.builds(ast.Loop, st.just('count'), COUNTS)
LOOPS = TIMES | st.builds(ast.Loop, st.just('while'), condition=_EXPRESSIONS)
LABELS = st.just('') | NAMES


def _holding(steps: st.SearchStrategy[ast.Step]) -> st.SearchStrategy[ast.Step]:
    block = few(steps, 1, 3)
    return st.one_of(
        _runs(call=st.none(), steps=block),
        st.builds(ast.Parallel, st.sampled_from(['all', 'any']), block, LABELS),
        st.builds(ast.Condition, _EXPRESSIONS, block, st.just(()) | block, LABELS),
    )


def _runs(**what: st.SearchStrategy) -> st.SearchStrategy[ast.Run]:
    return st.builds(
        ast.Run,
        **what,
        label=LABELS,
        output=LABELS,
        scale=optional(st.builds(ast.Scale, VECTORS, optional(VALUES))),
        guard=optional(GUARDS),
        timeout=optional(TIMEOUTS),
        times=optional(TIMES),
    )


STEPS = st.recursive(
    st.builds(ast.Run, _CALLS)
    | _runs(call=_CALLS)
    | st.builds(ast.Reverse, optional(_CALLS), LABELS),
    _holding,
    max_leaves=4,
)
CAUSES = st.one_of(
    st.builds(ast.Cause, st.sampled_from(['timeout', 'fail', 'fault'])),
    st.builds(ast.Cause, st.just('fail'), STRINGS),
    st.builds(ast.Cause, st.just('interrupt'), NAMES),
)
ATOMS = st.builds(
    ast.Atom,
    NAMES,
    NAMES,
    PARAMETERS,
    PARAMETERS,
    optional(CONTROLS),
    few(GUARDS),
    optional(TIMEOUTS),
    few(st.builds(ast.Emission, NAMES, VALUES)),
    few(_CALLS),
    st.booleans(),
)


def _encapsulations(kind: str) -> st.SearchStrategy[ast.Encapsulation]:
    return st.builds(
        ast.Encapsulation,
        st.just(kind),
        NAMES,
        few(STEPS, 1, 3),
        PARAMETERS,
        PARAMETERS,
        few(GUARDS),
        optional(TIMEOUTS),
        optional(LOOPS),
        few(st.builds(ast.Handler, CAUSES, ACTIONS)),
        few(_CALLS),
        few(_CALLS),
    )


LAWS = st.builds(ast.Law, NAMES, PARAMETERS, NAMES, VECTORS) | st.builds(
    ast.Law, NAMES, PARAMETERS, NAMES, extern=STRINGS
)
PATHS = st.builds(lambda first, rest: (first, *rest), NAMES, few(MEMBERS))
_PROGRAMS = st.builds(
    ast.Program,
    st.just(1),
    few(st.builds(ast.Import, PATHS, LABELS)),
    few(st.builds(ast.Constant, NAMES, st.just('') | TYPES, VALUES)),
    few(st.builds(ast.Group, NAMES, few(NAMES, 1, 3))),
    few(st.builds(ast.Interrupt, NAMES, PARAMETERS, _EXPRESSIONS, few(FILTERS))),
    few(LAWS),
    few(ATOMS),
    few(_encapsulations('behavior')),
    few(_encapsulations('plan')),
)


def programs() -> st.SearchStrategy[ast.Program]:
    """Draw any program, without places and comments; names mean nothing and may repeat."""
    return _PROGRAMS
