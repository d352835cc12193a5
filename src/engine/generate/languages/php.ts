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
  return `<?php

/**
${header.map((line) => ` * ${line}\n`).join('')} */

declare(strict_types=1);

namespace Webhooks;

interface WebhookEvent
{
    public function type(): string;
}

/** An event of another type, or one whose properties do not fit its type. */
final class UnknownEvent implements WebhookEvent
{
    /** @param array<mixed> $payload The whole event, decoded. */
    public function __construct(
        public readonly string $type,
        public readonly array $payload,
        public readonly string $rawBody,
    ) {
    }

    public function type(): string
    {
        return $this->type;
    }
}

${objectsIn(common).map(objectText).join('')}${events.map((event) => eventText(event, bases)).join('')}final class WebhookEvents
{
    private const CLASSES = [
${events.map(({ type, name }) => `        '${type}' => ${name}::class,\n`).join('')}    ];

    /** Null if it is not the JSON of an event. Verify the signature of the raw body first. */
    public static function parse(string $rawBody): ?WebhookEvent
    {
        try {
            $payload = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
        } catch (\\JsonException) {
            return null;
        }
        if (!is_array($payload) || !is_string($payload['type'] ?? null)) {
            return null;
        }
        $class = self::CLASSES[$payload['type']] ?? null;
        try {
            $event = $class === null ? null : $class::fromArray($payload);
        } catch (\\TypeError) {
            $event = null;
        }
        return $event ?? new UnknownEvent($payload['type'], $payload, $rawBody);
    }
}

${valuesText}`
}

const valuesText = `/** @internal */
final class Values
{
    /** @return ?array<string, mixed> */
    public static function object(mixed $value): ?array
    {
        if (is_array($value) && $value !== [] && array_is_list($value)) {
            throw new \\TypeError('An object is expected.');
        }
        return self::map($value, static fn (mixed $item): mixed => $item);
    }

    /** @return ?list<mixed> */
    public static function list(mixed $value, callable $read): ?array
    {
        if (is_array($value) && !array_is_list($value)) {
            throw new \\TypeError('A list is expected.');
        }
        return self::map($value, $read);
    }

    /** @return ?array<mixed> */
    public static function map(?array $value, callable $read): ?array
    {
        if ($value === null) {
            return null;
        }
        $items = [];
        foreach ($value as $key => $item) {
            $items[$key] = $read($item);
        }
        return $items;
    }
}
`

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

/** What is required comes first. */
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

/** For PHPDoc, which knows what an array contains. */
const documentedTypes: TypeSyntax = {
  ...types,
  open: 'array<string, mixed>',
  list: (of) => `list<${of}>`,
  map: (of) => `array<string, ${of}>`,
}
