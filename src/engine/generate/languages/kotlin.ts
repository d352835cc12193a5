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
} from '../source-text.ts'

export default defineLanguage({
  id: 'kotlin',
  label: 'Kotlin',
  types: (model) => ({ path: 'webhooks/WebhookEvents.kt', text: fileOf(model) }),
})

const width = 100

/** Hard keywords, and what a data class has already. */
const reserved: ReadonlySet<string> = new Set(
  (
    'as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var ' +
    'when while copy equals hashCode toString'
  ).split(' '),
)

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, camelCase, reserved)
  const body = `/** An event, or an [UnknownEvent]. */
sealed interface WebhookEvent {
    val type: String
}

/** Properties of every event. */
sealed interface EventBase : WebhookEvent {
${bases.map(({ name, field }) => `    val ${name}: ${typeOf(field)}\n`).join('')}}

${[...objectsIn(common).map(objectText), ...events.map((event) => eventText(event, bases))].join('\n')}
/** An event of another type, or one whose properties do not fit its type. */
data class UnknownEvent(override val type: String, val payload: JsonObject) : WebhookEvent

private val json = Json { ignoreUnknownKeys = true }

/** Null if it is not the JSON of an event. Verify the signature of the raw body first. */
fun parseEvent(rawBody: String): WebhookEvent? {
    val payload =
        try {
            json.parseToJsonElement(rawBody) as? JsonObject ?: return null
        } catch (_: SerializationException) {
            return null
        }
    val type = (payload["type"] as? JsonPrimitive)?.takeIf { it.isString }?.content ?: return null
    val event =
        try {
            when (type) {
${events.map(({ type, name }) => `                "${type}" -> json.decodeFromJsonElement<${name}>(payload)\n`).join('')}                else -> null
            }
        } catch (_: SerializationException) {
            null
        }
    return event ?: UnknownEvent(type, payload)
}
`
  const text =
    importsIn(body, { webhooks: ['Decimal'] }).length > 0 ? `${body}${decimalText}` : body
  const imports = importsIn(text, libraries)
    .map((name) => `import ${name}\n`)
    .join('')
  const head = header.map((line) => ` * ${line.replaceAll('/*', '/ *')}\n`).join('')
  return `/*\n${head} */\npackage webhooks\n\n${imports}\n${text}`
}

const decimalText = `
typealias Decimal = @Serializable(with = DecimalSerializer::class) BigDecimal

/** Keeps the digits of a number. */
object DecimalSerializer : KSerializer<BigDecimal> {
    override val descriptor = PrimitiveSerialDescriptor("webhooks.Decimal", PrimitiveKind.DOUBLE)

    override fun deserialize(decoder: Decoder): BigDecimal {
        val value = (decoder as JsonDecoder).decodeJsonElement() as? JsonPrimitive
        return value?.takeUnless { it.isString }?.content?.toBigDecimalOrNull()
            ?: throw SerializationException("A number is expected")
    }

    override fun serialize(encoder: Encoder, value: BigDecimal) =
        (encoder as JsonEncoder).encodeJsonElement(JsonPrimitive(value))
}
`

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

/** Comments can be nested in Kotlin. */
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
