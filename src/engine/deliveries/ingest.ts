import { hash } from 'node:crypto'
import type { Facts } from '#contract/models.ts'
import { systemCodeOf } from '#shared/text/errors.ts'
import type {
  Group,
  GroupResponses,
  LateResponse,
  NewDelivery,
  RelayedDelivery,
  RelayedGroup,
  RelayedResult,
} from './groups.ts'
import {
  countUnlessDamaged,
  createCounting,
  type CountedDelivery,
  type Counting,
} from './health/counts.ts'
import { type Db, insertInto, prepare, type SqlValue } from '../platform/sqlite.ts'
import { createRelayedRows } from './relay-store.ts'
import { createFindingsStore, type FindingsStore } from './findings-store.ts'

export interface Tally {
  readonly lastId: number
  readonly deliveries: number
  /** Heads and bodies. */
  readonly bytes: number
}

export interface Ingest {
  /** One transaction. The deliveries get sequential IDs from `firstId` on. `responded`: the IDs whose response is known now. */
  take(group: Group): { readonly firstId: number; readonly responded: number[] }
  /** They were deleted elsewhere (retention, clearing). */
  forget(deliveries: number, bytes: number): void
  /** Writes and changes nothing. Throws if the store is not writable. */
  probe(): void
  tally(): Tally
  /** As `take`, with the position: both or neither. */
  takeRelayed(group: RelayedGroup): RelayedResult
  readonly findings: FindingsStore
}

const factColumns = [
  'spot',
  'zone',
  'amount',
  'items',
  'tab_id',
  'tab_name',
  'order_id',
  'order_name',
  'guest_id',
  'guest_name',
] as const

const columns = [
  'id',
  'received_us',
  'method',
  'path',
  'endpoint_id',
  'type',
  'title',
  'target',
  'location_name',
  'created_ms',
  'verdict',
  'findings',
  'status',
  'bytes',
  'sha256',
  'arrival',
  'sent_by',
  'responded_by',
  'via',
  'finding_list_id',
  ...factColumns,
] as const

/** The columns of `delivery` with what it is about. */
export function factValues(facts: Facts | null): Record<(typeof factColumns)[number], SqlValue> {
  const { tab, order, guest } = facts ?? {}
  return {
    spot: facts?.spot ?? null,
    zone: facts?.zone ?? null,
    amount: facts?.amount ?? null,
    items: facts && facts.items.length > 0 ? facts.items.join('\n') : null,
    tab_id: tab?.id ?? null,
    tab_name: tab?.name ?? null,
    order_id: order?.id ?? null,
    order_name: order?.name ?? null,
    guest_id: guest?.id ?? null,
    guest_name: guest?.name ?? null,
  }
}

export const contentColumns = [
  'id',
  'http_version',
  'remote_address',
  'endpoint_name',
  'brand',
  'secret_name',
  'reason',
  'headers',
  'trailers',
  'body',
] as const

export function contentRow(
  id: number,
  delivery: Pick<
    NewDelivery,
    | 'httpVersion'
    | 'remoteAddress'
    | 'endpointName'
    | 'brand'
    | 'secretName'
    | 'reason'
    | 'headers'
    | 'trailers'
  >,
  body: Uint8Array,
): Record<(typeof contentColumns)[number], SqlValue> {
  return {
    id,
    http_version: delivery.httpVersion,
    remote_address: delivery.remoteAddress,
    endpoint_name: delivery.endpointName,
    brand: delivery.brand,
    secret_name: delivery.secretName,
    reason: delivery.reason,
    headers: delivery.headers,
    trailers: delivery.trailers,
    body,
  }
}

