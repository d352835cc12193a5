import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { amountOf, sum } from './amounts.ts'
import { gapBetween, marksOf, repeatsOf } from './marks.ts'
import { notesOf } from './notes.ts'
import { aboutOf, type Subject } from './subject.ts'
import { timeOf, type Placed } from './traced.ts'

export interface Collected {
  readonly subject: Subject
  readonly placed: readonly Placed[]
  /** What was learnt while looking, in sentences. */
  readonly notes: readonly string[]
  readonly truncated: boolean
}

/**
 * Puts what was collected in order and says what is to be seen: times, sums, marks, notes. Oldest first, by `createdAt` where there is
 * one, else by arrival; at the same time by arrival. Pure.
 */
export function buildTrace({
  subject,
  placed,
  notes,
  truncated,
}: Collected): Omit<Trace, 'indexedId'> {
  const ordered = placed.toSorted((a, b) => timeOf(a.row) - timeOf(b.row) || a.row.id - b.row.id)
  const tied = ordered.filter(({ relation }) => relation === 'tied')
  const marks = marksOf(tied)
  const repeats = repeatsOf(tied)
  const counts = subject.kind === 'tab' || subject.kind === 'order' || subject.kind === 'item'
  const unusable: string[] = []
  let running: TraceEntry['running'] = { items: null, orders: null, stated: null }
  let before: Placed | undefined
  const entries = ordered.map((entry): TraceEntry => {
    const { row, relation, by, payload } = entry
    const isTied = relation === 'tied'
    const read = amountOf(payload)
    if (isTied && counts && !repeats.has(row.id)) {
      for (const name of read.unusable) unusable.push(`${name} of #${row.id}`)
      if (read.amount) {
        const { to, value } = read.amount
        // What is stated replaces what was stated before; sums that are too large for a number stay as they were.
        const next = to === 'stated' ? value : sum(running[to], value)
        if (next === null) unusable.push(`the sum with #${row.id}`)
        else running = { ...running, [to]: next }
      }
    }
    const gap = isTied && before ? gapBetween(before, entry) : null
    if (isTied) before = entry
    return {
      row,
      relation,
      by,
      subject: aboutOf(entry),
      amount: read.amount?.value ?? null,
      running,
      gap,
      marks: [...(marks.get(row.id) ?? []), ...entry.marks],
    }
  })
  return {
    subject: { ...subject, name: nameOf(subject, ordered) },
    entries,
    notes: [...notesOf({ subject, ordered, entries, unusable }), ...notes],
    truncated,
  }
}

/** As it was named last. */
function nameOf({ kind, id }: Subject, ordered: readonly Placed[]): string | null {
  const names = ordered.map(aboutOf).flatMap((about) => {
    return about?.kind === kind && about.id === id && about.name !== null ? [about.name] : []
  })
  return names.at(-1) ?? null
}
