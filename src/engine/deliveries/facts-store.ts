import type { Facts } from '#contract/models.ts'
import { type Db, insertInto, prepare, type SqlValue } from '../platform/sqlite.ts'

export const factColumns = [
  'spot',
  'zone',
  'amount',
  'items',
  'tab_id',
  'order_id',
  'guest_id',
] as const

/** The columns of `delivery`. */
export function factValues(facts: Facts | null): Record<(typeof factColumns)[number], SqlValue> {
  return {
    spot: facts?.spot ?? null,
    zone: facts?.zone ?? null,
    amount: facts?.amount ?? null,
    items: facts && facts.items.length > 0 ? facts.items.join('\n') : null,
    tab_id: facts?.tab?.id ?? null,
    order_id: facts?.order?.id ?? null,
    guest_id: facts?.guest?.id ?? null,
  }
}

interface Mentioning {
  readonly id: number
  readonly facts: Facts | null
  readonly createdAt: number | null
}

/** Returns a function that stores what a delivery says about its tab, order and guest, after its row. */
export function createMentions(db: Db): (delivery: Mentioning) => void {
  const put = prepare<[Record<string, SqlValue>]>(
    db,
    `INSERT INTO mention (kind, id, delivery_id, name, spot, created_ms, tab_id)
     VALUES ($kind, $id, $deliveryId, $name, $spot, $createdMs, $tabId)
     ON CONFLICT DO UPDATE SET delivery_id = excluded.delivery_id, name = excluded.name, spot = excluded.spot, created_ms = excluded.created_ms,
       tab_id = excluded.tab_id`,
  )
  const putSpot = insertInto(db, 'mention', ['kind', 'id', 'delivery_id', 'spot'], 'IGNORE')
  return ({ id: deliveryId, facts, createdAt }) => {
    if (!facts) return
    const { spot, tab } = facts
    for (const kind of ['tab', 'order', 'guest'] as const) {
      const named = facts[kind]
      if (named === null) continue
      const { id, name } = named
      const tabId = kind === 'order' ? (tab?.id ?? null) : null
      if (name !== null) put.run({ kind, id, deliveryId, name, spot, createdMs: createdAt, tabId })
      else if (spot !== null) putSpot({ kind, id, delivery_id: deliveryId, spot })
    }
  }
}
