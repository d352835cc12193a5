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
} from '../source-text.ts'

export default defineLanguage({
  id: 'java',
  label: 'Java',
  types: (model) => ({ path: 'webhooks/WebhookEvent.java', text: fileOf(model) }),
})

const width = 96

/** Keywords, and what a record has already. */
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
  const types = [
    ...objectsIn(common).map(recordText),
    `/** Properties of every event. */
sealed interface EventBase extends WebhookEvent {
${bases.map(({ name, field }) => `    ${typeOf(field)} ${name}();\n`).join('\n')}}
`,
    ...events.flatMap((event) => eventTexts(event, bases)),
    `/** An event of another type, or one whose properties do not fit its type. */
record UnknownEvent(String type, JsonNode payload) implements WebhookEvent {}
`,
  ]
  const body = `${indented(types.join('\n'), '    ')}
${parserText(events)}`
  return `/*
${header.map((line) => ` * ${line.replaceAll('\\', '\\ ')}\n`).join('')} */
package webhooks;

${importsIn(body, libraries)
  .map((name) => `import ${name};\n`)
  .join('')}
/** An event, or an {@link UnknownEvent}. */
public sealed interface WebhookEvent {
    String type();

${body}}
`
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

function parserText(events: readonly ModelEvent[]): string {
  return `    /** Empty if it is not the JSON of an event. Verify the signature of the raw body first. */
    static Optional<WebhookEvent> parse(byte[] rawBody) {
        JsonNode payload;
        try {
            payload = Mapper.INSTANCE.readTree(rawBody);
        } catch (IOException e) {
            return Optional.empty();
        }
        if (!payload.isObject() || !payload.path("type").isTextual()) {
            return Optional.empty();
        }
        String type = payload.get("type").textValue();
        Class<? extends WebhookEvent> known = switch (type) {
${events.map(({ type, name }) => `            case "${type}" -> ${name}.class;\n`).join('')}            default -> null;
        };
        if (known != null) {
            try {
                return Optional.of(Mapper.INSTANCE.treeToValue(payload, known));
            } catch (JsonProcessingException e) {
                // Its properties do not fit.
            }
        }
        return Optional.of(new UnknownEvent(type, payload));
    }

    /** Ignores other properties, converts no value to another type, and keeps the digits of numbers. */
    final class Mapper {
        private static final JsonMapper INSTANCE = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, config -> config
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
                .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
                .build();

        private Mapper() {}
    }
`
}

function eventTexts(event: ModelEvent, bases: readonly Member[]): string[] {
  const { type, name, data } = event
  const members = [...bases, ...membersOf([data], camelCase, reserved)]
  const typeMethod = `    @Override
    public String type() {
        return "${type}";
    }
`
  return [
    ...objectsIn([data]).map(recordText),
    record(eventComment(event), name, members, 'EventBase', typeMethod),
  ]
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
