import { BadgeCheck, CircleDashed, FilePenLine, Scissors } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { EventLog, LogExport, LogImport, RedactionRule } from '#contract/logs.ts'
import { byteSize, count, counted } from '../../ui/text/numbers.ts'
import { clockMinutes, dayDate, shortDate } from '../../ui/text/time.ts'

interface StateWords {
  readonly word: string
  /** What that means, as a sentence. */
  readonly about: string
  readonly tone: 'valid' | 'missing' | 'invalid' | 'unsigned'
  readonly icon: LucideIcon
}

/** What can be said of a log by its last line. */
export const logStateLabels = {
  whole: {
    word: 'Complete',
    about: 'The file is complete and unchanged since export.',
    tone: 'valid',
    icon: BadgeCheck,
  },
  cut_off: {
    word: 'Cut off',
    about: 'The end of the file is missing. Everything before it was imported.',
    tone: 'missing',
    icon: Scissors,
  },
  changed: {
    word: 'Changed',
    about: 'The file was edited after export, so do not rely on it.',
    tone: 'invalid',
    icon: FilePenLine,
  },
  unproven: {
    word: 'Unproven',
    about: 'The file has nothing that proves that it is complete.',
    tone: 'unsigned',
    icon: CircleDashed,
  },
} as const satisfies Record<EventLog['state'], StateWords>

/** `21 Nov, 21:09 to 22 Nov, 00:12`, `21 Nov, 18:00 to 21:09`; where there is one moment, that. */
export function timeSpan(firstAt: number | null, lastAt: number | null): string {
  if (firstAt === null || lastAt === null) return 'no times'
  const [first, last] = [shortDate(firstAt), shortDate(lastAt)]
  if (first === last) return first
  return `${first} to ${dayDate(firstAt) === dayDate(lastAt) ? clockMinutes(lastAt) : last}`
}

/** Whether guests and secrets were taken out, in words. */
export function redactedWord(redacted: boolean | null): string {
  if (redacted === null) return 'does not say whether redacted'
  return redacted ? 'redacted' : 'not redacted'
}

/** How far an export is, or what came of it. */
export function describeExport(of: LogExport): string {
  const size = byteSize(of.bytes)
  switch (of.state) {
    case 'running':
      return `${count(of.deliveries)} of ${counted(of.total, 'delivery', 'deliveries')}, ${size}`
    case 'done':
      return `${counted(of.deliveries, 'delivery', 'deliveries')}, ${size}, ${redactedWord(of.redacted)}`
    case 'cancelled':
      return 'Cancelled. Nothing of it was left.'
    case 'failed':
      return of.error ?? 'It failed. Nothing of it was left.'
  }
}

/** How far an import is, or what came of it. */
export function describeImport(of: LogImport): string {
  switch (of.state) {
    case 'running': {
      const read = byteSize(of.read)
      const part = of.size === null ? `${read} read` : `${read} of ${byteSize(of.size)} read`
      return `${part}, ${counted(of.deliveries, 'delivery', 'deliveries')} so far`
    }
    case 'done':
      return of.known
        ? 'It had been imported before: that log is as it was.'
        : `${counted(of.deliveries, 'delivery', 'deliveries')} imported`
    case 'cancelled':
      return 'Cancelled. Nothing of it was kept.'
    case 'failed':
      return of.error?.message ?? 'It failed. Nothing of it was kept.'
  }
}

/** How far, from 0 to 1; null: nobody knows. */
export function shareOf(done: number, all: number | null): number | null {
  return all === null || all <= 0 ? null : Math.min(1, done / all)
}

/** A rule in words. */
export function describeRule(rule: RedactionRule): string {
  switch (rule.kind) {
    case 'header':
      return rule.name
    case 'path':
      return rule.path
  }
}

/** Whether two rules take out the same. Names of headers know no case. */
export function sameRule(one: RedactionRule, other: RedactionRule): boolean {
  if (one.kind === 'header' && other.kind === 'header') {
    return one.name.toLowerCase() === other.name.toLowerCase()
  }
  return one.kind === 'path' && other.kind === 'path' && one.path === other.path
}
