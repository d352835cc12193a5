import { failureSql } from '../deliveries/rows.ts'
import type { Cause, Verdict } from '#contract/models.ts'
import { signaturesOf, namedKey, verify } from '../payload/signature/verify.ts'
import { readBody, readDelivery } from '../deliveries/store.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { causesOf, countCauses, countUnlessDamaged } from '../deliveries/health/counts.ts'

const budgetMs = 30

export interface RecheckQuery {
  /** In ascending order. */
  readonly ids: readonly number[]
  readonly endpoints: ReadonlyMap<number, EndpointKeys>
}

export interface EndpointKeys {
  /** In the order in which they are tried. */
  readonly secrets: readonly { readonly name: string; readonly secret: string }[]
  readonly brand: string
}

interface RecheckedVerdict {
  readonly id: number
  readonly verdict: Verdict
  readonly secretName: string | null
  /** False: equals the recorded verdict. */
  readonly changed: boolean
}

export interface Rechecked {
  readonly verdicts: readonly RecheckedVerdict[]
  /** Deliveries with an incomplete body, for which no signature can match. */
  readonly incomplete: number
  readonly handled: number
}

/** Stops at the time limit. Writes nothing. */
export function checkAgain(db: Db, { ids, endpoints }: RecheckQuery): Rechecked {
  const deadline = performance.now() + budgetMs
  const keys = new Map(
    [...endpoints].map(([id, { secrets, brand }]) => [
      id,
      { brand, named: secrets.map(({ name, secret }) => namedKey(name, secret)) },
    ]),
  )
  const verdicts: RecheckedVerdict[] = []
  let incomplete = 0
  let handled = 0
  for (const id of ids) {
    if (handled > 0 && performance.now() > deadline) break
    handled += 1
    const delivery = readDelivery(db, id)
    const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
    if (!delivery || !body) continue
    if (delivery.arrival !== 'complete') {
      incomplete += 1
      continue
    }
    const own = delivery.endpointId === null ? undefined : keys.get(delivery.endpointId)
    const { received } = signaturesOf(delivery, own?.brand)
    const { verdict, secretName } = verify(body.bytes, received, own?.named ?? [])
    const changed = verdict !== delivery.verdict || secretName !== delivery.secretName
    verdicts.push({ id, verdict, secretName, changed })
  }
  return { verdicts, incomplete, handled }
}

const newestCount = 200

/** The name of the secret that verified the newest delivery of an endpoint that any of them verifies; null: there is none among the newest. */
export function readProvenSecret(
  db: Db,
  { endpointId, keys }: { readonly endpointId: number; readonly keys: EndpointKeys },
): string | null {
  const newest = prepare<[number, number], { id: number }>(
    db,
    'SELECT id FROM delivery WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?',
  ).all(endpointId, newestCount)
  const endpoints = new Map([[endpointId, keys]])
  for (const { id } of newest) {
    const [checked] = checkAgain(db, { ids: [id], endpoints }).verdicts
    if (checked?.verdict === 'valid') return checked.secretName
  }
  return null
}

export interface RecheckWrite {
  readonly at: number
  readonly verdicts: readonly RecheckedVerdict[]
}

/** The verdict at arrival is kept in its own column. The causes are to be found again, even if the verdict is the same. */
export function writeRechecks(db: Db, { at, verdicts }: RecheckWrite): void {
  const update = prepare<[string, string | null, number, number]>(
    db,
    `UPDATE delivery SET arrival_verdict = coalesce(arrival_verdict, verdict), verdict = ?, recheck_secret_name = ?, rechecked_us = ?
     WHERE id = ?`,
  )
  const forgetCauses = prepare<[number]>(db, 'UPDATE delivery SET causes = NULL WHERE id = ?')
  const write = db.transaction((counts: boolean) => {
    for (const { id, verdict, secretName, changed } of verdicts) {
      if (counts) countCauses(db, id, readCauses(db, id), [])
      if (changed) update.run(verdict, secretName, Math.round(at * 1000), id)
      forgetCauses.run(id)
    }
  })
  countUnlessDamaged(write)
}

const undiagnosedSql = `causes IS NULL AND ${failureSql}`

export interface Undiagnosed {
  readonly id: number
  readonly endpointId: number | null
}

/** Newest first. */
export function readUndiagnosed(db: Db, limit: number): Undiagnosed[] {
  return prepare<[number], Undiagnosed>(
    db,
    `SELECT id, endpoint_id AS endpointId FROM delivery INDEXED BY delivery_undiagnosed
     WHERE ${undiagnosedSql} ORDER BY id DESC LIMIT ?`,
  ).all(limit)
}

/** Does nothing if the delivery was deleted, or is valid and accepted meanwhile. */
export function writeCauses(
  db: Db,
  { id, causes }: { readonly id: number; readonly causes: readonly Cause[] },
): void {
  const update = prepare<[string, number]>(
    db,
    `UPDATE delivery SET causes = ? WHERE id = ? AND ${failureSql}`,
  )
  const write = db.transaction((counts: boolean) => {
    const before = readCauses(db, id)
    const { changes } = update.run(JSON.stringify(causes), id)
    if (counts && changes > 0) countCauses(db, id, before, causes)
  })
  countUnlessDamaged(write)
}

function readCauses(db: Db, id: number): Cause[] {
  return causesOf(
    prepare<[number], { causes: string | null }>(
      db,
      'SELECT causes FROM delivery WHERE id = ?',
    ).get(id)?.causes ?? null,
  )
}
