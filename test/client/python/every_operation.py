"""Calls operations through a client that openapi-python-client generated.

python every_operation.py CLIENT_PACKAGE BASE_URL CALLS_FILE

Prints one JSON line per call: the status, the type of the parsed answer, the answer as the client would write it, the
answer as it was received, and the members for which the client has no type.
"""
import enum
import importlib
import inspect
import json
import pathlib
import pkgutil
import sys
import typing

package, base_url, calls_file = sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(package).parent))
name = pathlib.Path(package).name
root = importlib.import_module(name)
api = importlib.import_module(f"{name}.api")
types = importlib.import_module(f"{name}.types")
client = root.Client(base_url=base_url)


def key(text: str) -> str:
    return text.replace("_", "").replace("-", "").lower()


modules = {
    key(module.name.rpartition(".")[2]): importlib.import_module(module.name)
    for module in pkgutil.walk_packages(api.__path__, f"{api.__name__}.")
    if not module.ispkg
}


def find_argument(parameters: typing.Iterable[str], wanted: str) -> str:
    names = {key(parameter): parameter for parameter in parameters}
    for candidate in (wanted, f"{wanted}_query", f"{wanted}_path"):
        if key(candidate) in names:
            return names[key(candidate)]
    raise LookupError(f"the client has no argument for {wanted}")


def convert(value: object, hint: object) -> object:
    """The value as the type of the argument wants it: a member of an enumeration, or a model."""
    for option in typing.get_args(hint) or (hint,):
        if isinstance(option, type) and issubclass(option, enum.Enum):
            try:
                return option(value)
            except ValueError:
                continue
        if isinstance(value, dict) and hasattr(option, "from_dict"):
            return option.from_dict(value)
    return value


def plain(value: object) -> object:
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def untyped(value: object, path: str = "") -> typing.Iterator[str]:
    """The members that a model holds without a type. A model with no other members is a map."""
    if isinstance(value, list):
        for item in value:
            yield from untyped(item, f"{path}[]")
    elif hasattr(value, "additional_properties") and len(value.__attrs_attrs__) > 1:
        for member in value.additional_properties:
            yield f"{path}.{member}"
        for attribute in value.__attrs_attrs__:
            if attribute.name != "additional_properties":
                yield from untyped(getattr(value, attribute.name), f"{path}.{attribute.name}")


for call in json.loads(pathlib.Path(calls_file).read_text()):
    function = modules[key(call["operationId"])].sync_detailed
    hints = typing.get_type_hints(function)
    arguments = {}
    for wanted, value in {**call["path"], **call["query"], **call["header"]}.items():
        argument = find_argument(inspect.signature(function).parameters, wanted)
        arguments[argument] = convert(value, hints[argument])
    if "body" in call:
        arguments["body"] = convert(call["body"], hints["body"])
    response = function(client=client, **arguments)
    parsed = response.parsed
    print(
        json.dumps(
            {
                "status": int(response.status_code),
                "type": type(parsed).__name__,
                "written": plain(parsed),
                "received": response.content.decode(),
                "untyped": sorted(set(untyped(parsed))),
            }
        )
    )
