import { type Header } from '#contract/models.ts'
import { eventTypes } from '../catalogue.ts'
import { type Payload } from '../payload.ts'
import { casesOf, unknownEventType, variant } from '../rehearsal/define.ts'

const optional = ['locationUuid', 'locationName', 'locationId'] as const

const extra = { apiVersion: '2', trace: { id: null, parents: [] } }

const renamed =
  (rename: (name: string) => string) =>
  (headers: readonly Header[]): Header[] =>
    headers.map(([name, value]) => [rename(name), value])

export default casesOf('events', [
  {
    id: 'G1',
    title: 'Each event type',
    level: 'MUST',
    basis: 'Event catalogue',
    expected: 'Accept',
    why: 'An event type that is not accepted is lost: the API documentation does not describe retries.',
    fix: 'tolerate-fields',
    variants: (builder) =>
      eventTypes.map(({ type }) => variant(type, [builder.deliver(builder.event(type))], 'accept')),
  },
  {
    id: 'G2',
    title: 'Optional payload fields absent',
    level: 'MUST',
    basis: 'Common payload',
    quote:
      'UUID of the targeted resource, present only when the event targets a resource that has a UUID.',
    expected: 'Accept',
    why: 'A handler that requires an optional field loses every event without it, such as an order whose location has no name.',
    fix: 'tolerate-fields',
    variants: (builder) => {
      const without = (fields: readonly (keyof Payload)[]) =>
        builder.event('ORDER_PLACED', Object.fromEntries(fields.map((key) => [key, undefined])))
      return [
        ...optional.map((key) =>
          variant(`without ${key}`, [builder.deliver(without([key]))], 'accept'),
        ),
        variant('without a location', [builder.deliver(without(optional))], 'accept'),
      ]
    },
  },
  {
    id: 'G3',
    title: 'Targets without a UUID',
    level: 'MUST',
    basis: 'Event catalogue',
    quote: '`targetUuid` is null (categories have no UUID); `targetId` = category ID.',
    expected: 'Accept',
    why: 'A handler that looks up every target by its UUID never sees a changed category or a scanned code, and shows old prices.',
    fix: 'tolerate-fields',
    variants: (builder) => [
      variant(
        'CATEGORY_UPDATED with targetUuid null',
        [builder.deliver(builder.event('CATEGORY_UPDATED', { targetUuid: null }))],
        'accept',
      ),
      // The table of the common payload: present only when the event targets a resource that has a UUID.
      variant(
        'CATEGORY_UPDATED without targetUuid',
        [builder.deliver(builder.event('CATEGORY_UPDATED', { targetUuid: undefined }))],
        'accept',
      ),
      variant(
        'QR_SCANNED without targetUuid',
        [builder.deliver(builder.event('QR_SCANNED', { targetUuid: undefined }))],
        'accept',
      ),
    ],
  },
  {
    id: 'G4',
    title: 'OPEN_TAB with and without data',
    level: 'MUST',
    basis: 'OPEN_TAB note',
    quote:
      'The fields listed below are the definition; a test should not assert that OPEN_TAB data is empty.',
    expected: 'Accept both',
    why: 'The API documentation contradicts itself here. A handler that follows only one of its tables loses opened tabs, and bills them to nobody.',
    fix: 'tolerate-fields',
    variants: (builder) => [
      variant('with data', [builder.deliver(builder.event('OPEN_TAB'))], 'accept'),
      variant('with {}', [builder.deliver(builder.event('OPEN_TAB', { data: {} }))], 'accept'),
    ],
  },
  {
    id: 'G5',
    title: 'Extra fields and empty values',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept',
    why: 'The service can add a field at any time. A handler with a strict schema then rejects every event. An order of 0.00, or without a name, is still an order.',
    fix: 'tolerate-fields',
    variants: (builder) => {
      const event = builder.event()
      const data: Record<string, unknown> = { ...Object(event.data) }
      const changed = (changes: Record<string, unknown>) =>
        builder.deliver({ ...builder.event(), data: { ...data, ...changes } })
      return [
        variant(
          'extra fields',
          [
            builder.deliver({
              ...event,
              ...extra,
              data: { ...data, discount: { kind: 'none', amount: 0 }, course: null },
            }),
          ],
          'accept',
        ),
        variant('zero', [changed({ total: 0 })], 'accept'),
        variant(
          'empty strings',
          [changed({ orderName: '', zoneName: '', spotName: '', zoneGroupName: '' })],
          'accept',
        ),
        variant(
          'empty lists',
          [changed({ zoneTags: [], itemNames: [], itemTags: [], categoryNames: [] })],
          'accept',
        ),
      ]
    },
  },
  {
    id: 'G6',
    title: 'An unknown event type',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept, without an effect',
    why: 'A new event type must not be processed as another one, which could charge or change something by mistake. An error can make the service disable the webhook.',
    fix: 'dispatch-on-body',
    needsObserver: true,
    variants: (builder) => [
      variant('unknown type', [builder.deliver(builder.event(unknownEventType))], 'accept', {
        effects: { exactly: 0 },
      }),
    ],
  },
  {
    id: 'G7',
    title: 'Case and order of headers',
    level: 'MUST',
    basis: 'RFC 9110, Delivery headers',
    quote: 'Custom headers configured on the dashboard are sent in addition to the headers below.',
    expected: 'Accept',
    why: 'Proxies and HTTP/2 change the case and order of header names. A handler that compares them exactly rejects every event behind such a proxy.',
    fix: 'transport',
    variants: (builder) => [
      variant(
        'lower case',
        [builder.deliver(builder.event(), { headers: renamed((name) => name.toLowerCase()) })],
        'accept',
      ),
      variant(
        'upper case',
        [builder.deliver(builder.event(), { headers: renamed((name) => name.toUpperCase()) })],
        'accept',
      ),
      variant(
        'reversed order',
        [builder.deliver(builder.event(), { headers: (headers) => headers.toReversed() })],
        'accept',
      ),
    ],
  },
])
