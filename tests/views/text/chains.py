"""Which texts the code reads: chains such as ``texts.card.help``, followed to a file's field.

A chain begins at ``words()``, ``in_language(...)``, ``LANGUAGES[code]`` and the like, or at a
parameter annotated ``Words``. Such a parameter has the texts that its callers give. One whose
callers are not found has the app-wide texts if it is called ``words``, else any table that has all
the fields it is asked for; that of a lambda any file that its module names.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from source_tree import ROOT, below, dotted, tree_of

ANY = "*"  # the step to some entry of a table or a list
APP = ("views/text/words",)
METHODS = {"items", "values", "keys", "as_dict"}
Node = tuple[str | int, ...]  # a file, and the path in it
Variable = tuple[str, str, str]  # a module, a function, and a parameter or "return"


@dataclass(frozen=True)
class Chain:
    """root: a node, or a variable. where: module and line."""

    root: Node | Variable
    steps: tuple[str, ...] = ()
    where: str = ""
    is_variable: bool = False

    is_optional: bool = False  # asked for by ``get``

    def then(self, step: str, is_optional: bool = False) -> "Chain":
        is_optional |= self.is_optional
        return replace(self, steps=(*self.steps, step), is_optional=is_optional)


def english() -> dict[str, Any]:
    """The English texts by file, as ``views.text.load`` reads them, without ``.en.toml``."""
    found = {
        str(path.relative_to(ROOT)).removesuffix(".en.toml"): tomllib.loads(path.read_text("utf-8"))
        for folder in ("views", "pages")
        for path in (ROOT / folder).rglob("*.en.toml")
    }
    return found | {"views/text/words": found["views/text/words"] | found.pop("views/text/stages")}


def shared() -> dict[str, str]:
    """The files of the names that ``views.text`` offers."""
    names = {"LANGUAGES": "views/text/words"}
    for node in tree_of("views.text.__init__").body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[ast.BinOp(right=stem)])
            ):
                names[name] = f"views/text/{ast.literal_eval(stem)}"
    return names


@dataclass
class Code:
    """The modules, their functions, and what is found in them."""

    trees: Mapping[str, ast.Module]
    functions: dict[tuple[str, str], ast.FunctionDef] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    methods: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    given: dict[Variable, list[Chain]] = field(default_factory=lambda: defaultdict(list))
    files: dict[Variable, list[str]] = field(default_factory=dict)
    read: list[tuple[Chain, bool]] = field(default_factory=list)  # and whether wholly

    def __post_init__(self) -> None:
        for module, tree in self.trees.items():
            of_classes = {
                id(each)
                for node in ast.walk(tree)
                if isinstance(node, ast.ClassDef)
                for each in node.body
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    is_method = id(node) in of_classes
                    name = f".{node.name}" if is_method else node.name
                    if (module, name) in self.functions:
                        name += f"@{node.lineno}"  # another class's, or inside another function
                    self.functions[module, name] = node
                    self.names[id(node)] = name
                    if is_method:
                        self.methods[f".{node.name}"].append((module, name))
        for module, tree in self.trees.items():
            _Module(self, module, tree)


def is_words(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in ("Words", "Words | None")


class _Module(ast.NodeVisitor):
    """Follows the chains of one module."""

    def __init__(self, code: Code, module: str, tree: ast.Module) -> None:
        self.code, self.module = code, module
        self.beside = "/".join([*module.split(".")[:-1], "words"])
        self.files: dict[str, str] = {}  # names of texts by language
        self.imported: dict[str, tuple[str, str]] = {}
        self.env: dict[str, Chain] = {}
        self.returns: Variable | None = None
        self.later: list[ast.FunctionDef] = []
        texts = shared()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    name = alias.asname or alias.name
                    self.imported[name] = (node.module, alias.name)
                    if node.module == "views.text" and alias.name in texts:
                        self.files[name] = texts[alias.name]
        self.generic_visit(tree)
        while self.later:
            self._function(self.later.pop(0))

    # What an expression is.

    def file(self, node: ast.expr) -> str | None:
        """The file of an expression with texts by language."""
        match node:
            case ast.Name(id=name):
                return self.files.get(name)
            case ast.Call(func=ast.Name(id="words_beside"), args=[ast.Name(id="__file__")]):
                return self.beside
        return None

    def follow(self, node: ast.expr) -> Chain | None:
        """The chain that an expression is, if it is one."""
        where = f"{self.module}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Name(id=name):
                chain = self.env.get(name)
                return chain and replace(chain, where=where)
            case ast.Attribute(value=value, attr=name) if name not in {*METHODS, "get"}:
                chain = self.follow(value)
                return chain and chain.then(name.removeprefix("__getitem__") or ANY)
            case ast.Subscript(value=value, slice=key):
                if file := self.file(value):
                    return Chain((file,), (), where)
                return self._entry(value, key)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *_]):
                if file := self.file(value):
                    return Chain((file,), (), where)
                return self._entry(value, key, is_optional=True)
            case ast.Call(func=ast.Name(id="words"), args=[]):
                return Chain(APP, (), where)
            case ast.Call(func=ast.Name(id="in_language"), args=[texts]):
                file = self.file(texts)
                return Chain((file,), (), where) if file else None
            case ast.Call():
                for called in self.called(node.func):
                    if is_words(self.code.functions[called].returns):
                        return Chain((*called, "return"), (), where, is_variable=True)
            case ast.BinOp(left=left, op=ast.BitOr()):
                return self.follow(left)
            case ast.IfExp(body=one, orelse=other) | ast.BoolOp(op=ast.Or(), values=[one, other]):
                return self.follow(one) or self.follow(other)
        return None

    def _entry(self, value: ast.expr, key: ast.expr, is_optional: bool = False) -> Chain | None:
        chain = self.follow(value)
        is_key = isinstance(key, ast.Constant) and isinstance(key.value, str)
        return chain and chain.then(key.value if is_key else ANY, is_optional)

    def called(self, function: ast.expr) -> list[tuple[str, str]]:
        """The functions that a call may reach; of methods, all with that name."""
        match function:
            case ast.Name(id=name):
                found = [self.imported.get(name, (self.module, name))]
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.imported:
                found = [(".".join(self.imported[name]), attr)]
            case ast.Attribute(attr=attr):
                found = self.code.methods.get(f".{attr}", [])
            case _:
                found = []
        return [each for each in found if each in self.code.functions]

    # What is done with it.

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and (chain := self.follow(node)):
            self.code.read.append((chain, True))
            self._beside_chain(node)
        else:
            super().visit(node)

    def _beside_chain(self, node: ast.expr) -> None:
        """Visit what an expression that is a chain contains beside it, such as a key."""
        match node:
            case ast.Attribute(value=value):
                self._beside_chain(value)
            case ast.Subscript(value=value, slice=key):
                self._beside_chain(value)
                self.visit(key)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=args):
                self._beside_chain(value)
                for arg in args:
                    self.visit(arg)
            case ast.Call():
                self._arguments(node)
            case ast.BinOp(left=left, right=right):
                self._beside_chain(left)
                self.visit(right)
            case ast.IfExp() | ast.BoolOp():
                self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(value=value, attr=method) if method in METHODS:
                if chain := self.follow(value):
                    self.code.read.append((chain, True))
                    self._beside_chain(value)
                    return
        self.visit(node.func)
        self._arguments(node)

    def _arguments(self, node: ast.Call) -> None:
        function, args = node.func, node.args
        if dotted(function).split(".")[-1] == "partial" and args:
            function, *args = args
            self.visit(function)
        known = self.called(function)
        named: list[tuple[str | int, ast.expr]] = [*enumerate(args)]
        named += [(word.arg or "", word.value) for word in node.keywords]
        for name, arg in named:
            chain = self.follow(arg)
            variables = [v for one in known if (v := self._parameter(one, name))] if chain else []
            if chain and variables:
                for variable in variables:
                    self.code.given[variable].append(chain)
                self._beside_chain(arg)
            else:
                self.visit(arg)

    def _parameter(self, called: tuple[str, str], name: str | int) -> Variable | None:
        """The variable that an argument becomes, by its position or name."""
        spec = self.code.functions[called].args
        ordered = spec.args[called[1].startswith(".") :]
        if isinstance(name, int):
            found = ordered[name : name + 1]
        else:
            found = [arg for arg in (*ordered, *spec.kwonlyargs) if arg.arg == name]
        return (*called, found[0].arg) if found and is_words(found[0].annotation) else None

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _ if file := self.file(value):
                self.files[name] = file
            case ast.Name(id=name), _ if chain := self.follow(value):
                self.env[name] = chain
                self.code.read.append((chain, False))
                self._beside_chain(value)
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                for one, each in zip(targets, values, strict=True):
                    self._assign(one, each)
            case _:
                self.visit(value)
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        self.env.pop(name.id, None)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._assign(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign(node.target, node.value)

    def _loop(self, target: ast.expr, values: ast.expr) -> None:
        table, each = values, target
        match values, target:
            case ast.Call(func=ast.Attribute(value=table, attr="items")), ast.Tuple(elts=[_, each]):
                pass
            case ast.Call(func=ast.Attribute(value=table, attr="values")), _:
                pass
        chain = self.follow(table)
        if (file := self.file(table)) and isinstance(each, ast.Name):
            self.env[each.id] = Chain((file,))
        elif chain and isinstance(each, ast.Name):
            self.env[each.id] = chain.then(ANY)
            self.code.read.append((chain.then(ANY), False))
            self._beside_chain(table)
        else:
            self.visit(values)

    def visit_For(self, node: ast.For) -> None:
        self._loop(node.target, node.iter)
        for each in (*node.body, *node.orelse):
            self.visit(each)

    def _comprehension(self, node: Any) -> None:
        before = dict(self.env)
        for part in node.generators:
            self._loop(part.target, part.iter)
            for condition in part.ifs:
                self.visit(condition)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for result in results:
            self.visit(result)
        self.env = before

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    def visit_Lambda(self, node: ast.Lambda) -> None:
        before = dict(self.env)
        for arg in node.args.args:
            variable = self.module, f"lambda@{node.lineno}", arg.arg
            self.code.given[variable]  # known; who calls it is not
            self.code.files[variable] = [*{*self.files.values(), self.beside}]
            self.env[arg.arg] = Chain(variable, is_variable=True)
        self.visit(node.body)
        self.env = before

    def visit_Return(self, node: ast.Return) -> None:
        chain = node.value and self.follow(node.value)
        if self.returns and node.value and chain:
            self.code.given[self.returns].append(chain)
            self._beside_chain(node.value)
        elif node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        node.__dict__["outer"] = self.env
        self.later.append(node)

    def _function(self, node: ast.FunctionDef) -> None:
        self.env = dict(node.__dict__.pop("outer"))
        key = self.module, self.code.names[id(node)]
        self.returns = (*key, "return") if is_words(node.returns) else None
        spec = node.args
        for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            self.env.pop(arg.arg, None)
            if is_words(arg.annotation):
                variable = (*key, arg.arg)
                self.code.given[variable]  # known, whether anyone calls it or not
                self.env[arg.arg] = Chain(variable, is_variable=True)
        for each in node.body:
            self.visit(each)


# Where the chains lead.


@dataclass(frozen=True)
class Found:
    """wrong: chains that lead nowhere. unread: texts that no chain leads to."""

    wrong: list[str]
    unread: list[str]
    followed: int


def value_at(texts: Mapping[str, Any], node: Node) -> Any:
    value: Any = texts
    for step in node:
        value = value[step]
    return value


def children(texts: Mapping[str, Any], node: Node) -> Iterator[Node]:
    value = value_at(texts, node)
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*node, key)


def leaves(texts: Mapping[str, Any], node: Node) -> Iterator[Node]:
    inner = list(children(texts, node))
    if not inner:
        yield node
    for one in inner:
        yield from leaves(texts, one)


def walk(texts: Mapping[str, Any], node: Node, steps: tuple[str, ...]) -> set[Node]:
    """The nodes that steps from a node lead to; a text's own methods lead to the text."""
    here = {node}
    for step in steps:
        after = set()
        for one in here:
            value = value_at(texts, one)
            if isinstance(value, str):
                after |= {one} if hasattr(value, step) or step == ANY else set()
            elif step == ANY:
                after |= {*children(texts, one)}
            elif isinstance(value, dict) and step in value:
                after.add((*one, step))
        here = after
    return here


