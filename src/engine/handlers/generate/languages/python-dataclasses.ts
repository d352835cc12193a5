import type { ModelEvent, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import {
  commentOf,
  eventComment,
  type Member,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
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
  const objects = objectsIn(common).map(objectText).join('')
  const classes = events.map((event) => eventText(event, bases)).join('')
  const base = bases.map(memberText).join('')
  const used = readerTexts.filter((text) => {
    const name = text.slice('def '.length, text.indexOf('('))
    return `${objects}${base}${classes}`.includes(name)
  })
  return fill('python-dataclasses.txt', {
    docstring: moduleDocstring(model),
    objects,
    bases: base,
    events: classes,
    names: events.map(({ name }) => `    ${name},\n`).join(''),
    readers: events.map(({ type, name }) => `    "${type}": ${name}.from_json,\n`).join(''),
    parse: parseText('_readers[payload["type"]](payload)', '(KeyError, TypeError)'),
    functions: used.join('\n\n'),
  })
}

const readerTexts = fill('python-readers.txt').split(/(?<=\n)\n\n/)

function eventText(event: ModelEvent, bases: readonly Member[]): string {
  const { type, name, data } = event
  const members = pythonMembers([data])
  return `${objectsIn([data]).map(objectText).join('')}@dataclass(frozen=True, kw_only=True)
class ${name}(EventBase):
    ${docstring(eventComment(event), '    ')}

    type: Literal["${type}"] = "${type}"
${members.map(memberText).join('')}
${readText(name, [...bases, ...members])}

`
}

function objectText({ name, fields }: ObjectType): string {
  const members = pythonMembers(fields)
  return `@dataclass(frozen=True, kw_only=True)
class ${name}:
${members.map(memberText).join('')}
${readText(name, members)}

`
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