function createInsert(
  db: Db,
  findings: FindingsStore,
): (id: number, delivery: Omit<NewDelivery, 'body'>, body: Uint8Array) => void {
  const insertDelivery = insertInto(db, 'delivery', columns)
  const insertContent = insertInto(db, 'delivery_content', contentColumns)
  return (id, delivery, body) => {
    const { type } = delivery
    const stored = findings.put(type, delivery.findings)
    insertDelivery({
      id,
      received_us: delivery.receivedUs,
      method: delivery.method,
      path: delivery.path,
      endpoint_id: delivery.endpointId,
      type,
      title: delivery.title,
      target: delivery.target,
      location_name: delivery.locationName,
      created_ms: delivery.createdAt,
      verdict: delivery.verdict,
      findings: stored.findings,
      status: delivery.status,
      bytes: delivery.bytes,
      sha256: hash('sha256', body, 'buffer'),
      arrival: delivery.arrival,
      sent_by: delivery.sentBy,
      responded_by: delivery.respondedBy,
      via: delivery.via,
      finding_list_id: stored.listId,
      ...factValues(delivery.facts),
    })
    insertContent(contentRow(id, delivery, body))
  }
}

export function createIngest(db: Db): Ingest {
  return new GroupIngest(db)
}

class GroupIngest implements Ingest {
  readonly findings: FindingsStore
  readonly #insert: ReturnType<typeof createInsert>
  readonly #counting: Counting
  readonly #relayed: ReturnType<typeof createRelayedRows>
  readonly #saveTally
  readonly #saveResponses
  readonly #takeGroup
  readonly #takeRelayed
  /** Of a relay, while it is stored. */
  #current: RelayedDelivery | null = null
  #tally: Tally
  #next: Tally
  #counts = true

  constructor(db: Db) {
    this.findings = createFindingsStore(db)
    this.#insert = createInsert(db, this.findings)
    this.#counting = createCounting(db)
    this.#relayed = createRelayedRows(db)
    this.#saveTally = prepare<[Tally]>(
      db,
      'UPDATE progress SET last_id = $lastId, deliveries = $deliveries, bytes = $bytes',
    )
    this.#saveResponses = createResponses(db)
    this.#takeGroup = db.transaction((group: Group) => this.#storeGroup(db, group))
    this.#takeRelayed = db.transaction((group: RelayedGroup, refused: readonly RelayedDelivery[]) =>
      this.#storeRelayed(group, refused),
    )
    this.#tally = readTally(db)
    this.#next = this.#tally
  }

  take(group: Group): { firstId: number; responded: number[] } {
    const firstId = this.#tally.lastId + 1
    return { firstId, responded: this.#kept(() => this.#takeGroup(group)) }
  }

  takeRelayed(group: RelayedGroup): RelayedResult {
    const refused: RelayedDelivery[] = []
    for (;;) {
      try {
        const ids = this.#kept(() => this.#takeRelayed(group, refused))
        return { ids, refused: positionsOf(refused) }
      } catch (error) {
        if (this.#current === null || !isOfValue(error)) throw error
        refused.push(this.#current)
      }
    }
  }

  forget(deliveries: number, bytes: number): void {
    this.#tally = {
      ...this.#tally,
      deliveries: Math.max(0, this.#tally.deliveries - deliveries),
      bytes: Math.max(0, this.#tally.bytes - bytes),
    }
    this.probe()
  }

  probe(): void {
    this.#saveTally.run(this.#tally)
  }

  tally(): Tally {
    return this.#tally
  }

  #kept<T>(transaction: () => T): T {
    return countUnlessDamaged((counts) => {
      this.#counts = counts
      this.#next = this.#tally
      try {
        const result = transaction()
        this.#tally = this.#next
        this.findings.keep()
        return result
      } catch (error) {
        this.findings.rollBack()
        throw error
      }
    })
  }

  #storeGroup(db: Db, group: Group): number[] {
    const { deliveries, bodies } = group
    const responded = this.#saveResponses(group)
    let at = 0
    for (const delivery of deliveries) {
      let { body } = delivery
      if (typeof body === 'number') {
        const end = at + body
        body = bodies.subarray(at, end)
        at = end
      }
      this.#store(delivery, body)
    }
    this.#count(deliveries)
    return responded
  }

  #storeRelayed(group: RelayedGroup, refused: readonly RelayedDelivery[]): number[] {
    let at = 0
    const ids: number[] = []
    const stored: RelayedDelivery[] = []
    for (const delivery of group.deliveries) {
      const body = group.bodies.subarray(at, at + delivery.storedBytes)
      at += delivery.storedBytes
      this.#current = delivery
      if (refused.includes(delivery) || this.#relayed.has(delivery.uid)) continue
      const id = this.#store(delivery, body)
      this.#relayed.put(id, group, delivery)
      ids.push(id)
      stored.push(delivery)
    }
    this.#current = null
    this.#relayed.advance(group, group.skipped + positionsOf(refused).length)
    this.#count(stored)
    return ids
  }

  #store(delivery: Omit<NewDelivery, 'body'>, body: Uint8Array): number {
    const id = this.#next.lastId + 1
    this.#insert(id, delivery, body)
    this.#next = {
      lastId: id,
      deliveries: this.#next.deliveries + 1,
      bytes: this.#next.bytes + delivery.headers.length + body.byteLength,
    }
    return id
  }

  #count(deliveries: readonly CountedDelivery[]): void {
    if (deliveries.length === 0) return
    if (this.#counts) this.#counting.deliveries(deliveries)
    this.#saveTally.run(this.#next)
  }
}

