import type { Comparison } from './ast.ts'
import { distance } from './distance.ts'

/**
 * What stands behind the colon. `text`: exact, `*` for any characters where `wildcards`; `words`: is in it, whatever the case; `choice`: one of
 * `choices`; `time`: a duration back from now, a date, a day; `header`: `name` or `name=value`; `json`: a value in the body.
 */
export type ValueKind =
  | 'text'
  | 'words'
  | 'choice'
  | 'number'
  | 'duration'
  | 'size'
  | 'time'
  | 'header'
  | 'json'

export interface FieldChoice {
  readonly value: string
  readonly meaning: string
}

export interface FilterField {
  readonly name: string
  /** What it looks at, as a sentence for help and completion. */
  readonly description: string
  readonly kind: ValueKind
  readonly comparisons: readonly Comparison[]
  /** All values that there are; empty: any value of the kind. Of a number: words beside numbers. */
  readonly choices: readonly FieldChoice[]
  /** What `none` finds; null: `none` is a value like any other. */
  readonly none: string | null
  /** `*` in a value that is not quoted stands for any characters. */
  readonly wildcards: boolean
  /** A whole term. */
  readonly example: string
}

const same: readonly Comparison[] = ['=', '!=']
const ordered: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const only: readonly Comparison[] = ['=']

type Given = Pick<FilterField, 'name' | 'description' | 'kind' | 'example'> & Partial<FilterField>

function field(given: Given): FilterField {
  return { comparisons: same, choices: [], none: null, wildcards: given.kind === 'text', ...given }
}

function choices(...pairs: readonly (readonly [value: string, meaning: string])[]): FieldChoice[] {
  return pairs.map(([value, meaning]) => ({ value, meaning }))
}

