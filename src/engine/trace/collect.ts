import type { Trace } from '#contract/deliveries.ts'
import { buildTrace, type Collected } from './build.ts'
import { collectItem, collectOrder, collectTab } from './collect-tab.ts'
import { collectTarget } from './collect-target.ts'
import { subjectOf } from './subject.ts'
import { traceBodyLimit, type TraceSource } from './trace-source.ts'
import { dataId, targetOf, type Traced } from './traced.ts'
import { Gathering } from './gathering.ts'

/** Customers that are followed from one. */
const mergesLimit = 50

const ofGuests: readonly (string | null)[] = [
  'GUEST_VERIFIED',
  'GUEST_SUBSCRIBED',
  'GUEST_UNSUBSCRIBED',
]

/**
 * The life of a guest: what targets the customer, then, by `oldCustomerId` of GUEST_VERIFIED and as far as it goes, what targets the
 * customers that were merged into it, and those that it was merged into.
 */
function collectGuest(source: TraceSource, id: string, from: Traced): Collected {
  const gathering = new Gathering(from.row.id)
  gathering.tie(from, 'targetUuid')
  const reached = new Set([id])
  const older = walk(source, gathering, id, reached, 'older')
  const newer = walk(source, gathering, id, reached, 'newer')
  for (const merge of [...older, ...newer]) {
    for (const traced of mentions(source, gathering, merge.to)) {
      if (targetOf(traced.payload) !== merge.to) continue
      gathering.tie(traced, `targetUuid, by oldCustomerId of #${merge.seen.row.id}`, {
        code: 'merged',
        text: `Observed: customer ${merge.to}, joined with ${merge.from} by oldCustomerId in #${merge.seen.row.id}.`,
      })
    }
  }
  if (older.length + newer.length > 0) {
    gathering.note(
      'Guests are joined where `oldCustomerId` has the value of another guest’s target. The document calls it “Previous customer ID”; that it has the form of a customer UUID is not said.',
    )
  }
  if (reached.size > mergesLimit) gathering.cut = true
  return {
    subject: { kind: 'guest', id },
    placed: gathering.tied(),
    notes: gathering.notes(),
    truncated: gathering.truncated(),
  }
}

interface Merge {
  readonly from: string
  readonly to: string
  /** The GUEST_VERIFIED that says so. */
  readonly seen: Traced
}

/** Follows merges one way, each customer once: two that name each other end it. Ties what targets `id` itself. */
function walk(
  source: TraceSource,
  gathering: Gathering,
  id: string,
  reached: Set<string>,
  way: 'older' | 'newer',
): Merge[] {
  const merges: Merge[] = []
  const queue = [id]
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    for (const traced of mentions(source, gathering, from)) {
      const target = targetOf(traced.payload)
      if (target === id) gathering.tie(traced, 'targetUuid')
      const old =
        traced.payload.type === 'GUEST_VERIFIED' ? dataId(traced.payload, 'oldCustomerId') : null
      if (old === null || target === null) continue
      const [here, next] = way === 'older' ? [target, old] : [old, target]
      if (here !== from || reached.has(next) || reached.size > mergesLimit) continue
      reached.add(next)
      merges.push({ from, to: next, seen: traced })
      queue.push(next)
    }
  }
  return merges
}

function mentions(source: TraceSource, gathering: Gathering, id: string): Traced[] {
  const { found, cut } = source.mentioning(id, {
    around: gathering.around,
    most: gathering.limit,
    wanted: ({ type }) => ofGuests.includes(type),
  })
  gathering.cut ||= cut
  return found
}

/** The life of what a delivery is about, as far as the source knows of it. */
export function traceOf(source: TraceSource, from: Traced): Omit<Trace, 'indexedId'> {
  const trace = buildTrace(collect(source, from))
  if (source.unread() === 0) return trace
  const unread = `${source.unread()} deliveries were not looked into: their bodies are over ${traceBodyLimit / 1024} KiB, or too many.`
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
