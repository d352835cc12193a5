import { createPutRelay } from '#engine/deliveries/relay-store.ts'
import { type Arrival, type Facts, type Finding, type Verdict, arrivals } from '#contract/models.ts'
import { verdicts } from '#contract/constants.ts'
import { prepare } from '#engine/platform/sqlite.ts'
import { delivery, firstUs, take, type GroupItem } from './groups.ts'
import { pick, type Random } from './random-filter.ts'
import { storeItems, indexAll, storeWith, type TestStore } from './test-store.ts'

/** Time of the searches in tests: the time of delivery 9500. */
export const asOf = firstUs / 1000 + 9_500_000

export interface Fact {
  readonly id: number
  readonly receivedUs: number
  readonly method: string
  readonly path: string
  readonly endpointId: number | null
  readonly type: string | null
  readonly target: string | null
  readonly location: string | null
  readonly createdMs: number | null
  readonly verdict: Verdict
  readonly secretName: string | null
  /** Null: never rechecked. */
  readonly atArrival: Verdict | null
  readonly findings: readonly Finding[]
  readonly status: number | null
  readonly arrival: Arrival
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  pinned: boolean
  tags: readonly string[]
  note: string | null
  readonly own: 'forward' | 'send' | null
  readonly answeredBy: 'rule' | 'target' | 'hold' | null
  readonly via: 'tunnel' | 'relay' | null
  /** Of `relays`; null: not via a relay. */
  readonly relay: { readonly name: string; readonly receiver: string } | null
  /** Status of the last attempt; 0: no response. */
  sent: number | null
  readonly facts: Facts | null
  /** Codes; null: not diagnosed. */
  readonly causes: readonly string[] | null
}

/** The position is the ID. */
export const relays = ['Team', 'Other']

export const endpoints = [
  { id: 1, name: 'Sandbox', slug: 'sandbox', integration: { id: 1, name: 'Sandbox' } },
  { id: 2, name: 'Pier Nine', slug: 'pier-9', integration: { id: 2, name: 'Harbour Group' } },
]
export const types = ['OPEN_TAB', 'ORDER_PLACED', 'ITEM_ADDED', 'NEW_ONE', null]
export const places = ['Pier 9', 'Bar “Zoë”', 'pier 9', '100%_', null]
export const targets = ['tab-1', 'tab-2', 'order/7', 'A*B', null]
export const words = ['Fries', 'fries', 'Café', 'pale ale', 'T4 Patio', "it's", '200', '(or)']
export const tags = ['bug', 'Bug', 'ask them', 'a*b']
const findings: readonly Finding[] = [
  { code: 'header.type_mismatch', severity: 'error', location: 'header.type', message: 'a' },
  { code: 'header.missing', severity: 'warning', location: 'header.x', message: 'b' },
  { code: 'body.empty', severity: 'error', location: 'body', message: 'c' },
  { code: 'data.extra', severity: 'info', location: 'data.x', message: 'd' },
]
const values: readonly unknown[] = [
  100,
  100.5,
  99,
  -1,
  0,
  '200',
  '100',
  true,
  false,
  null,
  'Fries',
  '',
  ['Fries', 7],
  [[], [3, 'x']],
  {},
  { x: 200 },
]

const oneOrNone = <T>(random: Random, from: readonly T[]): T | null =>
  random() < 0.5 ? null : pick(random, from)

export const spots = ['T4', 't4', 'Bär 1', 'Patio 9']
export const tabNames = ['Miller', 'Café Nord', 'miller']

function randomFacts(random: Random): Facts | null {
  if (random() < 0.3) return null
  const named = (ids: readonly string[]) =>
    random() < 0.4 ? null : { id: pick(random, ids), name: oneOrNone(random, tabNames) }
  return {
    spot: oneOrNone(random, spots),
    zone: oneOrNone(random, ['Patio', 'Bar']),
    amount: oneOrNone(random, [0, 42.5, 120.01, -3]),
    items: ['Pale Ale', 'Fries', 'Crème'].filter(() => random() < 0.2),
    tab: named(['tab-1', 'tab-2', 'tab-3']),
    order: named(['order-1', 'order-2']),
    guest: named(['guest-1', 'guest-2']),
    openedAt: null,
  }
}

