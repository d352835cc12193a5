import { editDistance } from '#shared/text/edit-distance.ts'
import type { Comparison } from './ast.ts'

/**
 * `text`: exact match, with `*` if `wildcards`; `name`: the same, ignoring case and diacritics; `words`: contained text, case-insensitive; `choice`: one
 * of `choices`; `number`: a whole number; `amount`: any number; `time`: a duration before now, a date, a day, or a time of today; `age`: the same, with a
 * comparison; `header`: `name` or `name=value`; `json`: a value in the body.
 */
export type ValueKind =
  | 'text'
  | 'name'
  | 'words'
  | 'choice'
  | 'number'
  | 'amount'
  | 'duration'
  | 'size'
  | 'time'
  | 'age'
  | 'header'
  | 'json'

export interface FieldChoice {
  readonly value: string
  readonly meaning: string
}

export interface FilterField {
  readonly name: string
  /** Other names that mean the same, in lower case. */
  readonly aliases: readonly string[]
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

const comparisonsOf: Readonly<Record<ValueKind, readonly Comparison[]>> = {
  text: ['=', '!='],
  name: ['=', '!='],
  words: ['=', '!='],
  choice: ['=', '!='],
  number: ['=', '!=', '<', '<=', '>', '>='],
  amount: ['=', '!=', '<', '<=', '>', '>='],
  duration: ['<', '<=', '>', '>='],
  size: ['=', '!=', '<', '<=', '>', '>='],
  time: ['='],
  age: ['<', '<=', '>', '>='],
  header: ['=', '!='],
  json: ['=', '!=', '<', '<=', '>', '>='],
}
const kindsWithWildcards: readonly ValueKind[] = ['text', 'name', 'words', 'header', 'json']

interface FieldOptions extends Partial<Pick<FilterField, 'none' | 'wildcards' | 'aliases'>> {
  readonly choices?: readonly (readonly [value: string, meaning: string])[]
}

function field(
  name: string,
  kind: ValueKind,
  description: string,
  example: string,
  {
    choices = [],
    none = null,
    aliases = [],
    wildcards = kindsWithWildcards.includes(kind),
  }: FieldOptions = {},
): FilterField {
  return {
    comparisons: comparisonsOf[kind],
    choices: choices.map(([value, meaning]) => ({ value, meaning })),
    none,
    aliases,
    wildcards,
    name,
    kind,
    description,
    example,
  }
}

/** Most frequently used first. Used by parser, error messages, completion and help. */
export const filterFields: readonly FilterField[] = [
  field('type', 'text', 'The event type in the body.', 'type:ORDER_PLACED', {
    none: 'Deliveries without a type.',
  }),
  field('verdict', 'choice', 'The result of the signature check.', 'verdict:invalid', {
    choices: [
      ['valid', 'The signature matches the secret.'],
      ['invalid', 'The signature does not match the secret.'],
      ['missing', 'A secret is set, but no signature was received.'],
      ['unsigned', 'No secret is set, and no signature was received.'],
      ['unchecked', 'A signature was received, but no secret was set.'],
    ],
  }),
  field('outcome', 'choice', 'What happened to it, here and at your handler.', 'outcome:rejected', {
    choices: [
      ['ok', 'Nothing is wrong.'],
      ['invalid', 'The signature does not match the secret.'],
      ['missing', 'A secret is set, but no signature was received.'],
      ['rejected', 'Your handler did not respond with a 2xx status.'],
      ['refused', 'Tabscope responded with an error, or not at all.'],
    ],
  }),
  field(
    'cause',
    'text',
    'Why the signature is invalid, or why your handler rejects it, by code.',
    'cause:secret.*',
    {
      none: 'Failed deliveries without a known cause.',
    },
  ),
  field(
    'handler',
    'number',
    'The last response of your handler, to a forwarded or re-sent delivery: a status, or a word.',
    'handler:>=500',
    {
      aliases: ['attempt'],
      choices: [
        ['ok', 'A 2xx response.'],
        ['failed', 'Another response, or none.'],
        ['no_response', 'No response was received.'],
      ],
      none: 'Deliveries that were not sent to it.',
    },
  ),
  field('spot', 'name', 'The table or spot, also of items and closed tabs.', 'spot:T4', {
    aliases: ['table'],
    none: 'Deliveries without one.',
  }),
  field('zone', 'name', 'The zone of an order.', 'zone:Patio', { none: 'Deliveries without one.' }),
  field(
    'tab',
    'name',
    'The tab, by its name or its ID, also of its items and orders.',
    'tab:Miller',
    {
      none: 'Deliveries without one.',
    },
  ),
  field('order', 'name', 'The order, by its name or its ID.', 'order:A-17', {
    none: 'Deliveries without one.',
  }),
  field('item', 'name', 'An item or product.', 'item:"Pale Ale"', {
    none: 'Deliveries without one.',
  }),
  field('guest', 'name', 'The guest, by handle or ID.', 'guest:*@example.com', {
    none: 'Deliveries without one.',
  }),
  field(
    'total',
    'amount',
    'The total of an order or a tab, or the price of an item.',
    'total:>120',
    {
      aliases: ['amount', 'price'],
      none: 'Deliveries without one.',
    },
  ),
  field(
    'verdict-at-arrival',
    'choice',
    'The result of the signature check at arrival, regardless of later checks.',
    'verdict-at-arrival:invalid',
    {
      choices: [
        ['valid', 'The signature matched the secret.'],
        ['invalid', 'The signature did not match the secret.'],
        ['missing', 'A secret was set, but no signature was received.'],
        ['unsigned', 'No secret was set, and no signature was received.'],
        ['unchecked', 'A signature was received, but no secret was set.'],
      ],
    },
  ),
  field('finding', 'text', 'Deviations from the API documentation, by code.', 'finding:header.*', {
    none: 'Deliveries without a finding.',
  }),
  field('severity', 'choice', 'Deliveries with a finding of this severity.', 'severity:error', {
    choices: [
      ['error', 'Deviates from the API documentation.'],
      ['warning', 'Unusual.'],
      ['info', 'Informational.'],
    ],
  }),
  field('location', 'text', 'The name of the location.', 'location:"Pier 9"', {
    none: 'Deliveries without one.',
  }),
  field('target', 'text', 'targetUuid, or targetId if it is missing.', 'target:1b4e28ba-*', {
    none: 'Deliveries without one.',
  }),
  field(
    'ref',
    'text',
    'Any ID in the payload, such as the ID of a tab, an order or a guest.',
    'ref:1b4e28ba-2fa1-4d3e-883f-0016d3cca427',
    { wildcards: false },
  ),
  field(
    'endpoint',
    'text',
    'The endpoint, by its name, the last part of its path, or its number.',
    'endpoint:sandbox',
    { none: 'Deliveries to a path that belongs to no endpoint.' },
  ),
  field(
    'integration',
    'text',
    'The integration that the endpoint belongs to now, by its name or its number.',
    'integration:1',
    { none: 'Deliveries to a path that belongs to no endpoint.' },
  ),
  field('number', 'number', 'The number of the delivery, as in its heading.', 'number:>=1200'),
  field('status', 'number', 'The status of the response.', 'status:>=400', {
    none: 'Deliveries that got no response.',
  }),
  field(
    'lag',
    'duration',
    'Time from createdAt to arrival, by the clocks of both sides.',
    'lag:>5s',
    { none: 'Deliveries without a createdAt.' },
  ),
  field('size', 'size', 'Size of the body: b, kb, mb (1000), kib, mib (1024).', 'size:>10kb'),
  field('since', 'time', 'Received at this time or later.', 'since:2h'),
  field('before', 'time', 'Received before this time.', 'before:yesterday'),
  field('until', 'time', 'Received until the end of this day, minute or second.', 'until:21:30'),
  field(
    'created',
    'age',
    'createdAt of the event: how long ago, or compared with a time.',
    'created:<1h',
    {
      aliases: ['createdat'],
      none: 'Deliveries without a valid createdAt.',
    },
  ),
  field(
    'header',
    'header',
    'A received header, with or without a value.',
    'header:x-service-application-id=app-1',
  ),
  field(
    'data',
    'json',
    'A value in data: a number finds numbers, quoted text finds text, * finds anything.',
    'data.total:>100',
  ),
  field('body', 'json', 'A value in the body, by its path from the top.', 'body.locationId:*'),
  field(
    'contains',
    'words',
    'Text anywhere in the headers or the first MiB of the body, also inside words. Slow: reads every delivery.',
    'contains:4e28',
  ),
  field('is', 'choice', 'A property of the delivery.', 'is:pinned', {
    choices: [
      ['duplicate', 'Repeats an earlier delivery, by bytes or by event.'],
      ['pinned', 'Pinned, so it is not deleted automatically.'],
      ['noted', 'Has a note.'],
      ['tagged', 'Has a tag.'],
      ['answered', 'A response was sent.'],
      ['unanswered', 'No response was sent.'],
    ],
  }),
  field('repeats', 'choice', 'How a delivery repeats an earlier one.', 'repeats:body', {
    choices: [
      ['body', 'The same bytes.'],
      ['event', 'The same type, target, location and createdAt, but different bytes.'],
    ],
    none: 'Deliveries that repeat no earlier delivery.',
  }),
  field('own', 'choice', 'Sent by Tabscope itself.', 'own:send', {
    choices: [
      ['forward', 'Forwarded to the Tabscope listener. It is not forwarded again.'],
      ['send', 'Sent manually.'],
    ],
    none: 'Deliveries that Tabscope did not send.',
  }),
  field('answered', 'choice', 'What replaced the default response 200.', 'answered:rule', {
    choices: [
      ['rule', 'A response rule of the endpoint.'],
      ['target', 'The response of a forward target.'],
      ['hold', 'You, while it was held.'],
    ],
    none: 'Deliveries that got the default response.',
  }),
  field('via', 'choice', 'How it was received.', 'via:tunnel', {
    choices: [
      ['tunnel', 'Through the tunnel opened by Tabscope.'],
      ['relay', 'By a receiver of a relay.'],
    ],
    none: 'Deliveries received directly by the listener.',
  }),
  field('relay', 'text', 'The name of the relay.', 'relay:Team', {
    none: 'Deliveries that came from no relay.',
  }),
  field('receiver', 'text', 'The receiver of the relay.', 'receiver:gate', {
    none: 'Deliveries that came from no relay.',
  }),
  field('tag', 'text', 'One of your tags.', 'tag:bug'),
  field('note', 'words', 'Text in your note, case-insensitive.', 'note:"ask them"'),
  field('method', 'text', 'The method of the request.', 'method:POST'),
  field('path', 'text', 'The path of the request, including the query.', 'path:/hooks/*'),
  field('secret', 'text', 'The name of the secret that matched the signature.', 'secret:previous', {
    none: 'Deliveries whose signature matched no secret.',
  }),
  field('arrival', 'choice', 'How the request ended.', 'arrival:cut_off', {
    choices: [
      ['complete', 'Received completely.'],
      ['too_large', 'Larger than the body limit.'],
      ['cut_off', 'Ended early.'],
      ['malformed', 'Not a valid HTTP request.'],
    ],
  }),
]

const byName: ReadonlyMap<string, FilterField> = new Map(
  filterFields.flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry])),
)

