"""JSON schemas of structures, kept short because they take up a model's context."""

from __future__ import annotations

import msgspec

Schema = dict[str, object]


def schema_of(structure: type[msgspec.Struct]) -> Schema:
    """JSON schema of an object, without titles and null defaults."""
    (root,), components = msgspec.json.schema_components([structure], ref_template="#/$defs/{name}")
    name = str(root["$ref"]).rpartition("/")[2]
    # Structures' docstrings are written for readers of the code.
    objects = {
        key: {one: what for one, what in _shortened(value).items() if one != "description"}
        for key, value in components.items()
    }
    schema = objects.pop(name)
    return {**schema, "$defs": objects} if objects else schema


def _shortened(schema: Schema) -> Schema:
    """Schema without titles, nulls and empty defaults."""
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
