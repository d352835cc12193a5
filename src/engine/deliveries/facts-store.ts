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

/** For `SELECT … FROM delivery`: what other deliveries say. Orders are counted for closed tabs only. */
export const factsSql = `
  (SELECT json_array(name, spot, created_ms) FROM mention WHERE kind = 'tab' AND mention.id = delivery.tab_id) AS tab_mention,
  (SELECT name FROM mention WHERE kind = 'order' AND mention.id = delivery.order_id) AS order_name,
  (SELECT name FROM mention WHERE kind = 'guest' AND mention.id = delivery.guest_id) AS guest_name,
  CASE WHEN delivery.type = 'CLOSE_TAB' THEN (SELECT count(*) FROM mention WHERE mention.tab_id = delivery.tab_id) END AS tab_orders`

export interface FactsRow {
  readonly spot: string | null
  readonly zone: string | null
  readonly amount: number | null
  readonly items: string | null
  readonly tab_id: string | null
  readonly order_id: string | null
  readonly guest_id: string | null
  readonly tab_mention: string | null
  readonly order_name: string | null
  readonly guest_name: string | null
  readonly tab_orders: number | null
}

type TabMention = [name: string | null, spot: string | null, createdMs: number | null]

export function factsOfRow(row: FactsRow): Facts | null {
  const { spot, zone, amount, items, tab_id: tab, order_id: order, guest_id: guest } = row
  if ((spot ?? zone ?? amount ?? items ?? tab ?? order ?? guest) === null) return null
  const mention: TabMention =
    row.tab_mention === null ? [null, null, null] : JSON.parse(row.tab_mention)
  const [tabName, tabSpot, openedAt] = mention
  return {
    spot: spot ?? tabSpot,
    zone,
    amount,
    items: items === null ? [] : items.split('\n'),
    tab: tab === null ? null : { id: tab, name: tabName },
    order: order === null ? null : { id: order, name: row.order_name },
    guest: guest === null ? null : { id: guest, name: row.guest_name },
    opened:
      row.tab_orders === null || tabName === null ? null : { at: openedAt, orders: row.tab_orders },
  }
}
