import type { AttemptSummary } from '#contract/sending.ts'

/** Whose attempts. */
export interface AttemptsOf {
  readonly deliveryId?: number | undefined
  readonly draftId?: number | undefined
  readonly jobId?: number | undefined
}

/** Whether there were attempts between the newest that was told of and these. */
export function skipped(newestId: number, rows: readonly Pick<AttemptSummary, 'id'>[]): boolean {
  let before = newestId
  for (const { id } of rows) {
    if (before > 0 && id > before + 1) return true
    before = Math.max(before, id)
  }
  return false
}

/** Whether one of these belongs to the list. */
export function concerns(rows: readonly AttemptSummary[], of: AttemptsOf): boolean {
  return rows.some(
    (row) =>
      (of.deliveryId === undefined || row.deliveryId === of.deliveryId) &&
      (of.draftId === undefined || row.draftId === of.draftId) &&
      (of.jobId === undefined || row.jobId === of.jobId),
  )
}

/** The newest page, and below it what is held and older. What lies between two that do not meet would be missing: then only the page. */
export function withNewest(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = page.at(-1)
  if (last === undefined) return []
  const meets = held.some(({ id }) => id >= last.id)
  return meets ? [...page, ...held.filter(({ id }) => id < last.id)] : [...page]
}

/** The list with those that are older than its end. */
export function withOlder(
  held: readonly AttemptSummary[],
  page: readonly AttemptSummary[],
): AttemptSummary[] {
  const last = held.at(-1)?.id ?? Number.POSITIVE_INFINITY
  return [...held, ...page.filter(({ id }) => id < last)]
}
