import type { ModelEvent, ModelField, ObjectType, PayloadModel } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { camelCase } from '../names.ts'
import {
  blockComment,
  commentOf,
  commonMembers,
  eventComment,
  importsIn,
  isRequired,
  type Libraries,
  type Member,
  membersOf,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'kotlin',
  label: 'Kotlin',
  types: (model) => ({ path: 'webhooks/WebhookEvents.kt', text: fileOf(model) }),
})

const width = 100

const reserved: ReadonlySet<string> = new Set(
  (
    'as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var ' +
    'when while copy equals hashCode toString'
  ).split(' '),
)

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, camelCase, reserved)
  const body = fill('kotlin.txt', {
    bases: bases.map(({ name, field }) => `    val ${name}: ${typeOf(field)}\n`).join(''),
    events: [
      ...objectsIn(common).map(objectText),
      ...events.map((event) => eventText(event, bases)),
    ].join('\n'),
    cases: events
      .map(
        ({ type, name }) =>
          `                "${type}" -> json.decodeFromJsonElement<${name}>(payload)\n`,
      )
      .join(''),
  })
  const text =
    importsIn(body, { webhooks: ['Decimal'] }).length > 0
      ? `${body}${fill('kotlin-decimal.txt')}`
      : body
  const imports = importsIn(text, libraries)
    .map((name) => `import ${name}\n`)
    .join('')
  const head = header.map((line) => ` * ${line.replaceAll('/*', '/ *')}\n`).join('')
  return `/*\n${head} */\npackage webhooks\n\n${imports}\n${text}`
}

const libraries: Libraries = {
  'java.math': ['BigDecimal'],
  'kotlinx.serialization': ['KSerializer', 'SerialName', 'Serializable', 'SerializationException'],
  'kotlinx.serialization.descriptors': ['PrimitiveKind', 'PrimitiveSerialDescriptor'],
  'kotlinx.serialization.encoding': ['Decoder', 'Encoder'],
  'kotlinx.serialization.json': [
    'Json',
    'JsonDecoder',
    'JsonElement',
    'JsonEncoder',
    'JsonObject',
    'JsonPrimitive',
    'decodeFromJsonElement',
  ],
}

function eventText(event: ModelEvent, bases: readonly Member[]): string {
  const { type, name, data } = event
  const members = [
    ...membersOf([data], camelCase, reserved).map((member) => parameterText(member, '')),
    ...bases.map((member) => parameterText(member, 'override ')),
  ].join('')
  return `${objectsIn([data])
    .map((object) => `${objectText(object)}\n`)
    .join('')}${blockComment(kdoc(eventComment(event)), '', width)}@Serializable
data class ${name}(
${members}) : EventBase {
    override val type
        get() = "${type}"
}
`
}

function objectText({ name, fields }: ObjectType): string {
  const members = membersOf(fields, camelCase, reserved)
  return `@Serializable\ndata class ${name}(\n${members.map((member) => parameterText(member, '')).join('')})\n`
}

function parameterText({ name, field }: Member, modifier: string): string {
  const { key, optional, value } = field
  const serialName = name === key ? '' : `    @SerialName("${key.replaceAll('$', '\\$')}")\n`
  const standard = optional || value.kind === 'any' ? ' = null' : ''
  return `${blockComment(kdoc(commentOf(field)), '    ', width)}${serialName}    ${modifier}val ${name}: ${typeOf(field)}${standard},\n`
}

function kdoc(text: string): string {
  return text.replaceAll('/*', '/ *')
}

function typeOf(field: ModelField): string {
  return `${typeText(field.value, types)}${isRequired(field) ? '' : '?'}`
}

const types: TypeSyntax = {
  string: 'String',
  number: 'Decimal',
  boolean: 'Boolean',
  any: 'JsonElement',
  open: 'JsonObject',
  list: (of) => `List<${of}>`,
  map: (of) => `Map<String, ${of}>`,
}
