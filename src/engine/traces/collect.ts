import { field } from '#catalogue/payload.ts'
import type { Trace, TraceMark } from '#contract/deliveries.ts'
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
  idText,
  timeOf,
  type Placed,
} from './model.ts'
import { idsOf } from '#catalogue/ids.ts'

/** Beyond this, the deliveries farthest from the requested one are omitted. */
export const traceLimit = 2000

export class TraceCollector {
  readonly limit = traceLimit
  isIncomplete = false
  readonly #placed = new Map<number, Placed>()
  readonly #notes: string[] = []

  readonly around: number

  constructor(around: number) {
    this.around = around
  }

  has(id: number): boolean {
    return this.#placed.has(id)
  }

  /** `by`: the field that links the delivery. Only the first reason is kept; marks are added up. */
  tie(traced: Traced, by: string, mark?: TraceMark): void {
    const before = this.#placed.get(traced.row.id)
    if (before) {
      if (mark) this.#placed.set(traced.row.id, { ...before, marks: [...before.marks, mark] })
      return
    }
    this.#placed.set(traced.row.id, {
      ...traced,
      relation: 'linked',
      by,
      marks: mark ? [mark] : [],
    })
  }

  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence)
  }

  notes(): readonly string[] {
    return this.#notes
  }

  /** The deliveries nearest to the requested one, in order of arrival. */
  placed(): Placed[] {
    const all = [...this.#placed.values()]
    const nearest =
      all.length <= this.limit
        ? all
        : all
            .sort((a, b) => Math.abs(a.row.id - this.around) - Math.abs(b.row.id - this.around))
            .slice(0, this.limit)
    return nearest.sort((a, b) => a.row.id - b.row.id)
  }

  tied(): Placed[] {
    return this.placed().filter(({ relation }) => relation === 'linked')
  }

  truncated(): boolean {
    return this.isIncomplete || this.#placed.size > this.limit
  }
}

const typeOfKind: Partial<Record<SubjectKind, string>> = {
  menu: 'MENU_UPDATED',
  product: 'PRODUCT_UPDATED',
  category: 'CATEGORY_UPDATED',
  location: 'LOCATION_UPDATED',
  spot: 'QR_SCANNED',
}

/** Events of a menu, a product, a category, a location, a spot, or something unknown. */
function collectTarget(source: TraceSource, subject: Subject, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  collector.tie(from, targetField(from))
  const type = typeOfKind[subject.kind]
  if (subject.id !== '') {
    const { found, cut } = source.mentioning(subject.id, {
      around: from.row.id,
      limit: collector.limit,
      wanted: (head) => head.target === subject.id && (type === undefined || head.type === type),
    })
    collector.isIncomplete = cut
    for (const traced of found) {
      if (targetOf(traced.payload) !== subject.id) continue
      // An ID that is not a UUID may belong to something else at another location.
      if (sameLocation(from.payload, traced.payload) !== false) {
        collector.tie(traced, targetField(traced))
      }
    }
  }
  return {
    subject,
    placed: collector.placed(),
    notes: collector.notes(),
    truncated: collector.truncated(),
  }
}

function targetField({ payload }: Traced): string {
  const byUuid = payload.targetUuid !== undefined && payload.targetUuid !== null
  return byUuid ? 'targetUuid' : 'targetId'
}

const mergesLimit = 50

const ofGuests: readonly (string | null)[] = [
  'GUEST_VERIFIED',
  'GUEST_SUBSCRIBED',
  'GUEST_UNSUBSCRIBED',
]

/** Events of a customer, and of those merged into it or that it was merged into, by `oldCustomerId` of GUEST_VERIFIED. */
function collectGuest(source: TraceSource, id: string, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  collector.tie(from, 'targetUuid')
  const reached = new Set([id])
  const older = followMerges(source, collector, id, reached, 'older')
  const newer = followMerges(source, collector, id, reached, 'newer')
  for (const merge of [...older, ...newer]) {
    for (const traced of mentions(source, collector, merge.to)) {
      if (targetOf(traced.payload) !== merge.to) continue
      collector.tie(traced, `targetUuid, by oldCustomerId of #${merge.seen.row.id}`, {
        code: 'merged',
        message: `Observed: customer ${merge.to}, linked with ${merge.from} by oldCustomerId in #${merge.seen.row.id}.`,
      })
    }
  }
  if (older.length + newer.length > 0) {
    collector.note(
      'Guests are linked if `oldCustomerId` equals another guest’s target. The API documentation calls it “Previous customer ID”, but does not say that it is a customer UUID.',
    )
  }
  if (reached.size > mergesLimit) collector.isIncomplete = true
  return {
    subject: { kind: 'guest', id },
    placed: collector.tied(),
    notes: collector.notes(),
    truncated: collector.truncated(),
  }
}

interface Merge {
  readonly from: string
  readonly to: string
  /** The GUEST_VERIFIED event with the merge. */
  readonly seen: Traced
}

/** Follows merges in one direction, each customer once, so that cycles end. Adds events that target `id` itself. */
function followMerges(
  source: TraceSource,
  collector: TraceCollector,
  id: string,
  reached: Set<string>,
  direction: 'older' | 'newer',
): Merge[] {
  const merges: Merge[] = []
  const queue = [id]
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    for (const traced of mentions(source, collector, from)) {
      const target = targetOf(traced.payload)
      if (target === id) collector.tie(traced, 'targetUuid')
      const old =
        traced.payload.type === 'GUEST_VERIFIED' ? dataId(traced.payload, 'oldCustomerId') : null
      if (old === null || target === null) continue
      const [here, next] = direction === 'older' ? [target, old] : [old, target]
      if (here !== from || reached.has(next) || reached.size > mergesLimit) continue
      reached.add(next)
      merges.push({ from, to: next, seen: traced })
      queue.push(next)
    }
  }
  return merges
}

