import type { AttemptSummary } from '#contract/sending.ts'

/** The owner of the attempts. */
export interface AttemptsOf {
  readonly deliveryId?: number | undefined
  readonly draftId?: number | undefined
  readonly jobId?: number | undefined
}

/** Whether there are attempts between the newest known one and these. */
export function skipped(newestId: number, rows: readonly Pick<AttemptSummary, 'id'>[]): boolean {
  let before = newestId
  for (const { id } of rows) {
    if (before > 0 && id > before + 1) return true
    before = Math.max(before, id)
  }
  return false
}

/** Whether any of these attempts belongs to the list. */
export function concerns(rows: readonly AttemptSummary[], of: AttemptsOf): boolean {
  return rows.some(
    (row) =>
      (of.deliveryId === undefined || row.deliveryId === of.deliveryId) &&
      (of.draftId === undefined || row.draftId === of.draftId) &&
      (of.jobId === undefined || row.jobId === of.jobId),
  )
}

/** Adds the newest page above the loaded attempts. If they do not overlap, attempts in between would be missing, so only the page is returned. */
export function withNewest(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = page.at(-1)
  if (last === undefined) return []
  const overlaps = held.some(({ id }) => id >= last.id)
  return overlaps ? [...page, ...held.filter(({ id }) => id < last.id)] : [...page]
}

/** Adds a page of older attempts at the end of the list. */
export function withOlder(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = held.at(-1)?.id ?? Number.POSITIVE_INFINITY
  return [...held, ...page.filter(({ id }) => id < last)]
}
