"""The text between ``${`` and ``}`` becomes a term: names, integers, text, ``+ - *``, and calls of known functions.

The text is cut into tokens first, each name is replaced by a short stand-in, and only then does Python's ``ast`` see
it. So no word of Python has a meaning here, names may be words of Python, what ``ast`` gets is always well formed, and
size and depth are bounded before it runs. Nothing is ever compiled.
"""

import ast
import re
import threading

from ..record import Record
from ..values.nearest import nearest_name
from ..values.pattern import Pattern
from .expression import Call, Constant, ObjectName, Reference, Term
from .functions import FUNCTIONS, LARGEST, RESERVED

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "MAX_NODES", "ExpressionError", "parse_expression"]

MAX_LENGTH = 1000
MAX_NODES = 200
MAX_DEPTH = 32
_MAX_TOKENS = 2 * MAX_NODES
_ONE_AT_A_TIME = threading.RLock()
"""Python 3.11 counts the depth of all trees that are made in one number, and fails when two threads make some."""

_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_TEXT = r"""'(?:[^'\\\n]|\\[nt\\'"])*'|"(?:[^"\\\n]|\\[nt\\'"])*\""""
_PLAIN_NAME = Pattern(rf"\s*({_NAME})\s*", re.ASCII)
_TOKEN = Pattern(
    rf"(?P<space>\s+)|(?P<name>{_NAME})|(?P<integer>(?:0|[1-9][0-9]*)(?![\w.]))|(?P<text>{_TEXT})|(?P<sign>[-+*(),])",
    re.ASCII,
)
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_GRAMMAR = "an expression has names, integers, text in quotes, `+ - *`, parentheses and functions"


class ExpressionError(Exception):
    """An expression cannot be read; ``offset`` counts characters from its start."""

    def __init__(self, cause: str, offset: int = 0, help: str | None = None) -> None:  # noqa: A002 - as in Problem
        self.cause = cause
        self.offset = offset
        self.help = help
        super().__init__(cause)


class _Token(Record):
    kind: str
    text: str
    offset: int


