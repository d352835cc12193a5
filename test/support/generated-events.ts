import { eventTypes } from '#catalogue/catalogue.ts'
import { samplePayload } from '#catalogue/define.ts'
import type { Payload } from '#catalogue/payload.ts'
import { buildModel, type PayloadModel } from '#engine/handlers/generate/model.ts'
import { observe, type Observed } from '#engine/handlers/generate/observed.ts'
import { seeded } from '#sandbox/random.ts'
import { sampleSource } from '#sandbox/steps.ts'

const now = new Date('2026-03-14T21:09:00.123Z')

export function samples(): Payload[] {
  const source = sampleSource(seeded(7), 'Acme', now)
  return eventTypes.map((eventType) => samplePayload(eventType, source))
}

interface Case {
  readonly body: string
  /** `unfit`: of a known type, but without its properties; `none`: no event. */
  readonly is: 'known' | 'unfit' | 'unknown' | 'none'
}

const tab = (data: unknown, more: object = {}): object => ({
  type: 'OPEN_TAB',
  createdAt: now.toISOString(),
  ...more,
  data,
})
const order = (changes: object): object => {
  const sample = samples().find(({ type }) => type === 'ORDER_PLACED')
  return { ...sample, data: { ...Object(sample?.data), ...changes } }
}
const dataKeys = Object.keys(Object(samples().find(({ type }) => type === 'ORDER_PLACED')?.data))
const event = (type: string, data: unknown): object => ({ ...tab(data), type })
const as = (is: Case['is'], bodies: readonly (string | object)[]): Case[] =>
  bodies.map((body) => ({ is, body: typeof body === 'string' ? body : JSON.stringify(body) }))

/** `total` with its digits as they are written. */
const total = (digits: string): string =>
  JSON.stringify(tab({ total: 0 })).replace('"total":0', `"total":${digits}`)

/** Bodies for types that are generated from the documentation. */
export const corpus: readonly Case[] = [
  ...as('known', samples()),
  ...as('known', [
    tab({ openedFrom: 'Somewhere else', name: 'Zoë \u{1F37A} \u2028 "\\' }),
    tab({ name: null, total: null }, { targetId: null, futureField: [{}] }),
    '{"__proto__":{"type":1},"type":"OPEN_TAB","createdAt":"2026-03-14T21:09:00Z","data":{"__proto__":[]}}',
    tab(null),
    tab(undefined),
    event('CLOSE_TAB', undefined),
    event('CLOSE_TAB', { anything: [null, { deep: {} }] }),
    event('CATEGORY_UPDATED', { cause: { type: 'SOMETHING_ELSE' } }),
    ...['12.50', '1.25e1', '9007199254740993', '-0', '0.1e-7'].map(total),
  ]),
  ...as('unfit', [
    event('ORDER_PLACED', {}),
    event('ORDER_PLACED', null),
    event('ORDER_PLACED', undefined),
    event('ORDER_PLACED', Object.fromEntries(dataKeys.map((key) => [key, null]))),
    order({ total: null }),
    order({ total: '15.50' }),
    order({ orderName: 12 }),
    order({ scheduled: 1 }),
    order({ itemNames: 'Fries' }),
    order({ itemNames: [null] }),
    order({ itemNames: [1] }),
    tab([1]),
    tab('text'),
    tab({ total: true }),
    event('CATEGORY_UPDATED', { cause: null }),
    { type: 'OPEN_TAB', data: {} },
    { type: 'OPEN_TAB', createdAt: 1, data: {} },
  ]),
  ...as('unknown', [event('TAB_MERGED', { id: 12.5 }), { type: 'N' }, { type: '' }]),
  ...as('none', ['', '{', '[]', 'null', '"OPEN_TAB"', '{}', '{"type":1}', '{"type":null}']),
]

export const documentedModel = (types: readonly string[] = []): PayloadModel =>
  buildModel({ version: '1.2.3', brand: 'Acme', types, observation: null })

/** Names that are reserved in some language, or equal in its spelling, or no identifiers. */
const awkwardKeys =
  `class default func type range interface def None self this namespace fun val object record var string str list dict Decimal
  __proto__ constructor prototype toString equals hashCode getClass GetType clone Clone copy json schema model_config from_json parse wait
  value key data Data fromArray EqualityContract $key @type a-b a_b aB a.b:c _ _private x1 items count`.split(
    /\s+/,
  )

const common = { Type: 'a', Data: 'b', eventType: 'c', class: 'd', 'x-id': 'e', EventBase: 'f' }
const awkward = Object.fromEntries(awkwardKeys.map((key) => [key, 'text']))

/** What was observed of types that are hard to write. */
export const observedPayloads: readonly object[] = Array.from({ length: 24 }, (_, index) => [
  ...samples(),
  { ...tab({ name: index % 2 ? 'a' : 7, extra: { deep: [{ n: index }, {}] } }), meta: { a: 1 } },
  event('STRING', { $: { name: 'x' }, rows: [{ a: 1 }, { b: [true] }], nothing: null, empty: [] }),
  event('A_B', awkward),
  event('AB', { byGuest: { '+31 6 1234 5678': { total: index }, 'b@x.example': { total: 1 } } }),
  event('LIST', { texts: ['a', null], mixed: [1, 'a'], nested: [[1.5], []], o: { o: { o: {} } } }),
  event('QUOTED', {
    total: 1,
    'with space': 1,
    '2nd': 'a',
    Имя: 'b',
    имя: 1,
    'naïve & co.': [{ '%': 1 }],
  }),
  { ...common, ...event('OBJECT', { Object_data: { openTabData: 'x' } }) },
]).flat()

const hostileBrand = `O'Neil "\\ */ \${x}`

export function observedModel(brand = hostileBrand): PayloadModel {
  const observed: Observed = {}
  for (const payload of observedPayloads) {
    // Without what is undefined.
    observe(observed, JSON.parse(JSON.stringify(payload)))
  }
  const observation = { observed, payloads: observedPayloads.length, isPart: true }
  return buildModel({ version: '1.2.3', brand, types: [], observation })
}