/** Every field of the language, those first that are used most. Parser, errors, completion and help know no other. */
export const filterFields: readonly FilterField[] = [
  field({
    name: 'type',
    kind: 'text',
    description: 'The event type, as the body says it.',
    none: 'Deliveries without a type.',
    example: 'type:ORDER_PLACED',
  }),
  field({
    name: 'verdict',
    kind: 'choice',
    description: 'The outcome of the signature check.',
    choices: choices(
      ['valid', 'The signature agrees with the secret.'],
      ['invalid', 'A signature came, and it is another.'],
      ['missing', 'A secret is set, and no signature came.'],
      ['unsigned', 'No secret is set on our side, and no signature came.'],
      ['unchecked', 'A signature came, and there was no secret to check it with.'],
    ),
    example: 'verdict:invalid',
  }),
  field({
    name: 'verdict-at-arrival',
    kind: 'choice',
    description: 'The outcome of the signature check at arrival, whatever a later check found.',
    choices: choices(
      ['valid', 'The signature agreed with the secret.'],
      ['invalid', 'A signature came, and it was another.'],
      ['missing', 'A secret was set, and no signature came.'],
      ['unsigned', 'No secret was set on our side, and no signature came.'],
      ['unchecked', 'A signature came, and there was no secret to check it with.'],
    ),
    example: 'verdict-at-arrival:invalid',
  }),
  field({
    name: 'finding',
    kind: 'text',
    description: 'Deviations from the API documentation, by code.',
    none: 'Deliveries without a finding.',
    example: 'finding:header.*',
  }),
  field({
    name: 'severity',
    kind: 'choice',
    description: 'How grave a finding is: those that have one of it.',
    choices: choices(
      ['error', 'Deviates from the API documentation.'],
      ['warning', 'Against what is usual.'],
      ['info', 'Worth knowing.'],
    ),
    example: 'severity:error',
  }),
  field({
    name: 'location',
    kind: 'text',
    description: 'The name of the location.',
    none: 'Deliveries without one.',
    example: 'location:"Pier 9"',
  }),
  field({
    name: 'target',
    kind: 'text',
    description: 'targetUuid, else targetId.',
    none: 'Deliveries without one.',
    example: 'target:1b4e28ba-*',
  }),
  field({
    name: 'ref',
    kind: 'text',
    description: 'Any id that the payload mentions: of a tab, an order, a guest ...',
    wildcards: false,
    example: 'ref:1b4e28ba-2fa1-4d3e-883f-0016d3cca427',
  }),
  field({
    name: 'endpoint',
    kind: 'text',
    description: 'The endpoint, by its name, the last part of its path, or its number.',
    none: 'Deliveries to a path that belongs to none.',
    example: 'endpoint:sandbox',
  }),
  field({
    name: 'integration',
    kind: 'text',
    description: 'The integration that the endpoint belongs to now, by its name or its number.',
    none: 'Deliveries to a path that belongs to no endpoint.',
    example: 'integration:1',
  }),
  field({
    name: 'status',
    kind: 'number',
    comparisons: ordered,
    description: 'The status that we answered.',
    none: 'Deliveries that got no answer.',
    example: 'status:>=400',
  }),
  field({
    name: 'attempt',
    kind: 'number',
    comparisons: ordered,
    description:
      'How the last attempt to send it again or to forward it ended: a status, or a word.',
    choices: choices(
      ['ok', 'Answered with 2xx.'],
      ['failed', 'Answered otherwise, or not at all.'],
    ),
    none: 'Deliveries that were not sent again.',
    example: 'attempt:>=500',
  }),
  field({
    name: 'lag',
    kind: 'duration',
    comparisons: ['<', '<=', '>', '>='],
    description: 'From createdAt to the arrival, by the clocks of both sides.',
    none: 'Deliveries without a createdAt.',
    example: 'lag:>5s',
  }),
  field({
    name: 'size',
    kind: 'size',
    comparisons: ordered,
    description: 'Bytes of the body: b, kb, mb (thousands), kib, mib (1024).',
    example: 'size:>10kb',
  }),
  field({
    name: 'since',
    kind: 'time',
    comparisons: only,
    description: 'Arrived then or later.',
    example: 'since:2h',
  }),
  field({
    name: 'before',
    kind: 'time',
    comparisons: only,
    description: 'Arrived before.',
    example: 'before:yesterday',
  }),
  field({
    name: 'header',
    kind: 'header',
    description: 'A header that came, alone or with its value.',
    wildcards: true,
    example: 'header:x-service-application-id=app-1',
  }),
  field({
    name: 'data',
    kind: 'json',
    comparisons: ordered,
    description: 'A value in data: a number finds numbers, text in quotes finds text, * anything.',
    wildcards: true,
    example: 'data.total:>100',
  }),
  field({
    name: 'body',
    kind: 'json',
    comparisons: ordered,
    description: 'A value anywhere in the body, from its top.',
    wildcards: true,
    example: 'body.locationId:*',
  }),
  field({
    name: 'contains',
    kind: 'words',
    description:
      'Text anywhere in the headers or the first MiB of the body, also inside words. It reads every delivery.',
    wildcards: true,
    example: 'contains:4e28',
  }),
  field({
    name: 'is',
    kind: 'choice',
    description: 'A mark of the delivery.',
    choices: choices(
      ['duplicate', 'The same came before, by its bytes or by its event.'],
      ['pinned', 'Kept until it is unpinned.'],
      ['noted', 'Has a note.'],
      ['tagged', 'Has a tag.'],
      ['answered', 'We could answer.'],
      ['unanswered', 'No answer could be sent.'],
    ),
    example: 'is:pinned',
  }),
  field({
    name: 'repeats',
    kind: 'choice',
    description: 'How a delivery is the same as one before it.',
    choices: choices(
      ['body', 'The same bytes.'],
      ['event', 'The same type, target, location and createdAt, in other bytes.'],
    ),
    none: 'Deliveries that are the first of their kind.',
    example: 'repeats:body',
  }),
  field({
    name: 'own',
    kind: 'choice',
    description: 'It came from Tabscope itself.',
    choices: choices(
      ['forward', 'Forwarded to our own listener: it ends there.'],
      ['send', 'Sent by hand.'],
    ),
    none: 'Deliveries that came from elsewhere.',
    example: 'own:send',
  }),
  field({
    name: 'answered',
    kind: 'choice',
    description: 'What answered in place of the usual 200.',
    choices: choices(
      ['rule', 'A rule of the endpoint.'],
      ['target', 'The forward target that it was passed through to.'],
    ),
    none: 'Deliveries that neither answered.',
    example: 'answered:rule',
  }),
  field({
    name: 'via',
    kind: 'choice',
    description: 'The way it came here.',
    choices: choices(['tunnel', 'Through the tunnel that Tabscope opened.']),
    none: 'Deliveries that came straight to the listener.',
    example: 'via:tunnel',
  }),
  field({ name: 'tag', kind: 'text', description: 'A tag of yours.', example: 'tag:bug' }),
  field({
    name: 'note',
    kind: 'words',
    description: 'Text in your note, whatever its case.',
    wildcards: true,
    example: 'note:"ask them"',
  }),
  field({
    name: 'method',
    kind: 'text',
    description: 'The method of the request.',
    example: 'method:POST',
  }),
  field({
    name: 'path',
    kind: 'text',
    description: 'The path of the request, with its query.',
    example: 'path:/hooks/*',
  }),
  field({
    name: 'secret',
    kind: 'text',
    description: 'The name of the secret that the signature agreed with.',
    none: 'Deliveries whose signature agreed with none.',
    example: 'secret:previous',
  }),
  field({
    name: 'arrival',
    kind: 'choice',
    description: 'How the request ended.',
    choices: choices(
      ['complete', 'Whole.'],
      ['too_large', 'Over the limit of the settings.'],
      ['cut_off', 'Ended before it was whole.'],
      ['malformed', 'Not a request that HTTP allows.'],
    ),
    example: 'arrival:cut_off',
  }),
]

const byName: ReadonlyMap<string, FilterField> = new Map(
  filterFields.map((entry) => [entry.name, entry]),
)

/** The field of this name, whatever its case. */
export function fieldOf(name: string): FilterField | undefined {
  return byName.get(name.toLowerCase())
}

/** What people call a field that has another name here. */
const otherNames: Readonly<Record<string, string>> = {
  id: 'ref',
  uuid: 'ref',
  event: 'type',
  signature: 'verdict',
  code: 'finding',
  error: 'finding',
  place: 'location',
  delay: 'lag',
  latency: 'lag',
  bytes: 'size',
  length: 'size',
  from: 'since',
  after: 'since',
  until: 'before',
  to: 'before',
  headers: 'header',
  payload: 'body',
  json: 'body',
  url: 'path',
  application: 'integration',
  client: 'integration',
  duplicate: 'is',
  pinned: 'is',
  label: 'tag',
  text: 'contains',
  includes: 'contains',
  substring: 'contains',
  tunnel: 'via',
  sent: 'attempt',
  resent: 'attempt',
  forwarded: 'attempt',
}

/** The field whose name comes nearest to a name that no field has. */
export function nearestField(name: string): FilterField {
  const lower = name.toLowerCase().slice(0, 20)
  const other = fieldOf(otherNames[lower] ?? lower.split('.')[0] ?? '')
  if (other) return other
  return filterFields.reduce((best, entry) =>
    distance(lower, entry.name) < distance(lower, best.name) ? entry : best,
  )
}
