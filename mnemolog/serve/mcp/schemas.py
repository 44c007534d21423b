"""JSON schemas of structures, as short as they can be said: they stand in a model's context."""

from __future__ import annotations

import msgspec

Schema = dict[str, object]


def schema_of(structure: type[msgspec.Struct]) -> Schema:
    """The JSON schema of an object: titles and what is null unless given are left out."""
    (root,), components = msgspec.json.schema_components([structure], ref_template="#/$defs/{name}")
    name = str(root["$ref"]).rpartition("/")[2]
    # Their docstrings are for who reads the code.
    objects = {
        key: {one: what for one, what in _shortened(value).items() if one != "description"}
        for key, value in components.items()
    }
    schema = objects.pop(name)
    return {**schema, "$defs": objects} if objects else schema


def _shortened(schema: Schema) -> Schema:
    """A schema without titles, nulls and empty defaults."""
    short = {key: value for key, value in schema.items() if key not in {"title", "default"}}
    if schema.get("default"):
        short["default"] = schema["default"]
    properties = short.get("properties")
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(value) for name, value in properties.items()}
    for key in ("items", "additionalProperties"):
        inner = short.get(key)
        if isinstance(inner, dict):
            short[key] = _shortened(inner)
    choices = short.get("anyOf")
    if isinstance(choices, list):
        del short["anyOf"]
        some = [_shortened(one) for one in choices if one != {"type": "null"}]
        short |= some[0] if len(some) == 1 else {"anyOf": some}
    if not short.get("required", True):
        del short["required"]
    return short
