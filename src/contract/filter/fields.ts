import { editDistance } from '#shared/text/edit-distance.ts'
import type { Comparison } from './ast.ts'

/**
 * `text`: exact match, with `*` if `wildcards`; `words`: contained text, case-insensitive; `choice`: one of `choices`; `time`: a duration before now, a
 * date, or a day; `header`: `name` or `name=value`; `json`: a value in the body.
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
  readonly description: string
  readonly kind: ValueKind
  readonly comparisons: readonly Comparison[]
  /** Empty: any value of the kind. For numbers: words that are valid in addition. */
  readonly choices: readonly FieldChoice[]
  /** What `none` matches; null: it has no special meaning. */
  readonly none: string | null
  /** `*` in an unquoted value matches any characters. */
  readonly wildcards: boolean
  readonly example: string
}

const same: readonly Comparison[] = ['=', '!=']
const ordered: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>=']
const only: readonly Comparison[] = ['=']

type FieldOptions = Pick<FilterField, 'name' | 'description' | 'kind' | 'example'> &
  Partial<FilterField>

function field(options: FieldOptions): FilterField {
  return {
    comparisons: same,
    choices: [],
    none: null,
    wildcards: options.kind === 'text',
    ...options,
  }
}

function choices(...pairs: readonly (readonly [value: string, meaning: string])[]): FieldChoice[] {
  return pairs.map(([value, meaning]) => ({ value, meaning }))
}

