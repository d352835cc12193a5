import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { camelCase } from '../names.ts'
import {
  commentOf,
  commonMembers,
  eventComment,
  importsIn,
  indented,
  isRequired,
  type Libraries,
  lineComment,
  markCode,
  type Member,
  membersOf,
  objectsIn,
  wrap,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'java',
  label: 'Java',
  types: (model) => ({ path: 'webhooks/WebhookEvent.java', text: fileOf(model) }),
})

const width = 96

const reserved: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for ' +
    'goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super ' +
    'switch synchronized this throw throws transient true try void volatile while _ clone finalize getClass hashCode notify notifyAll parse toString wait'
  ).split(' '),
)

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, camelCase, reserved)
  const body = fill('java.txt', {
    objects: indented(objectsIn(common).map(recordText).join(''), '    '),
    bases: bases.map(({ name, field }) => `        ${typeOf(field)} ${name}();\n`).join('\n'),
    events: indented(events.map((event) => eventText(event, bases)).join(''), '    '),
    cases: events
      .map(({ type, name }) => `            case "${type}" -> ${name}.class;\n`)
      .join(''),
  })
  return `/*
${header.map((line) => ` * ${line.replaceAll('\\', '\\ ')}\n`).join('')} */
package webhooks;

${importsIn(body, libraries)
  .map((name) => `import ${name};\n`)
  .join('')}
${body}`
}

const libraries: Libraries = {
  'com.fasterxml.jackson.annotation': ['JsonProperty'],
  'com.fasterxml.jackson.core': ['JsonProcessingException'],
  'com.fasterxml.jackson.databind': ['DeserializationFeature', 'JsonNode', 'MapperFeature'],
  'com.fasterxml.jackson.databind.cfg': ['CoercionAction', 'CoercionInputShape'],
  'com.fasterxml.jackson.databind.json': ['JsonMapper'],
  'com.fasterxml.jackson.databind.node': ['JsonNodeFactory'],
  'com.fasterxml.jackson.databind.type': ['LogicalType'],
  'java.io': ['IOException'],
  'java.math': ['BigDecimal'],
  'java.util': ['List', 'Map', 'Objects', 'Optional'],
}

function eventText(event: ModelEvent, bases: readonly Member[]): string {
  const { type, name, data } = event
  const members = [...bases, ...membersOf([data], camelCase, reserved)]
  const typeMethod = `    @Override
    public String type() {
        return "${type}";
    }
`
  const objects = objectsIn([data]).map(recordText).join('')
  return `${objects}${record(eventComment(event), name, members, 'EventBase', typeMethod)}`
}

function recordText({ name, fields }: ObjectType): string {
  return record('', name, membersOf(fields, camelCase, reserved), '', '')
}

function record(
  description: string,
  name: string,
  members: readonly Member[],
  base: string,
  method: string,
): string {
  const components = members.map(({ name: member, field }) => {
    const annotation = member === field.key ? '' : `@JsonProperty("${field.key}") `
    return `${annotation}${typeOf(field)} ${member}`
  })
  const checks = members.map(checkText).join('')
  const constructor = checks === '' ? '' : `    public ${name} {\n${checks}    }\n`
  const body = [constructor, method].filter((part) => part !== '').join('\n')
  const inner =
    components.length === 1 ? components.join('') : `\n        ${components.join(',\n        ')}`
  return `${recordComment(description, members)}record ${name}(${inner})${base === '' ? '' : `\n        implements ${base}`} {${body === '' ? '' : `\n${body}`}}

`
}

function recordComment(description: string, members: readonly Member[]): string {
  const parameters = members
    .map(({ name, field }) => {
      const orNull = isRequired(field) ? '' : ' May be null.'
      const [first = '', ...rest] = wrap(
        `@param ${name} ${javadoc(commentOf(field))}${orNull}`,
        width - 7,
      )
      return [` * ${first}\n`, ...rest.map((line) => ` *     ${line}\n`)].join('')
    })
    .join('')
  const start = description === '' ? '' : `${lineComment(javadoc(description), ' * ', width)} *\n`
  return `/**\n${start}${parameters} */\n`
}

function javadoc(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('@', '&#64;')
    .replaceAll('\\', '&#92;')
  return markCode(escaped, '{@code ', '}')
}

/** Jackson neither requires a property nor rejects null, but for primitive types. */
function checkText({ name, field }: Member): string {
  const { value } = field
  const isCopied = (value.kind === 'list' || value.kind === 'map') && value.of.kind !== 'any'
  const copy = `${value.kind === 'list' ? 'List' : 'Map'}.copyOf(${name})`
  if (isCopied) {
    return `        ${name} = ${isRequired(field) ? '' : `${name} == null ? null : `}${copy};\n`
  }
  return isRequired(field) && value.kind !== 'boolean'
    ? `        Objects.requireNonNull(${name}, "${name}");\n`
    : ''
}

function typeOf(field: ModelField): string {
  const isPrimitive = field.value.kind === 'boolean' && isRequired(field)
  return isPrimitive ? 'boolean' : typeText(field.value, types)
}

const types: TypeSyntax = {
  string: 'String',
  number: 'BigDecimal',
  boolean: 'Boolean',
  any: 'JsonNode',
  open: 'Map<String, JsonNode>',
  list: (of) => `List<${of}>`,
  map: (of) => `Map<String, ${of}>`,
}
