import type { ModelEvent, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import {
  commentOf,
  eventComment,
  type Member,
  objectsIn,
  type TypeSyntax,
  typeText,
} from '../source-text.ts'
import { docstring, moduleDocstring, parseText, pythonCommon, pythonMembers } from './python.ts'

export default defineLanguage({
  id: 'python-dataclasses',
  label: 'Python with dataclasses',
  types: (model) => ({ path: 'webhook_events.py', text: moduleOf(model) }),
})

function moduleOf(model: PayloadModel): string {
  const { common, events } = model
  const bases = pythonCommon(model)
  const classes = [
    ...objectsIn(common).map(objectText),
    `@dataclass(frozen=True, kw_only=True)
class EventBase:
    """Properties of every event."""

${bases.map(memberText).join('')}`,
    ...events.flatMap((event) => eventTexts(event, bases)),
  ].join('\n\n')
  const types = `WebhookEvent = Union[\n${events.map(({ name }) => `    ${name},\n`).join('')}]

_readers: dict[str, Callable[[object], WebhookEvent]] = {
${events.map(({ type, name }) => `    "${type}": ${name}.from_json,\n`).join('')}}
`
  const used = Object.entries(readers).filter(([name]) => classes.includes(name))
  return `${moduleDocstring(model)}
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NoReturn, TypeVar, Union

T = TypeVar("T")


${classes}

${types}
${parseText('_readers[payload["type"]](payload)', '(KeyError, TypeError)')}

def _fail(expected: str) -> NoReturn:
    raise TypeError(f"{expected} is expected")


${used.map(([, text]) => text).join('\n\n')}`
}

/** Functions that check a value, by name. */
const readers: Readonly<Record<string, string>> = {
  _string: `def _string(value: object) -> str:
    return value if isinstance(value, str) else _fail("A string")
`,
  _number: `def _number(value: object) -> Decimal:
    return value if isinstance(value, Decimal) else _fail("A number")
`,
  _boolean: `def _boolean(value: object) -> bool:
    return value if isinstance(value, bool) else _fail("A boolean")
`,
  _object: `def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else _fail("An object")
`,
  _any: `def _any(value: object) -> Any:
    return value
`,
  _list: `def _list(read: Callable[[object], T]) -> Callable[[object], list[T]]:
    def read_list(value: object) -> list[T]:
        items = value if isinstance(value, list) else _fail("A list")
        return [read(item) for item in items]

    return read_list
`,
  _map: `def _map(read: Callable[[object], T]) -> Callable[[object], dict[str, T]]:
    return lambda value: {key: read(item) for key, item in _object(value).items()}
`,
  _optional: `def _optional(read: Callable[[object], T]) -> Callable[[object], T | None]:
    return lambda value: None if value is None else read(value)
`,
}

function eventTexts(event: ModelEvent, bases: readonly Member[]): string[] {
  const { type, name, data } = event
  const members = pythonMembers([data])
  return [
    ...objectsIn([data]).map(objectText),
    `@dataclass(frozen=True, kw_only=True)
class ${name}(EventBase):
    ${docstring(eventComment(event), '    ')}

    type: Literal["${type}"] = "${type}"
${members.map(memberText).join('')}
${readText(name, [...bases, ...members])}`,
  ]
}

function objectText({ name, fields }: ObjectType): string {
  const members = pythonMembers(fields)
  return `@dataclass(frozen=True, kw_only=True)
class ${name}:
${members.map(memberText).join('')}
${readText(name, members)}`
}

function memberText({ name, field }: Member): string {
  const { value, optional, nullable } = field
  const type = `${typeText(value, types)}${nullable && value.kind !== 'any' ? ' | None' : ''}`
  return `    ${name}: ${type}${optional ? ' = None' : ''}\n    ${docstring(commentOf(field), '    ')}\n`
}

function readText(name: string, members: readonly Member[]): string {
  const lines = members.map(({ name: member, field: { key, value, nullable } }) => {
    const read =
      nullable && value.kind !== 'any'
        ? `_optional(${typeText(value, readerNames)})`
        : typeText(value, readerNames)
    return `            ${member}=${read}(fields.get("${key}")),\n`
  })
  return `    @classmethod
    def from_json(cls, value: object) -> ${name}:
        fields = _object(value)
        return cls(
${lines.join('')}        )
`
}

const types: TypeSyntax = {
  string: 'str',
  number: 'Decimal',
  boolean: 'bool',
  any: 'Any',
  open: 'dict[str, Any]',
  list: (of) => `list[${of}]`,
  map: (of) => `dict[str, ${of}]`,
}

const readerNames: TypeSyntax = {
  string: '_string',
  number: '_number',
  boolean: '_boolean',
  any: '_any',
  open: '_object',
  list: (of) => `_list(${of})`,
  map: (of) => `_map(${of})`,
  object: (name) => `${name}.from_json`,
}