def find(trees: Mapping[str, ast.Module], texts: Mapping[str, Any]) -> Found:
    """Follow all chains of some modules."""
    code = Code(trees)
    handed = [chain for chains in code.given.values() for chain in chains]
    asked: dict[Any, list[Chain]] = defaultdict(list)
    for chain in (*(chain for chain, _ in code.read), *handed):
        asked[chain.root].append(chain)
    nodes = _given(code, asked, texts)
    tables = [node for file in texts for node in tables_below(texts, (file,))]
    for variable in code.given:
        if not nodes[variable] and any(chain.steps for chain in asked[variable]):
            files = code.files.get(variable)
            among = tables if files is None else [(file,) for file in files if file in texts]
            nodes[variable] = {
                node for node in among if all(walk(texts, node, c.steps) for c in asked[variable])
            }
    wrong, read, followed = set(), set(), 0
    for chain, whole in {*code.read, *((chain, None) for chain in handed)}:
        roots = nodes[chain.root] if chain.is_variable else {chain.root}
        ends = [walk(texts, root, chain.steps) for root in roots]
        is_missing = not any(ends) if chain.is_optional else not all(ends)
        is_lambda = chain.root in code.files
        if chain.steps and (is_missing or not (ends or is_lambda)):
            names = sorted(".".join(map(str, root)) for root in roots) or ["any file"]
            wrong.add(f"{chain.where}: {'.'.join(chain.steps)} is not in {', '.join(names)}")
        followed += bool(ends)
        for node in {node for found in ends for node in found}:
            if whole and len(node) > 1:
                read |= {*leaves(texts, node)}
            elif whole is False:
                read.add(node)
    unread = [
        ".".join(map(str, leaf))
        for file in texts
        for leaf in leaves(texts, (file,))
        if leaf not in read and leaf[1:2] != ("page",)
    ]
    return Found(sorted(wrong), unread, followed)


def _given(
    code: Code, asked: Mapping[Any, list[Chain]], texts: Mapping[str, Any]
) -> dict[Any, set[Node]]:
    """The nodes that each variable is given."""
    nodes: dict[Any, set[Node]] = {
        variable: {APP}
        if not chains and variable[2] == "words" and variable not in code.files
        else set()
        for variable, chains in code.given.items()
    }
    grown = True
    while grown:
        grown = False
        for variable, chains in code.given.items():
            for chain in chains:
                for root in nodes[chain.root] if chain.is_variable else [chain.root]:
                    new = walk(texts, root, chain.steps) - nodes[variable]
                    nodes[variable] |= new
                    grown |= bool(new)
    return nodes


def tables_below(texts: Mapping[str, Any], node: Node) -> Iterator[Node]:
    if isinstance(value_at(texts, node), dict):
        yield node
    for one in children(texts, node):
        yield from tables_below(texts, one)


def of_the_app() -> dict[str, ast.Module]:
    return {module: tree_of(module) for module in below("views", "pages")}
