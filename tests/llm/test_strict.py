from __future__ import annotations

from diplomat.llm.strict import strict


def test_strict_modes_get_no_keyword_that_they_refuse() -> None:
    schema = {
        "type": "object",
        "properties": {
            "format": {"type": "string", "pattern": "^a", "maxLength": 3},
            "list": {"type": "array", "uniqueItems": True, "minItems": 1, "items": {"const": 1}},
            "either": {"oneOf": [{"type": "object", "properties": {"x": {"type": "integer", "minimum": 0}}}]},
        },
    }
    assert strict(schema, bounds=False) == {
        "type": "object",
        "properties": {
            "format": {"type": "string"},
            "list": {"type": "array", "items": {"enum": [1]}},
            "either": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"x": {"type": "integer"}},
                        "required": ["x"],
                        "additionalProperties": False,
                    }
                ]
            },
        },
        "required": ["format", "list", "either"],
        "additionalProperties": False,
    }


def test_own_servers_keep_limits_of_lists_and_numbers() -> None:
    schema = {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer", "minimum": 0, "maximum": 9}}
    assert strict(schema, bounds=True) == schema
