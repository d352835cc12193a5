import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { partsOf } from '../names.ts'
import {
  commentOf,
  commonMembers,
  isRequired,
  lineComment,
  type Member,
  membersOf,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'go',
  label: 'Go',
  types: (model) => ({ path: 'webhooks/events.go', text: fileOf(model) }),
})

const width = 100
const reserved: ReadonlySet<string> = new Set(['EventBase', 'EventType', 'UnmarshalJSON'])
const initialisms: ReadonlySet<string> = new Set(['api', 'id', 'json', 'qr', 'url', 'uuid'])

function goName(key: string): string {
  return partsOf(key)
    .map((word) =>
      initialisms.has(word)
        ? word.toUpperCase()
        : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
    )
    .join('')
}

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, goName, reserved)
  return fill('go.txt', {
    header: header.map((line) => `// ${line}\n`).join(''),
    bases: bases.map(memberText).join(''),
    objects: objectsIn(common).map(objectText).join(''),
    events: events.map((event) => eventText(event, common)).join(''),
    cases: events.map(({ type, name }) => `	case "${type}":\n		event = new(${name})\n`).join(''),
  })
}

function eventText(event: ModelEvent, common: readonly ModelField[]): string {
  const { name, description, data } = event
  return `${objectsIn([data]).map(objectText).join('')}${lineComment(`${name}: ${description}`, '// ', width)}type ${name} struct {
	EventBase
${membersOf([data], goName, reserved).map(memberText).join('')}}

${readText(name, [...common, data])}`
}

function objectText({ name, fields }: ObjectType): string {
  return `type ${name} struct {
${membersOf(fields, goName, reserved).map(memberText).join('')}}

${readText(name, fields)}`
}

function keysText(fields: readonly ModelField[]): string {
  return fields.length === 0 ? 'nil' : `[]string{${fields.map(({ key }) => `"${key}"`).join(', ')}}`
}

/** encoding/json neither requires a property nor rejects null. */
function readText(name: string, fields: readonly ModelField[]): string {
  const lists = fields.filter(
    ({ value }) => (value.kind === 'list' || value.kind === 'map') && value.of.kind !== 'any',
  )
  return `func (e *${name}) UnmarshalJSON(data []byte) error {
	type plain ${name}
	return read(data, (*plain)(e), ${keysText(fields.filter(isRequired))}, ${keysText(lists)})
}

`
}

function memberText({ name, field }: Member): string {
  const { key, value, nullable, optional } = field
  const isPointer = nullable && ['string', 'number', 'boolean', 'object'].includes(value.kind)
  const tag = `\`json:"${key}${optional ? ',omitempty' : ''}"\``
  const isEmpty = value.kind === 'object' && value.fields.length === 0
  return `${lineComment(commentOf(field), '	// ', width)}	${name} ${isPointer && !isEmpty ? '*' : ''}${typeText(value, types)} ${tag}\n`
}

const types: TypeSyntax = {
  string: 'string',
  number: 'float64',
  boolean: 'bool',
  any: 'any',
  open: 'map[string]any',
  list: (of) => `[]${of}`,
  map: (of) => `map[string]${of}`,
}