function mentions(source: TraceSource, collector: TraceCollector, id: string): Traced[] {
  const { found, cut } = source.mentioning(id, {
    around: collector.around,
    limit: collector.limit,
    wanted: ({ type }) => ofGuests.includes(type),
  })
  collector.isIncomplete ||= cut
  return found
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
      return collectGuest(source, subject.id, from)
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
    if (mention) collector.tie(traced, mention.field)
  }
  const direct = collector.tied()
  follow(source, collector, direct, (traced) => {
    const other = dataId(traced.payload, 'tabUuid')
    return other === null || other === id
  })
  const near = collectNear(source, collector.tied())
  return {
    subject: { kind: 'tab', id },
    placed: [...collector.tied(), ...near.placed.filter(({ row }) => !collector.has(row.id))],
    notes: [...collector.notes(), ...near.notes],
    truncated: collector.truncated(),
  }
}

function collectOrder(source: TraceSource, id: string, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  followOne(source, collector, { role: 'order', value: id, from }, () => true)
  follow(source, collector, collector.tied(), () => true)
  return {
    subject: { kind: 'order', id },
    placed: collector.tied(),
    notes: collector.notes(),
    truncated: collector.truncated(),
  }
}

/** An item that names neither tab nor order. */
function collectItem(source: TraceSource, id: string, from: Traced): Collected {
  const collector = new TraceCollector(from.row.id)
  followOne(source, collector, { role: 'item', value: id, from }, () => true)
  return {
    subject: { kind: 'item', id },
    placed: collector.tied(),
    notes: collector.notes(),
    truncated: collector.truncated(),
  }
}

function follow(
  source: TraceSource,
  collector: TraceCollector,
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
    collector.tie(
      traced,
      alike ? same.field : `${same.field}, by the same value as ${given?.field} of #${from.row.id}`,
    )
  }
}

function isOfTab(type: string | null): boolean {
  return type === 'ORDER_PLACED' || type === 'ITEM_ADDED' || type === 'ITEM_REMOVED'
}

/** IDs by which other events of the tab can be found, with their fields. */
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

/** How long before the opening of a tab a guest may have arrived. */
export const nearBeforeMs = 15 * 60_000
/** Tolerance between the times of creation and arrival when searching. */
const arrivalSlackMs = 60_000
export const nearLimit = 50
const candidatesPerType = 500

/**
 * Finds events at the same location while a tab was open: scans of its spot and guests verified at its location. The API documentation has no field
 * that links them to a tab, so they are only `near`. None if the tab names no location.
 */
export function collectNear(
  source: TraceSource,
  tied: readonly Traced[],
): { placed: Placed[]; notes: string[] } {
  const none = { placed: [], notes: [] }
  const first = tied[0]
  const placeOf = tied.find(({ payload }) => sameLocation(payload, payload) === true)
  if (!first || !placeOf) return none
  const opening = tied.find(({ payload }) => payload.type === 'OPEN_TAB')
  const closing = tied.findLast(({ payload }) => payload.type === 'CLOSE_TAB')
  const times = tied.map(({ row }) => timeOf(row))
  const opened = opening ? timeOf(opening.row) : Math.min(...times)
  const until = closing ? timeOf(closing.row) : Math.max(...times)
  const arrivals = tied.map(({ row }) => row.receivedAt)
  const spots = new Set(
    tied.flatMap(({ payload }) => idText(field(payload.data, 'spotName')) ?? []),
  )
  const window = {
    from: Math.min(...arrivals) - nearBeforeMs - arrivalSlackMs,
    to: Math.max(...arrivals) + arrivalSlackMs,
    limit: candidatesPerType,
    wanted: ({ location }: { location: string | null }) =>
      location === null ||
      placeOf.row.locationName === null ||
      location === placeOf.row.locationName,
  }
  const scans = source.receivedBetween('QR_SCANNED', window)
  const guests = source.receivedBetween('GUEST_VERIFIED', window)
  const fits = (traced: Traced): boolean =>
    timeOf(traced.row) >= opened - nearBeforeMs &&
    timeOf(traced.row) <= until &&
    sameLocation(placeOf.payload, traced.payload) === true
  const found = [
    ...scans.found.filter(fits).flatMap((scan) => {
      const names = [idText(field(scan.payload.data, 'targetName')), targetOf(scan.payload)]
      const spot = names.find((name) => name !== null && spots.has(name))
      return spot === undefined ? [] : [place(scan, `time and place only: the spot “${spot}”`)]
    }),
    ...guests.found.filter(fits).map((guest) => place(guest, 'time and place only: the location')),
  ].sort((a, b) => Math.abs(timeOf(a.row) - opened) - Math.abs(timeOf(b.row) - opened))
  const notes: string[] = []
  if (found.length > nearLimit || scans.cut || guests.cut) {
    notes.push(
      `More events occurred at this place while the tab was open. Only the ${Math.min(nearLimit, found.length)} nearest to its opening are shown.`,
    )
  }
  return { placed: found.slice(0, nearLimit), notes }
}

function place(traced: Traced, by: string): Placed {
  return { ...traced, relation: 'near', by, marks: [] }
}
