import type { Trace } from '#contract/deliveries.ts'
import { readStats } from '../store/deliveries.ts'
import type { Db } from '../store/driver.ts'
import { buildTrace, type Collected } from './build.ts'
import { collectGuest } from './collect-guest.ts'
import { collectItem, collectOrder, collectTab } from './collect-tab.ts'
import { collectTarget } from './collect-target.ts'
import { bodyLimit, createTraceSource, type TraceSource } from './source.ts'
import { subjectOf } from './subject.ts'
import type { Traced } from './traced.ts'

/** The life of what a delivery is about, as far as the search index has come; null: there is no such delivery. */
export function readTrace(db: Db, id: number): Trace | null {
  const source = createTraceSource(db)
  const from = source.read(id)
  if (!from) return null
  const trace = buildTrace(collect(source, from))
  const notes = [...trace.notes]
  if (source.unread() > 0) {
    notes.push(
      `${source.unread()} deliveries were not looked into: their bodies are over ${bodyLimit / 1024} KiB, or too many.`,
    )
  }
  return { ...trace, notes, indexedId: readStats(db).indexedId }
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