/** A random delivery, with values that often match each other. */
export function randomFact(random: Random, id: number): Fact {
  const type = pick(random, types)
  const target = pick(random, targets)
  const location = pick(random, places)
  const createdMs = random() < 0.2 ? null : firstUs / 1000 + Math.floor(random() * 5) * 4000
  const payload = {
    ...(type === null ? {} : { type }),
    ...(target === null ? {} : { targetUuid: target }),
    ...(location === null ? {} : { locationName: location }),
    ...(createdMs === null ? {} : { createdAt: new Date(createdMs).toISOString() }),
    data: {
      ...(random() < 0.7 ? { total: pick(random, values) } : {}),
      ...(random() < 0.5 ? { name: pick(random, words) } : {}),
      ...(random() < 0.3 ? { 'odd "key\\.': pick(random, values) } : {}),
      ...(random() < 0.3
        ? { items: [{ price: pick(random, values) }, { price: 5 }, 'Fries'] }
        : {}),
      ...(random() < 0.3 ? { tabUuid: pick(random, ['tab-1', 'tab-9', 7]) } : {}),
    },
  }
  const body =
    random() < 0.05
      ? pick(random, [
          '',
          '[{"data":{"total":100}}]',
          '{"data":{"total":100',
          '"Fries"',
          '\u{FEFF}{"data":{"total":100}}',
        ])
      : JSON.stringify(payload, null, random() < 0.1 ? 2 : 0)
  const via = random() < 0.3 ? (id % 5 < 2 ? 'relay' : 'tunnel') : null
  return {
    id,
    // Clocks sometimes go back.
    receivedUs: firstUs + id * 1_000_000 - (random() < 0.01 ? 30_000_000 : 0),
    method: pick(random, ['POST', 'POST', 'GET', 'post']),
    path: pick(random, ['/hooks/sandbox', '/hooks/pier-9?x=1', '/elsewhere', '/a*b']),
    endpointId: pick(random, [1, 1, 2, 3, null]),
    type,
    target,
    location,
    createdMs,
    verdict: pick(random, verdicts),
    secretName: pick(random, ['current', 'previous', null]),
    atArrival: random() < 0.2 ? pick(random, verdicts) : null,
    findings: findings.filter(() => random() < 0.2),
    status: pick(random, [200, 200, 404, 500, null]),
    arrival: random() < 0.9 ? 'complete' : pick(random, arrivals),
    headers: [
      ['Host', '127.0.0.1'],
      ['X-Service-Event-Type', type ?? ''],
      ['x-id', pick(random, ['app-1', 'app-2', 'A,b', 'Zoë'])],
      ...(random() < 0.3 ? ([['X-ID', 'app-3']] as const) : []),
    ],
    body,
    pinned: random() < 0.1,
    tags: tags.filter(() => random() < 0.1),
    note: random() < 0.1 ? pick(random, ['Ask THEM about it', 'wrong total', 'a*b']) : null,
    own: random() < 0.2 ? pick(random, ['forward', 'send']) : null,
    answeredBy: random() < 0.2 ? pick(random, ['rule', 'target', 'hold']) : null,
    via,
    relay:
      via === 'relay'
        ? { name: relays[id % 11] ?? 'Team', receiver: id % 7 === 0 ? 'pier' : 'gate' }
        : null,
    facts: randomFacts(random),
    causes: oneOrNone(random, [[], ['secret.white_space'], ['body.pretty', 'header.brand']]),
    sent: random() < 0.4 ? pick(random, [200, 204, 301, 401, 404, 500, 503, 0]) : null,
  }
}

function itemOf(fact: Fact): GroupItem {
  const { id, receivedUs, method, path, endpointId, arrival, status, type, target, location } = fact
  const { createdMs, verdict, secretName, findings, own, answeredBy, via } = fact
  return delivery(id, {
    receivedUs,
    method,
    path,
    endpointId,
    arrival,
    status,
    type,
    target,
    locationName: location,
    createdAt: createdMs,
    verdict,
    secretName,
    findings,
    sentBy: own,
    respondedBy: answeredBy,
    via,
    facts: fact.facts,
    // As received: one character per byte.
    headers: Buffer.from(fact.headers.flat().join('\n')).toString('latin1'),
    body: Buffer.from(fact.body),
  })
}

export function storeOf(facts: readonly Fact[]): TestStore {
  const store = storeWith()
  fill(store, facts)
  return store
}

/** Adds deliveries to an empty store. */
export function fill(store: TestStore, facts: readonly Fact[]): void {
  const { db } = store
  Object.assign(store, { ingest: storeItems(db, facts.map(itemOf)) })
  db.exec('DELETE FROM endpoint')
  for (const { id, name, slug, integration } of endpoints) {
    prepare<[number, string]>(
      db,
      "INSERT INTO integration (id, name, brand, base_url) VALUES (?, ?, 'Service', '') ON CONFLICT DO UPDATE SET name = excluded.name",
    ).run(integration.id, integration.name)
    prepare<[number, number, string, string]>(
      db,
      `INSERT INTO endpoint (id, integration_id, name, slug, application_id, custom_headers)
       VALUES (?, ?, ?, ?, '', '[]')`,
    ).run(id, integration.id, name, slug)
  }
  db.transaction(() => facts.forEach((fact) => mark(store, fact)))()
  indexAll(store)
}

/** Adds further deliveries, by default with indexing. */
export function add(store: TestStore, facts: readonly Fact[], index = true): void {
  take(store.ingest, facts.map(itemOf))
  if (index) indexAll(store)
}

export function mark({ db }: TestStore, fact: Fact): void {
  const { id, pinned, tags, note, sent, causes, relay } = fact
  db.prepare('DELETE FROM relay_delivery WHERE delivery_id = ?').run(id)
  if (relay) {
    const { name, receiver } = relay
    createPutRelay(db)(id, {
      id: relays.includes(name) ? relays.indexOf(name) + 1 : id + relays.length,
      name,
      receiver,
      position: id,
    })
  }
  db.prepare(
    'UPDATE delivery SET causes = ?, sent = ?, pinned = ?, tags = ?, noted = ? WHERE id = ?',
  ).run(
    causes && JSON.stringify(causes.map((code) => ({ code, where: 'here' }))),
    sent,
    pinned ? 1 : 0,
    tags.length > 0 ? JSON.stringify(tags) : null,
    note === null ? 0 : 1,
    id,
  )
  if (fact.atArrival !== null) {
    db.prepare(
      'UPDATE delivery SET arrival_verdict = ?, rechecked_us = received_us, recheck_secret_name = ? WHERE id = ?',
    ).run(fact.atArrival, fact.secretName, id)
  }
  db.prepare('DELETE FROM delivery_tag WHERE delivery_id = ?').run(id)
  db.prepare('DELETE FROM delivery_note WHERE delivery_id = ?').run(id)
  for (const tag of tags) db.prepare('INSERT INTO delivery_tag VALUES (?, ?)').run(tag, id)
  if (note !== null) db.prepare('INSERT INTO delivery_note VALUES (?, ?)').run(id, note)
}
