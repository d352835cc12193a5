import type { ModelEvent, ModelField, ObjectType, PayloadModel, ValueType } from '../model.ts'
import { defineLanguage } from '../generators.ts'
import { camelCase } from '../names.ts'
import {
  blockComment,
  commentOf,
  commonMembers,
  eventComment,
  isRequired,
  type Member,
  membersOf,
  objectsIn,
  type TypeSyntax,
  typeText,
  fill,
} from '../source-text.ts'

export default defineLanguage({
  id: 'php',
  label: 'PHP',
  types: (model) => ({ path: 'WebhookEvents.php', text: fileOf(model) }),
})

const width = 120
const reserved: ReadonlySet<string> = new Set(['this'])

function fileOf(model: PayloadModel): string {
  const { header, common, events } = model
  const bases = commonMembers(model, camelCase, reserved)
  return fill('php.txt', {
    header: header.map((line) => ` * ${line}\n`).join(''),
    objects: objectsIn(common).map(objectText).join(''),
    events: events.map((event) => eventText(event, bases)).join(''),
    classes: events.map(({ type, name }) => `        '${type}' => ${name}::class,\n`).join(''),
  })
}

function eventText(event: ModelEvent, bases: readonly Member[]): string {
  const { type, name, data } = event
  const members = [...membersOf([data], camelCase, reserved), ...bases]
  return `${objectsIn([data]).map(objectText).join('')}${blockComment(eventComment(event), '', width)}final class ${name} implements WebhookEvent
{
${constructorText(members)}
    public function type(): string
    {
        return '${type}';
    }

${readText(members)}}

`
}

function objectText({ name, fields }: ObjectType): string {
  const members = membersOf(fields, camelCase, reserved)
  return `final class ${name}\n{\n${constructorText(members)}\n${readText(members)}}\n\n`
}

function constructorText(members: readonly Member[]): string {
  const parameters = members
    .toSorted((one, other) => Number(isOptional(one.field)) - Number(isOptional(other.field)))
    .map(({ name, field }) => {
      const { value, nullable } = field
      const type = typeText(value, types)
      const isNull = nullable && type !== 'mixed'
      const documented = typeText(value, documentedTypes)
      const list = documented === type ? '' : ` @var ${isNull ? '?' : ''}${documented}`
      const comment = `${commentOf(field)}${list}`
      return `${blockComment(comment, '        ', width)}        public readonly ${type === 'int|float' && isNull ? 'int|float|null' : `${isNull ? '?' : ''}${type}`} $${name}${isOptional(field) ? ' = null' : ''},\n`
    })
  return `    public function __construct(\n${parameters.join('')}    ) {\n    }\n`
}

function isOptional(field: ModelField): boolean {
  return field.optional || field.value.kind === 'any'
}

function readText(members: readonly Member[]): string {
  const lines = members.map(
    ({ name, field }) =>
      `            ${name}: ${readValue(field.value, `$value['${field.key}'] ?? null`, !isRequired(field))},\n`,
  )
  return `    /** @param array<mixed> $value */
    public static function fromArray(array $value): self
    {
        Values::object($value);
        return new self(
${lines.join('')}        );
    }
`
}

function readValue(value: ValueType, text: string, orNull: boolean): string {
  switch (value.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return text
    case 'list':
    case 'map':
      return `Values::${value.kind}(${text}, ${readerOf(value.of)})`
    case 'object': {
      if (value.fields.length === 0) return `Values::object(${text})`
      const read = `${value.name}::fromArray(`
      const [variable = ''] = text.split(' ?? ')
      return orNull ? `isset(${variable}) ? ${read}${variable}) : null` : `${read}${text})`
    }
  }
}

function readerOf(value: ValueType): string {
  return `static fn (mixed $item): ${typeText(value, types)} => ${readValue(value, '$item', false)}`
}

const types: TypeSyntax = {
  string: 'string',
  number: 'int|float',
  boolean: 'bool',
  any: 'mixed',
  open: 'array',
  list: () => 'array',
  map: () => 'array',
}

const documentedTypes: TypeSyntax = {
  ...types,
  open: 'array<string, mixed>',
  list: (of) => `list<${of}>`,
  map: (of) => `array<string, ${of}>`,
}