/** Most frequently used first. Used by parser, error messages, completion and help. */
export const filterFields: readonly FilterField[] = [
  field({
    name: 'type',
    kind: 'text',
    description: 'The event type in the body.',
    none: 'Deliveries without a type.',
    example: 'type:ORDER_PLACED',
  }),
  field({
    name: 'verdict',
    kind: 'choice',
    description: 'The result of the signature check.',
    choices: choices(
      ['valid', 'The signature matches the secret.'],
      ['invalid', 'The signature does not match the secret.'],
      ['missing', 'A secret is set, but no signature was received.'],
      ['unsigned', 'No secret is set, and no signature was received.'],
      ['unchecked', 'A signature was received, but no secret was set.'],
    ),
    example: 'verdict:invalid',
  }),
  field({
    name: 'verdict-at-arrival',
    kind: 'choice',
    description: 'The result of the signature check at arrival, regardless of later checks.',
    choices: choices(
      ['valid', 'The signature matched the secret.'],
      ['invalid', 'The signature did not match the secret.'],
      ['missing', 'A secret was set, but no signature was received.'],
      ['unsigned', 'No secret was set, and no signature was received.'],
      ['unchecked', 'A signature was received, but no secret was set.'],
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
    description: 'Deliveries with a finding of this severity.',
    choices: choices(
      ['error', 'Deviates from the API documentation.'],
      ['warning', 'Unusual.'],
      ['info', 'Informational.'],
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
    description: 'targetUuid, or targetId if it is missing.',
    none: 'Deliveries without one.',
    example: 'target:1b4e28ba-*',
  }),
  field({
    name: 'ref',
    kind: 'text',
    description: 'Any ID in the payload, such as the ID of a tab, an order or a guest.',
    wildcards: false,
    example: 'ref:1b4e28ba-2fa1-4d3e-883f-0016d3cca427',
  }),
  field({
    name: 'endpoint',
    kind: 'text',
    description: 'The endpoint, by its name, the last part of its path, or its number.',
    none: 'Deliveries to a path that belongs to no endpoint.',
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
    description: 'The status of the response.',
    none: 'Deliveries that got no response.',
    example: 'status:>=400',
  }),
  field({
    name: 'attempt',
    kind: 'number',
    comparisons: ordered,
    description: 'The result of the last attempt to re-send or forward it: a status, or a word.',
    choices: choices(['ok', 'A 2xx response.'], ['failed', 'Another response, or none.']),
    none: 'Deliveries that were not sent again.',
    example: 'attempt:>=500',
  }),
  field({
    name: 'lag',
    kind: 'duration',
    comparisons: ['<', '<=', '>', '>='],
    description: 'Time from createdAt to arrival, by the clocks of both sides.',
    none: 'Deliveries without a createdAt.',
    example: 'lag:>5s',
  }),
  field({
    name: 'size',
    kind: 'size',
    comparisons: ordered,
    description: 'Size of the body: b, kb, mb (1000), kib, mib (1024).',
    example: 'size:>10kb',
  }),
  field({
    name: 'since',
    kind: 'time',
    comparisons: only,
    description: 'Received at this time or later.',
    example: 'since:2h',
  }),
  field({
    name: 'before',
    kind: 'time',
    comparisons: only,
    description: 'Received before this time.',
    example: 'before:yesterday',
  }),
  field({
    name: 'header',
    kind: 'header',
    description: 'A received header, with or without a value.',
    wildcards: true,
    example: 'header:x-service-application-id=app-1',
  }),
  field({
    name: 'data',
    kind: 'json',
    comparisons: ordered,
    description:
      'A value in data: a number finds numbers, quoted text finds text, * finds anything.',
    wildcards: true,
    example: 'data.total:>100',
  }),
  field({
    name: 'body',
    kind: 'json',
    comparisons: ordered,
    description: 'A value in the body, by its path from the top.',
    wildcards: true,
    example: 'body.locationId:*',
  }),
  field({
    name: 'contains',
    kind: 'words',
    description:
      'Text anywhere in the headers or the first MiB of the body, also inside words. Slow: reads every delivery.',
    wildcards: true,
    example: 'contains:4e28',
  }),
  field({
    name: 'is',
    kind: 'choice',
    description: 'A property of the delivery.',
    choices: choices(
      ['duplicate', 'Repeats an earlier delivery, by bytes or by event.'],
      ['pinned', 'Pinned, so it is not deleted automatically.'],
      ['noted', 'Has a note.'],
      ['tagged', 'Has a tag.'],
      ['answered', 'A response was sent.'],
      ['unanswered', 'No response was sent.'],
    ),
    example: 'is:pinned',
  }),
  field({
    name: 'repeats',
    kind: 'choice',
    description: 'How a delivery repeats an earlier one.',
    choices: choices(
      ['body', 'The same bytes.'],
      ['event', 'The same type, target, location and createdAt, but different bytes.'],
    ),
    none: 'Deliveries that repeat no earlier delivery.',
    example: 'repeats:body',
  }),
  field({
    name: 'own',
    kind: 'choice',
    description: 'Sent by Tabscope itself.',
    choices: choices(
      ['forward', 'Forwarded to the Tabscope listener. It is not forwarded again.'],
      ['send', 'Sent manually.'],
    ),
    none: 'Deliveries that Tabscope did not send.',
    example: 'own:send',
  }),
  field({
    name: 'answered',
    kind: 'choice',
    description: 'What replaced the default response 200.',
    choices: choices(
      ['rule', 'A response rule of the endpoint.'],
      ['target', 'The response of a forward target.'],
    ),
    none: 'Deliveries that got the default response.',
    example: 'answered:rule',
  }),
  field({
    name: 'via',
    kind: 'choice',
    description: 'How it was received.',
    choices: choices(['tunnel', 'Through the tunnel opened by Tabscope.']),
    none: 'Deliveries received directly by the listener.',
    example: 'via:tunnel',
  }),
  field({ name: 'tag', kind: 'text', description: 'One of your tags.', example: 'tag:bug' }),
  field({
    name: 'note',
    kind: 'words',
    description: 'Text in your note, case-insensitive.',
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
    description: 'The path of the request, including the query.',
    example: 'path:/hooks/*',
  }),
  field({
    name: 'secret',
    kind: 'text',
    description: 'The name of the secret that matched the signature.',
    none: 'Deliveries whose signature matched no secret.',
    example: 'secret:previous',
  }),
  field({
    name: 'arrival',
    kind: 'choice',
    description: 'How the request ended.',
    choices: choices(
      ['complete', 'Received completely.'],
      ['too_large', 'Larger than the body limit.'],
      ['cut_off', 'Ended early.'],
      ['malformed', 'Not a valid HTTP request.'],
    ),
    example: 'arrival:cut_off',
  }),
]

const byName: ReadonlyMap<string, FilterField> = new Map(
  filterFields.map((entry) => [entry.name, entry]),
)

/** Case-insensitive. */
export function fieldOf(name: string): FilterField | undefined {
  return byName.get(name.toLowerCase())
}

/** Used for suggestions. */
const aliases: Readonly<Record<string, string>> = {
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

export function nearestField(name: string): FilterField {
  const lower = name.toLowerCase().slice(0, 20)
  const other = fieldOf(aliases[lower] ?? lower.split('.')[0] ?? '')
  if (other) return other
  return filterFields.reduce((best, entry) =>
    editDistance(lower, entry.name) < editDistance(lower, best.name) ? entry : best,
  )
}
