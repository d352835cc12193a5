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
const created = (createdAt: unknown): Edits => field('createdAt', createdAt)

/** A member of the payload, or of its data; without a value, it is left out. */
const field = (name: string, ...to: [unknown?]): Edits => ({
  payload: (payload) => put(payload, name, to),
})
const data = (name: string, ...to: [unknown?]): Edits => ({
  payload: (_, data) => put(data, name, to),
})
function put(into: Record<string, unknown>, name: string, to: readonly unknown[]): void {
  if (to.length > 0) into[name] = to[0]
  else delete into[name]
}

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
  of(
    'signature.repeated',
    'header.x-acme-signature',
    item({ headers: added('x-acme-signature', 'f'.repeat(64)) }),
    item({ headers: added('x-acme-signature-2', 'f'.repeat(64)) }),
  ),
  // The signature does not match, so its letter case is irrelevant.
  of(
    'signature.upper_case',
    'header.x-acme-signature',
    item({ headers: upper }),
    item({ headers: changed('x-acme-signature', 'F'.repeat(64)) }),
  ),
  of(
    'header.type_mismatch',
    'header.x-acme-event-type',
    item({ headers: changed('x-acme-event-type', 'ITEM_REMOVED') }),
    item({ headers: changed('x-acme-event-type', 'ITEM_ADDED') }),
  ),
  of(
    'header.type_missing',
    'header.x-acme-event-type',
    item({ headers: without('x-acme-event-type') }),
    item({
      headers: (headers) =>
        headers.map(([name, value]) => [
          name === 'X-Acme-Event-Type' ? 'x-ACME-event-type' : name,
          value,
        ]),
    }),
  ),
  of(
    'header.target_uuid_mismatch',
    'header.x-acme-event-target-uuid',
    item({ headers: changed('x-acme-event-target-uuid', 'another') }),
    item(field('targetUuid', 'Zoë’s')),
    'another target',
  ),
  of(
    'header.target_uuid_mismatch',
    'header.x-acme-event-target-uuid',
    category({ headers: added('X-Acme-Event-Target-UUID', 'null') }),
    category({ headers: added('X-Acme-Event-Target-UUID', '') }),
    'a target where the body has null',
  ),
  of(
    'header.target_uuid_missing',
    'header.x-acme-event-target-uuid',
    item({ headers: without('x-acme-event-target-uuid') }),
    category({ headers: without('x-acme-event-target-uuid') }),
  ),
  of(
    'header.target_id_mismatch',
    'header.x-acme-event-target-id',
    scan({ headers: changed('x-acme-event-target-id', '0') }),
    scan({ headers: (headers) => headers }),
  ),
  of(
    'header.target_id_missing',
    'header.x-acme-event-target-id',
    scan({ headers: without('x-acme-event-target-id') }),
    item({ headers: without('x-acme-event-target-id') }),
  ),
  of(
    'header.application_id_mismatch',
    'header.x-acme-application-id',
    item({ headers: changed('x-acme-application-id', 'app-2') }),
    item({ headers: changed('x-acme-application-id', 'app-2'), settings: { applicationId: '' } }),
  ),
  of(
    'header.application_id_missing',
    'header.x-acme-application-id',
    item({ headers: without('x-acme-application-id'), settings: { applicationId: '' } }),
    item({ settings: { applicationId: '' } }),
  ),
  of(
    'header.user_agent',
    'header.user-agent',
    item({ headers: changed('user-agent', 'curl/8 Acme-WebhookAgent/1.0') }),
    item({ headers: changed('user-agent', 'Acme-WebhookAgent') }),
  ),
  of(
    'header.content_type',
    'header.content-type',
    item({ headers: changed('content-type', 'application/json-seq') }),
    item({ headers: changed('content-type', 'Application/JSON ; charset=utf-8') }),
  ),
  of(
    'header.custom_missing',
    'header.x-key',
    item({ ...custom, headers: without('x-key') }),
    item(custom),
  ),
  of(
    'header.custom_different',
    'header.x-key',
    item({ ...custom, headers: changed('x-key', `${customValue}-`) }),
    item({
      settings: { customHeaders: [['x-KEY', ` ${customValue} `]] },
      headers: changed('x-key', customValue),
    }),
  ),
  of(
    'header.repeated',
    'header.x-acme-event-type',
    item({ headers: added('X-Acme-Event-Type', 'ITEM_ADDED') }),
    item({ headers: (headers) => [...headers, ['Accept', 'a'], ['Accept', 'b']] }),
  ),
  of(
    'payload.field_missing',
    'body.createdAt',
    item(field('createdAt')),
    item(field('locationName')),
    'no createdAt',
  ),
  of(
    'payload.field_missing',
    'body.data',
    closing(field('data', null)),
    tab(field('data', null)),
    'null for data',
  ),
  of('payload.field_missing', 'body.type', item(field('type')), item({}), 'no type'),
  of(
    'payload.field_type',
    'body.locationId',
    item(field('locationId', 9)),
    item(field('locationId', null)),
    'a number for a text',
  ),
  of(
    'payload.field_type',
    'body.data',
    item(field('data', [])),
    closing(field('data', {})),
    'a list for data',
  ),
  of(
    'payload.field_extra',
    'body.eventId',
    item(field('eventId', 'e-1')),
    item(field('targetId', null)),
  ),
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
    of(
      'payload.created_at',
      'body.createdAt',
      item(created(time)),
      item(created('2028-02-29T23:59:59.000Z')),
      JSON.stringify(time),
    ),
  ),
  of(
    'payload.created_at',
    'body.createdAt',
    item(created('2026-03-14T21:00:00.123-00:30')),
    item(created('2026-03-14T21:00:00.123+00:00')),
    'another zone, beside UTC as an offset',
  ),
  of('payload.unknown_type', 'body.type', item(field('type', 'TAB_MERGED'))),
  of(
    'target.uuid_missing',
    'body.targetUuid',
    item(field('targetUuid', null)),
    scan(field('targetUuid', null)),
  ),
  of('target.id_missing', 'body.targetId', category(field('targetId')), item(field('targetId'))),
  of(
    'target.uuid_unexpected',
    'body.targetUuid',
    category(field('targetUuid', 'c-1')),
    category(field('targetUuid')),
    'a UUID of a category',
  ),
  of(
    'target.uuid_unexpected',
    'body.targetUuid',
    scan(field('targetUuid', 's-1')),
    scan({}),
    'a UUID of a spot',
  ),
  of(
    'target.id_unexpected',
    'body.targetId',
    item(field('targetId', '7')),
    item(field('targetId', '')),
  ),
  of(
    'data.field_missing',
    'body.data.price',
    item(data('price')),
    item(data('price', 0)),
    'no price',
  ),
  of(
    'data.field_missing',
    'body.data.price',
    item(data('price', null)),
    sampleDelivery('GUEST_VERIFIED', data('oldCustomerId')),
    'null for a price',
  ),
  of(
    'data.field_missing',
    'body.data.cause',
    category(data('cause')),
    tab(data('total')),
    'no cause',
  ),
  of('data.field_extra', 'body.data.tip', order(data('tip', 1)), order(data('total', 1)), 'a tip'),
  of(
    'data.field_extra',
    'body.data.total',
    closing(data('total', 1)),
    tab(data('total', 1)),
    'anything where the API documentation has none',
  ),
  of(
    'data.field_extra',
    'body.data.guests',
    tab(data('guests', 2)),
    tab(field('data')),
    'another field of a tab that was opened',
  ),
  of(
    'data.field_type',
    'body.data.price',
    item(data('price', '6.50')),
    item(data('price', -6.5)),
    'a text for a number',
  ),
  of(
    'data.field_type',
    'body.data.tags',
    item(data('tags', ['a', 1])),
    item(data('tags', [])),
    'a number in a list of texts',
  ),
  of(
    'data.field_type',
    'body.data.cause',
    category(data('cause', 'PRODUCT_UPDATED')),
    category(data('cause', {})),
    'a text for the cause',
  ),
  of(
    'data.field_type',
    'body.data.total',
    tab(data('total', '0')),
    tab(field('data', {})),
    'a text for the total of a tab that was opened',
  ),
  of(
    'data.value_new',
    'body.data.openedFrom',
    tab(data('openedFrom', 'KIOSK')),
    tab(data('openedFrom', 'ACME_MENU')),
    'a tab opened from elsewhere',
  ),
  of(
    'data.value_new',
    'body.data.type',
    scan(data('type', 'TABLE')),
    scan(data('type', 'SPOT')),
    'a QR code of a table',
  ),
  of(
    'data.value_new',
    'body.data.cause.type',
    category(data('cause', { type: 'MENU_UPDATED' })),
    category(data('cause', { type: 'PRODUCT_UPDATED', id: 1 })),
    'another cause',
  ),
  ...['yesterday', '2026-03-14', '2026-02-30T21:00:00Z', '1773522000'].map((time) =>
    of(
      'data.time',
      'body.data.created',
      order(data('created', time)),
      order(data('created', '2026-03-14T21:00:00+0200')),
      time,
    ),
  ),
  {
    ...of('findings.more', 'request', item({ payload: (payload) => extras(payload, 100) })),
    with: Array.from({ length: 49 }, () => 'payload.field_extra' as const),
  },
]

export function extras(fields: Record<string, unknown>, count: number): void {
  for (let i = 0; i < count; i += 1) fields[`extra${i}`] = i
}
