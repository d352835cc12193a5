import type { ModelEvent, ObjectType, PayloadModel, ValueType } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { pascalCase } from '../names.ts'
import {
  commentOf,
  commonMembers,
  isRequired,
  lineComment,
  markCode,
  type Member,
  membersOf,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'csharp',
  label: 'C#',
  types: (model) => ({ path: 'WebhookEvents.cs', text: fileOf(model) }),
})

const width = 120

const reserved: ReadonlySet<string> = new Set(
  'Clone Deconstruct EqualityContract Equals EventBase Finalize GetHashCode GetType MemberwiseClone PrintMembers ReferenceEquals ToString'.split(
    ' ',
  ),
)

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, pascalCase, reserved)
  return fill('csharp.txt', {
    header: header.map((line) => `// ${line}\n`).join(''),
    objects: objectsIn(common).map(objectText).join(''),
    base: recordText('abstract record EventBase : WebhookEvent', bases),
    events: events.map(eventText).join(''),
    cases: events
      .map(
        ({ type, name }) => `                "${type}" => payload.Deserialize<${name}>(Options),\n`,
      )
      .join(''),
  })
}

function eventText(event: ModelEvent): string {
  const { name, description, data } = event
  return `${objectsIn([data]).map(objectText).join('')}${summary(description, '')}${recordText(
    `sealed record ${name} : EventBase`,
    membersOf([data], pascalCase, new Set([...reserved, name, 'Type'])),
  )}
`
}

function objectText({ name, fields }: ObjectType): string {
  const members = membersOf(fields, pascalCase, new Set([...reserved, name]))
  return `${recordText(`sealed record ${name}`, members)}\n`
}

function recordText(declaration: string, members: readonly Member[]): string {
  const lists = members.filter(
    ({ field: { value } }) =>
      (value.kind === 'list' || value.kind === 'map') && !isValueType(value.of),
  )
  const base = declaration.includes(' : ') ? ', ' : ' : '
  const check =
    lists.length === 0
      ? ''
      : `
    void IJsonOnDeserialized.OnDeserialized()
    {
${lists.map(({ name, field }) => `        WebhookEvents.RejectNull(${name}${field.value.kind === 'map' ? '?.Values' : ''});\n`).join('')}    }
`
  return `public ${declaration}${check === '' ? '' : `${base}IJsonOnDeserialized`}
{
${members.map(memberText).join('\n')}${check}}
`
}

function memberText({ name, field }: Member): string {
  const isNeeded = isRequired(field)
  return `${summary(commentOf(field), '    ')}    [JsonPropertyName("${field.key}")]
    public ${isNeeded ? 'required ' : ''}${typeText(field.value, types)}${isNeeded ? '' : '?'} ${name} { get; init; }
`
}

function summary(text: string, indent: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const comment = markCode(escaped, '<c>', '</c>')
  const one = `${indent}/// <summary>${comment}</summary>\n`
  if (one.length <= width + 1) return one
  const mark = `${indent}/// `
  return `${mark}<summary>\n${lineComment(comment, mark, width)}${mark}</summary>\n`
}

function isValueType({ kind }: ValueType): boolean {
  return kind === 'number' || kind === 'boolean' || kind === 'any'
}

const types: TypeSyntax = {
  string: 'string',
  number: 'decimal',
  boolean: 'bool',
  any: 'JsonElement',
  open: 'IReadOnlyDictionary<string, JsonElement>',
  list: (of) => `IReadOnlyList<${of}>`,
  map: (of) => `IReadOnlyDictionary<string, ${of}>`,
}