def parse_expression(text: str) -> Term:
    """The term that an expression stands for.

    Raises:
        ExpressionError: it is too long, too deep, or has something that the language lacks.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"an expression of {len(text)} characters is too long; {MAX_LENGTH} are possible",
            help="name a part of it by a derived name",
        )
    plain = _PLAIN_NAME.fullmatch(text)
    if plain:
        return Reference(name=plain[1])
    tokens = _tokens(text)
    _check_order(tokens)
    with _ONE_AT_A_TIME:
        tree = ast.parse(_stand_in(tokens), mode="eval")
    return _Converter(tokens).convert(tree.body, 1)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    offset = depth = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None or match.lastgroup is None:
            raise _unexpected(text, offset)
        token = _Token(kind=match.lastgroup, text=match[0], offset=offset)
        depth += (token.text == "(") - (token.text == ")")
        if depth < 0:
            raise ExpressionError("a closing parenthesis has no opening one", offset)
        if depth >= MAX_DEPTH:
            raise _too_deep(offset)
        if token.kind == "integer" and (len(token.text) > len(str(LARGEST)) or int(token.text) > LARGEST):
            raise ExpressionError("an integer outgrows 64 bits", offset)
        if token.kind != "space":
            tokens.append(token)
        offset = match.end()
    if not tokens:
        raise ExpressionError("an expression is empty", 0, _GRAMMAR)
    if depth:
        raise ExpressionError("an opening parenthesis is never closed", len(text))
    if len(tokens) > _MAX_TOKENS:
        raise _too_large()
    return tokens


def _unexpected(text: str, offset: int) -> ExpressionError:
    character = text[offset]
    if character in "'\"":
        return ExpressionError(
            "a text in an expression has no end or an unknown escape", offset, "the escapes are \\n \\t \\\\ \\' \\\""
        )
    if character.isdigit() and character.isascii():
        word = re.match(r"[\w.]+", text[offset:])
        return ExpressionError(f"`{word[0] if word else character}` is not an integer", offset, "write it like `10`")
    return ExpressionError(f"`{character}` cannot stand in an expression", offset, _GRAMMAR)


def _too_deep(offset: int = 0) -> ExpressionError:
    return ExpressionError(
        f"an expression is nested deeper than {MAX_DEPTH} levels", offset, "name a part of it by a derived name"
    )


def _too_large() -> ExpressionError:
    return ExpressionError(f"an expression has more than {MAX_NODES} parts", help="name a part of it by a derived name")


def _check_order(tokens: list[_Token]) -> None:
    """Refuse tokens that cannot follow each other: what is left is well formed, however Python may read it."""
    after_operand = after_minus = False
    previous: _Token | None = None
    for token in tokens:
        match token.text:
            case "(":
                fits = not after_operand or (previous is not None and previous.kind == "name")
            case ")":
                fits = after_operand or (previous is not None and previous.text in "(,")
            case "-":
                # One sign before a value is enough, and keeps what Python nests within bounds.
                fits = after_operand or not after_minus
            case "+" | "*" | ",":
                fits = after_operand
            case _:
                fits = not after_operand
        if not fits:
            raise _misplaced(token)
        after_minus = token.text == "-" and not after_operand
        after_operand = token.kind != "sign" or token.text == ")"
        previous = token
    if not after_operand:
        raise _misplaced(tokens[-1])


def _misplaced(token: _Token) -> ExpressionError:
    return ExpressionError(f"the expression cannot be read at `{token.text}`", token.offset, _GRAMMAR)


def _stand_in(tokens: list[_Token]) -> str:
    """Python source with ``_4`` for the name that is token 4; parentheses let it span lines."""
    return "(" + " ".join(f"_{i}" if token.kind == "name" else token.text for i, token in enumerate(tokens)) + ")"


class _Converter:
    """Turns the nodes that the language knows into terms, and refuses all others."""

    __slots__ = ("_nodes", "_tokens")

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._nodes = 0

    def convert(self, node: ast.expr, depth: int) -> Term:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _too_large()
        if depth > MAX_DEPTH:
            raise _too_deep()
        match node:
            case ast.Constant(value=int() | str() as value):
                return Constant(value=value)
            case ast.Name(id=stand_in):
                return Reference(name=self._token(stand_in).text)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                term = self.convert(operand, depth + 1)
                if isinstance(term, Constant) and isinstance(term.value, int):
                    return Constant(value=-term.value)
                return Call(function="-", arguments=(Constant(value=0), term))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                arguments = (self.convert(left, depth + 1), self.convert(right, depth + 1))
                return Call(function=_OPERATORS[type(operator)], arguments=arguments)
            case ast.Call(func=ast.Name(id=stand_in), args=arguments, keywords=[]):
                return self._call(self._token(stand_in), arguments, depth)
            case _:
                raise ExpressionError("the expression has a form that the language lacks", 0, _GRAMMAR)

    def _token(self, stand_in: str) -> _Token:
        return self._tokens[int(stand_in[1:])]

    def _call(self, token: _Token, arguments: list[ast.expr], depth: int) -> Term:
        terms = tuple(self.convert(argument, depth + 1) for argument in arguments)
        if token.text == "name":
            match terms:
                case (Reference(name=name),):
                    return ObjectName(object=name)
                case _:
                    raise ExpressionError("`name` takes the name of one object", token.offset, "write `name(object)`")
        function = FUNCTIONS.get(token.text)
        if function is None:
            raise ExpressionError(
                f"unknown function `{token.text}`", token.offset, nearest_name(token.text, sorted(RESERVED))
            )
        wanted = len(function.accepts)
        if len(terms) != wanted and not (function.variadic and terms):
            raise ExpressionError(
                f"`{token.text}` takes {wanted} argument{'s' if wanted > 1 else ''}, not {len(terms)}"
                if not function.variadic
                else f"`{token.text}` takes two integers or more, or one list of integers",
                token.offset,
            )
        return Call(function=token.text, arguments=terms)
