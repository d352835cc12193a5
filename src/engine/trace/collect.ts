import type { Trace } from '#contract/deliveries.ts'
import { buildTrace, type Collected } from './build.ts'
import { collectGuest } from './collect-guest.ts'
import { collectItem, collectOrder, collectTab } from './collect-tab.ts'
import { collectTarget } from './collect-target.ts'
import { subjectOf } from './subject.ts'
import { traceBodyLimit, type TraceSource } from './trace-source.ts'
import type { Traced } from './traced.ts'

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
