import type { Trace } from '#contract/deliveries.ts'
import { formatSize } from '#shared/text/format.ts'
import { buildTrace, type Collected } from './build.ts'
import {
  subjectOf,
  type Subject,
  type SubjectKind,
  traceBodyLimit,
  type TraceSource,
  dataId,
  targetOf,
  type Traced,
  sameLocation,
  type Placed,
} from './model.ts'
import { idsOf } from '#catalogue/ids.ts'

/** Beyond this, the deliveries farthest from the requested one are omitted. */
export const traceLimit = 2000

export class TraceCollector {
  readonly limit = traceLimit
  isIncomplete = false
  readonly #placed = new Map<number, Placed>()
  readonly around: number

  constructor(around: number) {
    this.around = around
  }

  has(id: number): boolean {
    return this.#placed.has(id)
  }

  /** `by`: the field that links the delivery. Only the first reason is kept. */
  link(traced: Traced, by: string): void {
    if (!this.has(traced.row.id)) this.#placed.set(traced.row.id, { ...traced, by })
  }

  /** The deliveries nearest to the requested one, in order of arrival. */
  placed(): Placed[] {
    return [...this.#placed.values()]
      .sort((a, b) => Math.abs(a.row.id - this.around) - Math.abs(b.row.id - this.around))
      .slice(0, this.limit)
      .sort((a, b) => a.row.id - b.row.id)
  }

  collected(subject: Subject): Collected {
    const truncated = this.isIncomplete || this.#placed.size > this.limit
    return { subject, placed: this.placed(), truncated }
  }
}

const typesOfKind: Partial<Record<SubjectKind, readonly (string | null)[]>> = {
  guest: ['GUEST_VERIFIED', 'GUEST_SUBSCRIBED', 'GUEST_UNSUBSCRIBED'],
  menu: ['MENU_UPDATED'],
  product: ['PRODUCT_UPDATED'],
  category: ['CATEGORY_UPDATED'],
  location: ['LOCATION_UPDATED'],
  spot: ['QR_SCANNED'],
}

function collectTarget(source: TraceSource, subject: Subject, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  collector.link(from, targetField(from))
  if (subject.id === '') return collector.collected(subject)
  const types = typesOfKind[subject.kind]
  const { found, cut } = source.mentioning(subject.id, {
    around: from.row.id,
    limit: collector.limit,
    wanted: ({ target, type }) =>
      target === subject.id && (types === undefined || types.includes(type)),
  })
  collector.isIncomplete = cut
  for (const traced of found) {
    if (targetOf(traced.payload) !== subject.id) continue
    // A guest may visit several locations. Another ID that is not a UUID may belong to something else at another location.
    if (subject.kind === 'guest' || sameLocation(from.payload, traced.payload) !== false) {
      collector.link(traced, targetField(traced))
    }
  }
  return collector.collected(subject)
}

function targetField({ payload }: Traced): string {
  const byUuid = payload.targetUuid !== undefined && payload.targetUuid !== null
  return byUuid ? 'targetUuid' : 'targetId'
}

export function traceOf(source: TraceSource, from: Traced): Omit<Trace, 'indexedId'> {
  const trace = buildTrace(collect(source, from))
  if (source.unread() === 0) return trace
  const unread = `${source.unread()} deliveries were not searched: their bodies are over ${formatSize(traceBodyLimit)} or there were too many.`
  return { ...trace, notes: [...trace.notes, unread] }
}

function collect(source: TraceSource, from: Traced): Collected {
  const subject = subjectOf(from)
  switch (subject.kind) {
    case 'tab':
      return collectTab(source, subject.id, from)
    case 'order':
      return collectOrder(source, subject.id, from)
    case 'item':
      return collectItem(source, subject.id, from)
    case 'guest':
    case 'menu':
    case 'product':
    case 'category':
    case 'location':
    case 'spot':
    case 'other':
      return collectTarget(source, subject, from)
  }
}

/** An ID that links a delivery to a tab although the delivery does not name the tab. */
interface Follow {
  readonly role: 'order' | 'item' | 'tabId'
  readonly value: string
  /** The delivery that contains the ID. */
  readonly from: Traced
}

/**
 * Every delivery that mentions the UUID of the tab, and those with the same order, item or tab ID, unless they name another tab or location. The API
 * documentation does not say that `orderId` of an item is the `targetUuid` of an order, so the trace says that they only have an equal value.
 */
function collectTab(source: TraceSource, id: string, from: Traced): Collected {
  const around = from.row.id
  const collector = new TraceCollector(around)
  const mentions = source.mentioning(id, { around, limit: collector.limit })
  collector.isIncomplete ||= mentions.cut
  for (const traced of [from, ...mentions.found]) {
    const mention = idsOf(traced.payload).find((one) => one.id === id)
    if (mention) collector.link(traced, mention.field)
  }
  follow(source, collector, (traced) => {
    const other = dataId(traced.payload, 'tabUuid')
    return other === null || other === id
  })
  return collector.collected({ kind: 'tab', id })
}

function collectOrder(source: TraceSource, id: string, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  followOne(source, collector, { role: 'order', value: id, from }, () => true)
  follow(source, collector, () => true)
  return collector.collected({ kind: 'order', id })
}

function collectItem(source: TraceSource, id: string, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  followOne(source, collector, { role: 'item', value: id, from }, () => true)
  return collector.collected({ kind: 'item', id })
}

function follow(
  source: TraceSource,
  collector: TraceCollector,
  fits: (traced: Traced) => boolean,
): void {
  const values = new Map<string, Follow>()
  for (const from of collector.placed()) {
    for (const { role, value } of valuesOf(from)) {
      const key = `${role} ${value}`
      if (!values.has(key)) values.set(key, { role, value, from })
    }
  }
  for (const value of values.values()) followOne(source, collector, value, fits)
}

function followOne(
  source: TraceSource,
  collector: TraceCollector,
  { role, value, from }: Follow,
  fits: (traced: Traced) => boolean,
): void {
  const { found, cut } = source.mentioning(value, {
    around: collector.around,
    limit: collector.limit,
    wanted: ({ type, id }) => !collector.has(id) && isOfTab(type),
  })
  collector.isIncomplete ||= cut
  const given = valuesOf(from).find((one) => one.role === role && one.value === value)
  for (const traced of collector.has(from.row.id) ? found : [from, ...found]) {
    const same = valuesOf(traced).find((one) => one.role === role && one.value === value)
    if (!same || !fits(traced) || sameLocation(from.payload, traced.payload) === false) continue
    const alike = same.field === given?.field
    collector.link(
      traced,
      alike ? same.field : `${same.field}, by the same value as ${given?.field} of #${from.row.id}`,
    )
  }
}

function isOfTab(type: string | null): boolean {
  return type === 'ORDER_PLACED' || type === 'ITEM_ADDED' || type === 'ITEM_REMOVED'
}

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
