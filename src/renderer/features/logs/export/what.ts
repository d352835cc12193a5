import type { CallInput } from '#contract/calls.ts'
import { counted } from '../../../ui/text/numbers.ts'
import { cut, visible } from '../../../ui/text/visible.ts'
import { filterFault } from '../../../state/filter.ts'

export type Which = 'all' | 'filter' | 'chosen' | 'trace'
export type When = 'any' | 'hour' | 'day' | 'between'

/** From where the export is asked for, and what is at hand there. */
export interface ExportAsk {
  /** Null: the live store. */
  readonly log: number | null
  /** What is offered first. */
  readonly which: Which
  readonly filter: string
  /** Null: none is chosen. */
  readonly chosen: readonly number[] | null
  /** The delivery whose trace can be had. */
  readonly traceOf: { readonly id: number; readonly title: string } | null
}

/** Which deliveries, as it is being written. */
export interface WhatDraft {
  readonly which: Which
  readonly filter: string
  readonly when: When
  /** As a field of date and time has them, in the zone of this machine; empty: no end. */
  readonly from: string
  readonly to: string
  /** What the last hour counts from, in milliseconds since the epoch. */
  readonly asOf: number
}

/** As many as the contract takes one by one. */
const mostChosen = 100_000
const hour = 3_600_000

export function draftOf({ which, filter }: ExportAsk, now: number): WhatDraft {
  return { which, filter, when: 'any', from: '', to: '', asOf: now }
}

export type WhatFaults = Partial<Record<'filter' | 'chosen' | 'to', string>>

/** Why it cannot be taken so. Only what counts is looked at. */
export function whatFaults(ask: ExportAsk, draft: WhatDraft): WhatFaults {
  const fault = draft.which === 'filter' ? filterFault(draft.filter) : null
  const many = draft.which === 'chosen' ? (ask.chosen?.length ?? 0) : 0
  const [from, to] = [timeOf(draft.from), timeOf(draft.to)]
  const backwards = draft.when === 'between' && from !== null && to !== null && from >= to
  return {
    ...(fault === null ? {} : { filter: fault.message }),
    ...(many > mostChosen
      ? { chosen: 'At most 100,000 can be chosen one by one. Take a filter instead.' }
      : {}),
    ...(backwards ? { to: 'This is not later than the beginning.' } : {}),
  }
}

/** Which deliveries, as the engine takes it. Only of a draft without a fault. */
export function whatOf(
  ask: ExportAsk,
  draft: WhatDraft,
): NonNullable<CallInput<'logs.export'>['what']> {
  const { which } = draft
  return {
    log: ask.log,
    filter: which === 'filter' ? draft.filter.trim() : '',
    ids: which === 'chosen' && ask.chosen !== null ? [...ask.chosen] : null,
    traceOf: which === 'trace' ? (ask.traceOf?.id ?? null) : null,
    ...timesOf(draft),
  }
}

function timesOf({ when, from, to, asOf }: WhatDraft): { from: number | null; to: number | null } {
  switch (when) {
    case 'any':
      return { from: null, to: null }
    case 'hour':
      return { from: asOf - hour, to: null }
    case 'day':
      return { from: asOf - 24 * hour, to: null }
    case 'between':
      return { from: timeOf(from), to: timeOf(to) }
  }
}

/** Milliseconds since the epoch; null: none is given. */
function timeOf(text: string): number | null {
  const at = new Date(text).getTime()
  return Number.isNaN(at) ? null : at
}

/** What can be taken here, in the order in which it is offered. */
export function choices(ask: ExportAsk): { readonly which: Which; readonly words: string }[] {
  const { log, chosen, traceOf } = ask
  const few: { which: Which; words: string }[] = []
  if (chosen !== null) {
    few.push({
      which: 'chosen',
      words:
        chosen.length === 1 && traceOf !== null && chosen[0] === traceOf.id
          ? `Only “${nameOf(traceOf.title)}”`
          : `The ${counted(chosen.length, 'delivery', 'deliveries')} chosen`,
    })
  }
  if (traceOf !== null)
    few.push({ which: 'trace', words: `The trace of “${nameOf(traceOf.title)}”` })
  return [
    ...few,
    { which: 'all', words: log === null ? 'All that are kept' : 'All of this log' },
    { which: 'filter', words: 'Those of a filter' },
  ]
}

function nameOf(title: string): string {
  return visible(cut(title, 60))
}
