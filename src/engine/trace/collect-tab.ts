import { idsOf } from '#catalogue/ids.ts'
import { collectNear } from './near.ts'
import type { TraceSource } from './trace-source.ts'
import type { Collected } from './build.ts'
import { Gathering } from './gathering.ts'
import { dataId, sameLocation, targetOf, type Traced } from './traced.ts'

/** An id by which something belongs to a tab that does not name the tab itself. */
interface Follow {
  readonly role: 'order' | 'item' | 'tabId'
  readonly value: string
  /** The delivery that it was seen in. */
  readonly from: Traced
}

/**
 * The life of a tab: every delivery that mentions its UUID; then those that mention an order, an item or a tab id of these by the same
 * value, as long as they name no other tab and no other location. That `orderId` of an item means what `targetUuid` of an order means is
 * not in the document, so the value alone ties, and is said to.
 */
export function collectTab(source: TraceSource, id: string, from: Traced): Collected {
  const around = from.row.id
  const gathering = new Gathering(around)
  const mentions = source.mentioning(id, { around, most: gathering.limit })
  gathering.cut ||= mentions.cut
  for (const traced of [from, ...mentions.found]) {
    const mention = idsOf(traced.payload).find((one) => one.id === id)
    if (mention) gathering.tie(traced, mention.field)
  }
  const direct = gathering.tied()
  follow(source, gathering, direct, (traced) => {
    const other = dataId(traced.payload, 'tabUuid')
    return other === null || other === id
  })
  const near = collectNear(source, gathering.tied())
  return {
    subject: { kind: 'tab', id },
    placed: [...gathering.tied(), ...near.placed.filter(({ row }) => !gathering.has(row.id))],
    notes: [...gathering.notes(), ...near.notes],
    truncated: gathering.truncated(),
  }
}

/** The life of an order whose tab is not known: the order itself, and items that give its id, by the same value. */
export function collectOrder(source: TraceSource, id: string, from: Traced): Collected {
  const gathering = new Gathering(from.row.id)
  followOne(source, gathering, { role: 'order', value: id, from }, () => true)
  follow(source, gathering, gathering.tied(), () => true)
  return {
    subject: { kind: 'order', id },
    placed: gathering.tied(),
    notes: gathering.notes(),
    truncated: gathering.truncated(),
  }
}

/** The life of an item that names neither tab nor order. */
export function collectItem(source: TraceSource, id: string, from: Traced): Collected {
  const gathering = new Gathering(from.row.id)
  followOne(source, gathering, { role: 'item', value: id, from }, () => true)
  return {
    subject: { kind: 'item', id },
    placed: gathering.tied(),
    notes: gathering.notes(),
    truncated: gathering.truncated(),
  }
}

function follow(
  source: TraceSource,
  gathering: Gathering,
  seeds: readonly Traced[],
  fits: (traced: Traced) => boolean,
): void {
  const values = new Map<string, Follow>()
  for (const from of seeds) {
    for (const { role, value } of valuesOf(from)) {
      const key = `${role} ${value}`
      if (!values.has(key)) values.set(key, { role, value, from })
    }
  }
  for (const value of values.values()) followOne(source, gathering, value, fits)
}

function followOne(
  source: TraceSource,
  gathering: Gathering,
  { role, value, from }: Follow,
  fits: (traced: Traced) => boolean,
): void {
  const { found, cut } = source.mentioning(value, {
    around: gathering.around,
    most: gathering.limit,
    wanted: ({ type, id }) => !gathering.has(id) && isOfTab(type),
  })
  gathering.cut ||= cut
  const given = valuesOf(from).find((one) => one.role === role && one.value === value)
  for (const traced of gathering.has(from.row.id) ? found : [from, ...found]) {
    const same = valuesOf(traced).find((one) => one.role === role && one.value === value)
    if (!same || !fits(traced) || sameLocation(from.payload, traced.payload) === false) continue
    const alike = same.field === given?.field
    gathering.tie(
      traced,
      alike ? same.field : `${same.field}, by the same value as ${given?.field} of #${from.row.id}`,
    )
  }
}

function isOfTab(type: string | null): boolean {
  return type === 'ORDER_PLACED' || type === 'ITEM_ADDED' || type === 'ITEM_REMOVED'
}

/** The ids in a delivery by which others of its tab may be found, with their fields. */
function valuesOf({ payload }: Traced): { role: Follow['role']; value: string; field: string }[] {
  const target = targetOf(payload)
  const values: { role: Follow['role']; value: string | null; field: string }[] = []
  if (payload.type === 'ORDER_PLACED') {
    values.push({ role: 'order', value: target, field: 'targetUuid' })
  } else if (payload.type === 'ITEM_ADDED' || payload.type === 'ITEM_REMOVED') {
    values.push(
      { role: 'order', value: dataId(payload, 'orderId'), field: 'data.orderId' },
      { role: 'item', value: target, field: 'targetUuid' },
      { role: 'tabId', value: dataId(payload, 'tabId'), field: 'data.tabId' },
    )
  }
  return values.flatMap(({ value, ...rest }) => (value === null ? [] : [{ ...rest, value }]))
}
