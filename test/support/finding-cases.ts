import { gzipSync } from 'node:zlib'
import type { KnownCode } from '#catalogue/findings.ts'
import {
  added,
  changed,
  customValue,
  sampleDelivery,
  without,
  type Edits,
  type SampleDelivery,
} from './sample-delivery.ts'

/** Cases for a kind of finding: a delivery with only this finding, and a similar one without findings. */
export interface FindingCase {
  readonly code: KnownCode
  /** What distinguishes it from other cases of the code. Default: the place. */
  readonly what: string
  readonly place: string
  readonly has: SampleDelivery
  readonly nearly: SampleDelivery
  /** Further findings, in order, if the finding cannot occur alone. */
  readonly with?: readonly KnownCode[]
}

const item = (edits: Edits): SampleDelivery => sampleDelivery('ITEM_ADDED', edits)
const order = (edits: Edits): SampleDelivery => sampleDelivery('ORDER_PLACED', edits)
const category = (edits: Edits): SampleDelivery => sampleDelivery('CATEGORY_UPDATED', edits)
const scan = (edits: Edits): SampleDelivery => sampleDelivery('QR_SCANNED', edits)
const tab = (edits: Edits): SampleDelivery => sampleDelivery('OPEN_TAB', edits)
const closing = (edits: Edits): SampleDelivery => sampleDelivery('CLOSE_TAB', edits)

const custom = { settings: { customHeaders: [['X-Key', customValue] as [string, string]] } }
const upper = (headers: readonly (readonly [string, string])[]): [string, string][] =>
  headers.map(([name, value]) => [name, name === 'X-Acme-Signature' ? value.toUpperCase() : value])

/** A member of the payload, or of its data; without a value, it is left out. */
const field = (name: string, ...to: Value): Edits => ({
  payload: (payload) => put(payload, name, to),
})
const data = (name: string, ...to: Value): Edits => ({
  payload: (_, data) => put(data, name, to),
})
function put(into: Record<string, unknown>, name: string, to: Value): void {
  if (to.length > 0) into[name] = to[0]
  else delete into[name]
}

type Value = readonly [unknown?]
type HeaderEdit = NonNullable<Edits['headers']>

/** The similar delivery is by default an unchanged one. */
function of(
  code: KnownCode,
  place: string,
  has: SampleDelivery,
  nearly = item({}),
  what = place,
): FindingCase {
  return { code, what, place, has, nearly }
}

/** A finding at a member with the value `has`, and by default the same type of delivery with the value `nearly`. */
function at(
  code: KnownCode,
  place: string,
  make: (edits: Edits) => SampleDelivery,
  has: Value,
  nearly: Value | SampleDelivery,
  what = place,
): FindingCase {
  const [, within = '', name = ''] = /^body\.(data\.)?(.*)$/.exec(place) ?? []
  const edited = (to: Value) => make(within === '' ? field(name, ...to) : data(name, ...to))
  return of(code, place, edited(has), 'method' in nearly ? nearly : edited(nearly), what)
}

/** A finding at a header, which is edited in an added item unless a whole delivery is given. */
function inHeader(
  code: KnownCode,
  name: string,
  has: ((name: string) => HeaderEdit) | SampleDelivery,
  nearly: ((name: string) => HeaderEdit) | SampleDelivery,
  what?: string,
): FindingCase {
  const [first, second] = [has, nearly].map((one) =>
    typeof one === 'function' ? item({ headers: one(name) }) : one,
  )
  return of(code, `header.${name}`, first ?? item({}), second, what)
}
const to = (value: string) => (name: string) => changed(name, value)
const another = (value: string) => (name: string) => added(name, value)
const none = (name: string) => without(name)

const type = 'x-acme-event-type'
const uuid = 'x-acme-event-target-uuid'
const id = 'x-acme-event-target-id'
const application = 'x-acme-application-id'
const signature = 'x-acme-signature'

