import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'

/** Midnight on a Tuesday in local time. */
export const tuesday = new Date(2026, 10, 17).getTime()
export const hour = 3_600_000

/** A finding that was seen from `first` to `last`, in hours from that midnight. */
export function kind(first: number, last: number, changes: Partial<FindingKind> = {}): FindingKind {
  return {
    code: 'data.field_extra',
    severity: 'info',
    location: 'body.data.tipAmount',
    count: 24,
    firstId: 812,
    firstAt: tuesday + first * hour,
    lastId: 900,
    lastAt: tuesday + last * hour,
    ...changes,
  }
}

/** A type that was seen from `first` to `last`, in hours from that midnight. */
export function typed(
  type: string | null,
  first: number,
  last: number,
  findings: readonly FindingKind[] = [],
  count = 100,
): TypeConformance {
  return {
    type,
    count,
    firstId: 1,
    firstAt: tuesday + first * hour,
    lastId: 999,
    lastAt: tuesday + last * hour,
    findings: [...findings],
  }
}