/** Case-insensitive. */
export function fieldOf(name: string): FilterField | undefined {
  return byName.get(name.toLowerCase())
}

/** What people mean by other names, in lower case and without the ending of a key (`spotName`, `tabUuid`). */
const meanings: Readonly<Record<string, readonly string[]>> = {
  ref: ['id', 'uuid', 'product', 'menu'],
  type: ['event', 'kind'],
  verdict: ['signature', 'signed'],
  finding: ['code', 'error', 'warning', 'deviation'],
  cause: ['reason', 'why', 'problem'],
  outcome: ['result', 'state', 'failed'],
  handler: ['sent', 'resent', 'forwarded', 'forward', 'response', 'target-status', 'upstream'],
  spot: ['seat', 'desk'],
  zone: ['area', 'zonegroup', 'section'],
  location: ['place', 'venue', 'site', 'bar'],
  tab: ['bill', 'check', 'name'],
  order: ['receipt', 'ordernumber'],
  item: ['itemnames', 'dish', 'drink', 'productname'],
  guest: ['customer', 'handle', 'email', 'phone', 'user', 'oldcustomer'],
  total: ['sum', 'cost', 'value'],
  lag: ['delay', 'latency', 'age'],
  size: ['bytes', 'length'],
  since: ['from', 'after', 'received', 'time', 'date', 'start'],
  until: ['to', 'end'],
  header: ['headers'],
  body: ['payload', 'json'],
  path: ['url', 'uri'],
  integration: ['application', 'client', 'app'],
  is: ['duplicate', 'pinned'],
  tag: ['label', 'tags'],
  contains: ['text', 'includes', 'substring'],
  via: ['tunnel'],
}

/** Null: no field has this name or meaning, or nearly this name. */
export function nearestField(name: string): FilterField | null {
  const lower = name.toLowerCase().slice(0, 20)
  const key = lower.split('.').at(-1) ?? ''
  const [first = ''] = lower.split('.')
  for (const word of [lower, first, key, key.replace(/(?:name|uuid|id|s)$/, '')]) {
    const [meant] = Object.entries(meanings).find(([, words]) => words.includes(word)) ?? []
    const known = fieldOf(meant ?? word)
    if (known) return known
  }
  const distance = (entry: FilterField): number => editDistance(lower, entry.name)
  const nearest = filterFields.reduce((best, entry) =>
    distance(entry) < distance(best) ? entry : best,
  )
  return distance(nearest) <= (lower.length > 3 ? 2 : 1) ? nearest : null
}