/** Of their messages. */
function positionsOf(deliveries: readonly RelayedDelivery[]): number[] {
  return [...new Set(deliveries.map(({ position }) => position))]
}

/** Of a type that the column or SQLite does not have: no fault of the store. */
function isOfValue(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    /^SQLITE_(?:CONSTRAINT_(?:DATATYPE|NOTNULL|CHECK)|MISMATCH|TOOBIG)$/.test(systemCodeOf(error))
  )
}

function readTally(db: Db): Tally {
  const row = prepare<[], Tally>(
    db,
    'SELECT last_id AS lastId, deliveries, bytes FROM progress',
  ).get()
  if (!row) throw new Error('the store has no progress row')
  return row
}

function createResponses(db: Db): (group: Pick<Group, 'responses' | 'late'>) => number[] {
  const saveAll = prepare<[GroupTimes]>(
    db,
    'UPDATE delivery SET responded_us = max(0, $atUs - received_us) WHERE id BETWEEN $from AND $to AND status IS NOT NULL',
  )
  // If there was no status before, the decision not to respond stays as it is.
  const saveLost = prepare<[number]>(
    db,
    `UPDATE delivery SET responded_us = NULL, status = NULL, responded_by = CASE WHEN status IS NULL THEN responded_by END
     WHERE id = ?`,
  )
  const saveLate = prepare<[Omit<LateResponse, 'atUs' | 'reason'> & { atUs: number | null }]>(
    db,
    'UPDATE delivery SET responded_us = max(0, $atUs - received_us), status = $status, responded_by = $respondedBy WHERE id = $id',
  )
  const saveReason = prepare<[string, number]>(
    db,
    'UPDATE delivery_content SET reason = ? WHERE id = ?',
  )
  return ({ responses, late }) => {
    const ids = new Set<number>()
    for (const { from, to, atUs, lost } of responses) {
      saveAll.run({ from, to, atUs })
      for (const id of lost) saveLost.run(id)
      for (let id = from; id <= to; id += 1) ids.add(id)
    }
    for (const { id, atUs, status, respondedBy, reason } of late) {
      saveLate.run({ id, status, respondedBy, atUs: status === null ? null : atUs })
      if (reason !== null) saveReason.run(reason, id)
      ids.add(id)
    }
    return [...ids]
  }
}

type GroupTimes = Pick<GroupResponses, 'from' | 'to' | 'atUs'>
