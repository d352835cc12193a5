import type { ModelEvent, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { snakeCase } from '../names.ts'
import {
  commentOf,
  commonMembers,
  eventComment,
  type Member,
  membersOf,
  objectsIn,
  wrap,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'python',
  label: 'Python with pydantic',
  types: (model) => ({ path: 'webhook_events.py', text: moduleOf(model) }),
})

const width = 88

const reserved: ReadonlySet<string> = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass ' +
    'raise return try while with yield bool cls dict list self str construct copy from_json from_orm json model_config parse_file parse_obj ' +
    'parse_raw schema schema_json update_forward_refs validate'
  ).split(' '),
)

function moduleOf(model: PayloadModel): string {
  const { common, events } = model
  const names = events.map(({ name }) => name)
  return fill('python.txt', {
    docstring: moduleDocstring(model),
    objects: objectsIn(common).map(objectText).join(''),
    bases: pythonCommon(model).map(memberText).join(''),
    events: events.map(eventText).join(''),
    union:
      names.length === 1
        ? (names[0] ?? '')
        : `Annotated[
    Union[
${names.map((name) => `        ${name},\n`).join('')}    ],
    Field(discriminator="type"),
]`,
    parse: parseText('_adapter.validate_python(payload)', 'ValidationError'),
  })
}

function eventText(event: ModelEvent): string {
  return `${objectsIn([event.data]).map(objectText).join('')}class ${event.name}(EventBase):
    ${docstring(eventComment(event), '    ')}

    type: Literal["${event.type}"]
${membersOf([event.data], snakeCase, reserved).map(memberText).join('')}

`
}

function objectText({ name, fields }: ObjectType): string {
  return `class ${name}(Model):\n${pythonMembers(fields).map(memberText).join('')}\n\n`
}

function memberText({ name, field }: Member): string {
  const { key, value, optional, nullable } = field
  const type = `${typeText(value, types)}${nullable && value.kind !== 'any' ? ' | None' : ''}`
  const settings = [
    ...(optional ? ['default=None'] : []),
    ...(name === key ? [] : [`alias="${key}"`]),
  ]
  const start = `    ${name}: ${type}`
  const one = `${start} = Field(${settings.join(', ')})`
  const line =
    settings.length === 0
      ? start
      : optional && name === key
        ? `${start} = None`
        : one.length <= width
          ? one
          : `${start} = Field(\n        ${settings.join(', ')}\n    )`
  return `${line}\n    ${docstring(commentOf(field), '    ')}\n`
}

const types: TypeSyntax = {
  string: 'str',
  number: 'Number',
  boolean: 'StrictBool',
  any: 'Any',
  open: 'dict[str, Any]',
  list: (of) => `list[${of}]`,
  map: (of) => `dict[str, ${of}]`,
}

export function pythonMembers(fields: ObjectType['fields']): Member[] {
  return membersOf(fields, snakeCase, reserved)
}

export function pythonCommon(model: PayloadModel): Member[] {
  return commonMembers(model, snakeCase, reserved)
}

export function moduleDocstring({ header }: PayloadModel): string {
  const [title = '', ...rest] = header
  return `"""${title}

${rest.map((line) => `${escaped(line)}\n`).join('')}"""
`
}

export function docstring(text: string, indent: string): string {
  const [first = '', ...rest] = wrap(escaped(text), width - indent.length - 6)
  return rest.length === 0
    ? `"""${first}"""`
    : `"""${[first, ...rest].join(`\n${indent}`)}\n${indent}"""`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
}

/** The unknown event, and the function that parses one. `read`: an expression of \`payload\`. */
export function parseText(read: string, error: string): string {
  return fill('python-parse.txt', { read, error })
}
