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
const created = (createdAt: unknown): Edits => ({
  payload: (payload) => void (payload.createdAt = createdAt),
})

/** The similar delivery is by default an unchanged one. */
type Case = Omit<FindingCase, 'what' | 'nearly'> & Partial<FindingCase>

const cases: readonly Case[] = [
  {
    code: 'request.no_endpoint',
    place: 'request',
    has: item({ lost: true }),
  },
  {
    code: 'request.cut_off',
    place: 'request',
    has: item({ arrival: 'cut_off', body: (text) => text.slice(0, 40) }),
  },
  {
    code: 'request.malformed',
    place: 'request',
    has: item({ arrival: 'malformed', method: '' }),
  },
  ...(['tls', 'http2', 'proxy_protocol'] as const).map((protocol) => ({
    code: `request.${protocol}` as const,
    place: 'request',
    has: { ...item({ arrival: 'malformed', method: '', lost: true }), protocol },
  })),
  {
    code: 'request.method',
    place: 'request',
    has: item({ method: 'PUT' }),
    nearly: item({ method: 'POST' }),
  },
  {
    code: 'body.too_large',
    place: 'body',
    has: item({ arrival: 'too_large', body: (text) => text.slice(0, 100) }),
  },
  {
    code: 'body.empty',
    place: 'body',
    has: item({ body: () => '' }),
    nearly: closing({ payload: (payload) => void (payload.data = {}) }),
  },
  {
    code: 'body.encoded',
    place: 'body',
    has: item({ body: (text) => gzipSync(text), headers: added('content-encoding', 'gzip') }),
    nearly: item({ headers: added('content-encoding', 'gzip') }),
  },
  {
    code: 'body.byte_order_mark',
    place: 'body',
    has: item({ body: (text) => `\uFEFF${text}` }),
    nearly: item({ payload: (_, data) => void (data.name = '\uFEFFBeer') }),
  },
  {
    code: 'body.not_utf8',
    place: 'body',
    has: item({ body: () => Buffer.from('{"name":"Zoë"}', 'latin1') }),
    nearly: item({ payload: (_, data) => void (data.name = 'Zoë') }),
  },
  {
    code: 'body.not_json',
    place: 'body',
    has: item({ body: (text) => text.replace(/\}$/, ',}') }),
    nearly: item({ body: (text) => text.replace(/\}$/, ' }\n') }),
  },
  {
    code: 'body.not_object',
    place: 'body',
    has: item({ body: (text) => `[${text}]` }),
  },
  {
    code: 'body.duplicate_key',
    what: 'a key twice',
    place: 'body.data.name',
    has: item({ body: (text) => text.replace('"name":', '"name":"Beer","name":') }),
    nearly: item({ body: (text) => text.replace('["vegetarian"]', '["\\"name\\":", "name :"]') }),
  },
  {
    code: 'body.duplicate_key',
    what: 'a key twice, once escaped, in a list',
    place: 'body.data.cause.list[1].key',
    has: category({
      body: (text) =>
        text.replace('{"type":"PRODUCT', '{"list":[{},{"k\\u0065y":1, "key" :2}],"type":"PRODUCT'),
    }),
    nearly: category({
      body: (text) =>
        text.replace('{"type":"PRODUCT', '{"list":[{"key":1},{"key":2}],"type":"PRODUCT'),
    }),
  },
  {
    code: 'signature.repeated',
    place: 'header.x-acme-signature',
    has: item({ headers: added('x-acme-signature', 'f'.repeat(64)) }),
    nearly: item({ headers: added('x-acme-signature-2', 'f'.repeat(64)) }),
  },
  {
    code: 'signature.upper_case',
    place: 'header.x-acme-signature',
    has: item({ headers: upper }),
    // The signature does not match, so its letter case is irrelevant.
    nearly: item({ headers: changed('x-acme-signature', 'F'.repeat(64)) }),
  },
  {
    code: 'header.type_mismatch',
    place: 'header.x-acme-event-type',
    has: item({ headers: changed('x-acme-event-type', 'ITEM_REMOVED') }),
    nearly: item({ headers: changed('x-acme-event-type', 'ITEM_ADDED') }),
  },
  {
    code: 'header.type_missing',
    place: 'header.x-acme-event-type',
    has: item({ headers: without('x-acme-event-type') }),
    nearly: item({
      headers: (headers) =>
        headers.map(([name, value]) => [
          name === 'X-Acme-Event-Type' ? 'x-ACME-event-type' : name,
          value,
        ]),
    }),
  },
  {
    code: 'header.target_uuid_mismatch',
    what: 'another target',
    place: 'header.x-acme-event-target-uuid',
    has: item({ headers: changed('x-acme-event-target-uuid', 'another') }),
    nearly: item({
      payload: (payload) => void (payload.targetUuid = 'Zoë’s'),
    }),
  },
  {
    code: 'header.target_uuid_mismatch',
    what: 'a target where the body has null',
    place: 'header.x-acme-event-target-uuid',
    has: category({ headers: added('X-Acme-Event-Target-UUID', 'null') }),
    nearly: category({ headers: added('X-Acme-Event-Target-UUID', '') }),
  },
  {
    code: 'header.target_uuid_missing',
    place: 'header.x-acme-event-target-uuid',
    has: item({ headers: without('x-acme-event-target-uuid') }),
    nearly: category({ headers: without('x-acme-event-target-uuid') }),
  },
  {
    code: 'header.target_id_mismatch',
    place: 'header.x-acme-event-target-id',
    has: scan({ headers: changed('x-acme-event-target-id', '0') }),
    nearly: scan({ headers: (headers) => headers }),
  },
  {
    code: 'header.target_id_missing',
    place: 'header.x-acme-event-target-id',
    has: scan({ headers: without('x-acme-event-target-id') }),
    nearly: item({ headers: without('x-acme-event-target-id') }),
  },
  {
    code: 'header.application_id_mismatch',
    place: 'header.x-acme-application-id',
    has: item({ headers: changed('x-acme-application-id', 'app-2') }),
    nearly: item({
      headers: changed('x-acme-application-id', 'app-2'),
      settings: { applicationId: '' },
    }),
  },
  {
    code: 'header.application_id_missing',
    place: 'header.x-acme-application-id',
    has: item({ headers: without('x-acme-application-id'), settings: { applicationId: '' } }),
    nearly: item({ settings: { applicationId: '' } }),
  },
  {
    code: 'header.user_agent',
    place: 'header.user-agent',
    has: item({ headers: changed('user-agent', 'curl/8 Acme-WebhookAgent/1.0') }),
    nearly: item({ headers: changed('user-agent', 'Acme-WebhookAgent') }),
  },
  {
    code: 'header.content_type',
    place: 'header.content-type',
    has: item({ headers: changed('content-type', 'application/json-seq') }),
    nearly: item({ headers: changed('content-type', 'Application/JSON ; charset=utf-8') }),
  },
  {
    code: 'header.custom_missing',
    place: 'header.x-key',
    has: item({ ...custom, headers: without('x-key') }),
    nearly: item(custom),
  },
  {
    code: 'header.custom_different',
    place: 'header.x-key',
    has: item({ ...custom, headers: changed('x-key', `${customValue}-`) }),
    nearly: item({
      settings: { customHeaders: [['x-KEY', ` ${customValue} `]] },
      headers: changed('x-key', customValue),
    }),
  },
  {
    code: 'header.repeated',
    place: 'header.x-acme-event-type',
    has: item({ headers: added('X-Acme-Event-Type', 'ITEM_ADDED') }),
    nearly: item({
      headers: (headers) => [...headers, ['Accept', 'a'], ['Accept', 'b']],
    }),
  },
  {
    code: 'payload.field_missing',
    what: 'no createdAt',
    place: 'body.createdAt',
    has: item({ payload: (payload) => void delete payload.createdAt }),
    nearly: item({ payload: (payload) => void delete payload.locationName }),
  },
  {
    code: 'payload.field_missing',
    what: 'null for data',
    place: 'body.data',
    has: closing({ payload: (payload) => void (payload.data = null) }),
    nearly: tab({ payload: (payload) => void (payload.data = null) }),
  },
  {
    code: 'payload.field_missing',
    what: 'no type',
    place: 'body.type',
    has: item({ payload: (payload) => void delete payload.type }),
  },
  {
    code: 'payload.field_type',
    what: 'a number for a text',
    place: 'body.locationId',
    has: item({ payload: (payload) => void (payload.locationId = 9) }),
    nearly: item({ payload: (payload) => void (payload.locationId = null) }),
  },
  {
    code: 'payload.field_type',
    what: 'a list for data',
    place: 'body.data',
    has: item({ payload: (payload) => void (payload.data = []) }),
    nearly: closing({ payload: (payload) => void (payload.data = {}) }),
  },
  {
    code: 'payload.field_extra',
    place: 'body.eventId',
    has: item({ payload: (payload) => void (payload.eventId = 'e-1') }),
    nearly: item({ payload: (payload) => void (payload.targetId = null) }),
  },
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
  ].map((time): Case => ({
    code: 'payload.created_at',
    what: JSON.stringify(time),
    place: 'body.createdAt',
    has: item(created(time)),
    nearly: item(created('2028-02-29T23:59:59.000Z')),
  })),
  {
    code: 'payload.created_at',
    what: 'another zone, beside UTC as an offset',
    place: 'body.createdAt',
    has: item(created('2026-03-14T21:00:00.123-00:30')),
    nearly: item(created('2026-03-14T21:00:00.123+00:00')),
  },
  {
    code: 'payload.unknown_type',
    place: 'body.type',
    has: item({ payload: (payload) => void (payload.type = 'TAB_MERGED') }),
  },
  {
    code: 'target.uuid_missing',
    place: 'body.targetUuid',
    has: item({ payload: (payload) => void (payload.targetUuid = null) }),
    nearly: scan({ payload: (payload) => void (payload.targetUuid = null) }),
  },
  {
    code: 'target.id_missing',
    place: 'body.targetId',
    has: category({ payload: (payload) => void delete payload.targetId }),
    nearly: item({ payload: (payload) => void delete payload.targetId }),
  },
  {
    code: 'target.uuid_unexpected',
    what: 'a UUID of a category',
    place: 'body.targetUuid',
    has: category({ payload: (payload) => void (payload.targetUuid = 'c-1') }),
    nearly: category({ payload: (payload) => void delete payload.targetUuid }),
  },
  {
    code: 'target.uuid_unexpected',
    what: 'a UUID of a spot',
    place: 'body.targetUuid',
    has: scan({ payload: (payload) => void (payload.targetUuid = 's-1') }),
    nearly: scan({}),
  },
  {
    code: 'target.id_unexpected',
    place: 'body.targetId',
    has: item({ payload: (payload) => void (payload.targetId = '7') }),
    nearly: item({ payload: (payload) => void (payload.targetId = '') }),
  },
  {
    code: 'data.field_missing',
    what: 'no price',
    place: 'body.data.price',
    has: item({ payload: (_, data) => void delete data.price }),
    nearly: item({ payload: (_, data) => void (data.price = 0) }),
  },
  {
    code: 'data.field_missing',
    what: 'null for a price',
    place: 'body.data.price',
    has: item({ payload: (_, data) => void (data.price = null) }),
    nearly: sampleDelivery('GUEST_VERIFIED', {
      payload: (_, data) => void delete data.oldCustomerId,
    }),
  },
  {
    code: 'data.field_missing',
    what: 'no cause',
    place: 'body.data.cause',
    has: category({ payload: (_, data) => void delete data.cause }),
    nearly: tab({ payload: (_, data) => void delete data.total }),
  },
  {
    code: 'data.field_extra',
    what: 'a tip',
    place: 'body.data.tip',
    has: order({ payload: (_, data) => void (data.tip = 1) }),
    nearly: order({ payload: (_, data) => void (data.total = 1) }),
  },
  {
    code: 'data.field_extra',
    what: 'anything where the API documentation has none',
    place: 'body.data.total',
    has: closing({ payload: (_, data) => void (data.total = 1) }),
    nearly: tab({ payload: (_, data) => void (data.total = 1) }),
  },
  {
    code: 'data.field_extra',
    what: 'another field of a tab that was opened',
    place: 'body.data.guests',
    has: tab({ payload: (_, data) => void (data.guests = 2) }),
    nearly: tab({ payload: (payload) => void delete payload.data }),
  },
  {
    code: 'data.field_type',
    what: 'a text for a number',
    place: 'body.data.price',
    has: item({ payload: (_, data) => void (data.price = '6.50') }),
    nearly: item({ payload: (_, data) => void (data.price = -6.5) }),
  },
  {
    code: 'data.field_type',
    what: 'a number in a list of texts',
    place: 'body.data.tags',
    has: item({ payload: (_, data) => void (data.tags = ['a', 1]) }),
    nearly: item({ payload: (_, data) => void (data.tags = []) }),
  },
  {
    code: 'data.field_type',
    what: 'a text for the cause',
    place: 'body.data.cause',
    has: category({ payload: (_, data) => void (data.cause = 'PRODUCT_UPDATED') }),
    nearly: category({ payload: (_, data) => void (data.cause = {}) }),
  },
  {
    code: 'data.field_type',
    what: 'a text for the total of a tab that was opened',
    place: 'body.data.total',
    has: tab({ payload: (_, data) => void (data.total = '0') }),
    nearly: tab({ payload: (payload) => void (payload.data = {}) }),
  },
  {
    code: 'data.value_new',
    what: 'a tab opened from elsewhere',
    place: 'body.data.openedFrom',
    has: tab({ payload: (_, data) => void (data.openedFrom = 'KIOSK') }),
    nearly: tab({ payload: (_, data) => void (data.openedFrom = 'ACME_MENU') }),
  },
  {
    code: 'data.value_new',
    what: 'a QR code of a table',
    place: 'body.data.type',
    has: scan({ payload: (_, data) => void (data.type = 'TABLE') }),
    nearly: scan({ payload: (_, data) => void (data.type = 'SPOT') }),
  },
  {
    code: 'data.value_new',
    what: 'another cause',
    place: 'body.data.cause.type',
    has: category({ payload: (_, data) => void (data.cause = { type: 'MENU_UPDATED' }) }),
    nearly: category({
      payload: (_, data) => void (data.cause = { type: 'PRODUCT_UPDATED', id: 1 }),
    }),
  },
  ...['yesterday', '2026-03-14', '2026-02-30T21:00:00Z', '1773522000'].map((time): Case => ({
    code: 'data.time',
    what: time,
    place: 'body.data.created',
    has: order({ payload: (_, data) => void (data.created = time) }),
    nearly: order({ payload: (_, data) => void (data.created = '2026-03-14T21:00:00+0200') }),
  })),
  {
    code: 'findings.more',
    place: 'request',
    with: Array.from({ length: 49 }, () => 'payload.field_extra' as const),
    has: item({ payload: (payload) => extras(payload, 100) }),
  },
]

/** Cases for each code, at least one. */
export const findingCases: readonly FindingCase[] = cases.map((one) => ({
  what: one.place,
  nearly: item({}),
  ...one,
}))

export function extras(fields: Record<string, unknown>, count: number): void {
  for (let i = 0; i < count; i += 1) fields[`extra${i}`] = i
}