/** Cases for each code, at least one. */
export const findingCases: readonly FindingCase[] = [
  of('request.no_endpoint', 'request', item({ lost: true })),
  of('request.cut_off', 'request', item({ arrival: 'cut_off', body: (text) => text.slice(0, 40) })),
  of('request.malformed', 'request', item({ arrival: 'malformed', method: '' })),
  ...(['tls', 'http2', 'proxy_protocol'] as const).map((protocol) =>
    of(`request.${protocol}`, 'request', {
      ...item({ arrival: 'malformed', method: '', lost: true }),
      protocol,
    }),
  ),
  of('request.method', 'request', item({ method: 'PUT' }), item({ method: 'POST' })),
  of('body.too_large', 'body', item({ arrival: 'too_large', body: (text) => text.slice(0, 100) })),
  of('body.empty', 'body', item({ body: () => '' }), closing(field('data', {}))),
  of(
    'body.encoded',
    'body',
    item({ body: (text) => gzipSync(text), headers: added('content-encoding', 'gzip') }),
    item({ headers: added('content-encoding', 'gzip') }),
  ),
  of(
    'body.byte_order_mark',
    'body',
    item({ body: (text) => `\uFEFF${text}` }),
    item(data('name', '\uFEFFBeer')),
  ),
  of(
    'body.not_utf8',
    'body',
    item({ body: () => Buffer.from('{"name":"Zoë"}', 'latin1') }),
    item(data('name', 'Zoë')),
  ),
  of(
    'body.not_json',
    'body',
    item({ body: (text) => text.replace(/\}$/, ',}') }),
    item({ body: (text) => text.replace(/\}$/, ' }\n') }),
  ),
  of('body.not_object', 'body', item({ body: (text) => `[${text}]` })),
  of(
    'body.duplicate_key',
    'body.data.name',
    item({ body: (text) => text.replace('"name":', '"name":"Beer","name":') }),
    item({ body: (text) => text.replace('["vegetarian"]', '["\\"name\\":", "name :"]') }),
    'a key twice',
  ),
  of(
    'body.duplicate_key',
    'body.data.cause.list[1].key',
    category({
      body: (text) =>
        text.replace('{"type":"PRODUCT', '{"list":[{},{"k\\u0065y":1, "key" :2}],"type":"PRODUCT'),
    }),
    category({
      body: (text) =>
        text.replace('{"type":"PRODUCT', '{"list":[{"key":1},{"key":2}],"type":"PRODUCT'),
    }),
    'a key twice, once escaped, in a list',
  ),
  inHeader('signature.repeated', signature, another('f'.repeat(64)), (name) =>
    added(`${name}-2`, 'f'.repeat(64)),
  ),
  // The signature does not match, so its letter case is irrelevant.
  inHeader('signature.upper_case', signature, () => upper, to('F'.repeat(64))),
  inHeader('header.type_mismatch', type, to('ITEM_REMOVED'), to('ITEM_ADDED')),
  inHeader(
    'header.type_missing',
    type,
    none,
    () => (headers) =>
      headers.map(([name, value]) => [
        name === 'X-Acme-Event-Type' ? 'x-ACME-event-type' : name,
        value,
      ]),
  ),
  inHeader(
    'header.target_uuid_mismatch',
    uuid,
    to('another'),
    item(field('targetUuid', 'Zoë’s')),
    'another target',
  ),
  inHeader(
    'header.target_uuid_mismatch',
    uuid,
    category({ headers: added('X-Acme-Event-Target-UUID', 'null') }),
    category({ headers: added('X-Acme-Event-Target-UUID', '') }),
    'a target where the body has null',
  ),
  inHeader('header.target_uuid_missing', uuid, none, category({ headers: without(uuid) })),
  inHeader('header.target_id_mismatch', id, scan({ headers: changed(id, '0') }), scan({})),
  inHeader('header.target_id_missing', id, scan({ headers: without(id) }), none),
  inHeader(
    'header.application_id_mismatch',
    application,
    to('app-2'),
    item({ headers: changed(application, 'app-2'), settings: { applicationId: '' } }),
  ),
  inHeader(
    'header.application_id_missing',
    application,
    item({ headers: without(application), settings: { applicationId: '' } }),
    item({ settings: { applicationId: '' } }),
  ),
  inHeader(
    'header.user_agent',
    'user-agent',
    to('curl/8 Acme-WebhookAgent/1.0'),
    to('Acme-WebhookAgent'),
  ),
  inHeader(
    'header.content_type',
    'content-type',
    to('application/json-seq'),
    to('Application/JSON ; charset=utf-8'),
  ),
  inHeader(
    'header.custom_missing',
    'x-key',
    item({ ...custom, headers: without('x-key') }),
    item(custom),
  ),
  inHeader(
    'header.custom_different',
    'x-key',
    item({ ...custom, headers: changed('x-key', `${customValue}-`) }),
    item({
      settings: { customHeaders: [['x-KEY', ` ${customValue} `]] },
      headers: changed('x-key', customValue),
    }),
  ),
  inHeader(
    'header.repeated',
    type,
    () => added('X-Acme-Event-Type', 'ITEM_ADDED'),
    () => (headers) => [...headers, ['Accept', 'a'], ['Accept', 'b']],
  ),
  at(
    'payload.field_missing',
    'body.createdAt',
    item,
    [],
    item(field('locationName')),
    'no createdAt',
  ),
  at(
    'payload.field_missing',
    'body.data',
    closing,
    [null],
    tab(field('data', null)),
    'null for data',
  ),
  at('payload.field_missing', 'body.type', item, [], item({}), 'no type'),
  at('payload.field_type', 'body.locationId', item, [9], [null], 'a number for a text'),
  at('payload.field_type', 'body.data', item, [[]], closing(field('data', {})), 'a list for data'),
  at('payload.field_extra', 'body.eventId', item, ['e-1'], item(field('targetId', null))),
  ...[
    '2026-03-14T21:00:00Z',
    '2026-03-14T21:00:00.1234Z',
    '2026-03-14T21:00:00.123+02:00',
    '2026-03-14T21:00:00.123',
    '2026-02-29T21:00:00.123Z',
    '2026-04-31T21:00:00.123Z',
    '2026-13-14T21:00:00.123Z',
    '2026-03-14T24:00:00.123Z',
    '2026-03-14 21:00:00.123Z',
    'Sat Mar 14 2026',
    '',
  ].map((time) =>
    at(
      'payload.created_at',
      'body.createdAt',
      item,
      [time],
      ['2028-02-29T23:59:59.000Z'],
      JSON.stringify(time),
    ),
  ),
  at(
    'payload.created_at',
    'body.createdAt',
    item,
    ['2026-03-14T21:00:00.123-00:30'],
    ['2026-03-14T21:00:00.123+00:00'],
    'another zone, beside UTC as an offset',
  ),
  at('payload.unknown_type', 'body.type', item, ['TAB_MERGED'], item({})),
  at('target.uuid_missing', 'body.targetUuid', item, [null], scan(field('targetUuid', null))),
  at('target.id_missing', 'body.targetId', category, [], item(field('targetId'))),
  at('target.uuid_unexpected', 'body.targetUuid', category, ['c-1'], [], 'a UUID of a category'),
  at('target.uuid_unexpected', 'body.targetUuid', scan, ['s-1'], scan({}), 'a UUID of a spot'),
  at('target.id_unexpected', 'body.targetId', item, ['7'], ['']),
  at('data.field_missing', 'body.data.price', item, [], [0], 'no price'),
  at(
    'data.field_missing',
    'body.data.price',
    item,
    [null],
    sampleDelivery('GUEST_VERIFIED', data('oldCustomerId')),
    'null for a price',
  ),
  at('data.field_missing', 'body.data.cause', category, [], tab(data('total')), 'no cause'),
  at('data.field_extra', 'body.data.tip', order, [1], order(data('total', 1)), 'a tip'),
  at(
    'data.field_extra',
    'body.data.total',
    closing,
    [1],
    tab(data('total', 1)),
    'anything where the API documentation has none',
  ),
  at(
    'data.field_extra',
    'body.data.guests',
    tab,
    [2],
    tab(field('data')),
    'another field of a tab that was opened',
  ),
  at('data.field_type', 'body.data.price', item, ['6.50'], [-6.5], 'a text for a number'),
  at('data.field_type', 'body.data.tags', item, [['a', 1]], [[]], 'a number in a list of texts'),
  at(
    'data.field_type',
    'body.data.cause',
    category,
    ['PRODUCT_UPDATED'],
    [{}],
    'a text for the cause',
  ),
  at(
    'data.field_type',
    'body.data.total',
    tab,
    ['0'],
    tab(field('data', {})),
    'a text for the total of a tab that was opened',
  ),
  at(
    'data.value_new',
    'body.data.openedFrom',
    tab,
    ['KIOSK'],
    ['ACME_MENU'],
    'a tab opened from elsewhere',
  ),
  at('data.value_new', 'body.data.type', scan, ['TABLE'], ['SPOT'], 'a QR code of a table'),
  of(
    'data.value_new',
    'body.data.cause.type',
    category(data('cause', { type: 'MENU_UPDATED' })),
    category(data('cause', { type: 'PRODUCT_UPDATED', id: 1 })),
    'another cause',
  ),
  ...['yesterday', '2026-03-14', '2026-02-30T21:00:00Z', '1773522000'].map((time) =>
    at('data.time', 'body.data.created', order, [time], ['2026-03-14T21:00:00+0200'], time),
  ),
  {
    ...of('findings.more', 'request', item({ payload: (payload) => extras(payload, 100) })),
    with: Array.from({ length: 49 }, () => 'payload.field_extra' as const),
  },
]

export function extras(fields: Record<string, unknown>, count: number): void {
  for (let i = 0; i < count; i += 1) fields[`extra${i}`] = i
}
