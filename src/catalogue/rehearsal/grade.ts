import type { CaseResult, RehearsalGrade, RehearsalOptions } from '#contract/rehearsal.ts'
import { rehearsalCaseOf } from './cases.ts'
import { oauthCases } from './oauth-cases.ts'

const grades = ['A', 'B', 'C', 'D', 'E', 'F'] as const satisfies readonly RehearsalGrade[]

export interface Grade {
  readonly grade: RehearsalGrade
  /** The ID of the case that caps the grade, or `no-secret`. */
  readonly cappedBy: string | null
}

/** The best grade that a run can still have after this result. */
export function capOf({ id, result, level }: CaseResult): RehearsalGrade {
  if (level === 'INFO') return 'A'
  switch (result) {
    case 'fail':
      if (level === 'SHOULD') return 'C'
      if (oauthCases.some((each) => each.id === id && each.critical)) return 'F'
      return /^(?:precheck|signature)$/.test(rehearsalCaseOf(id)?.group ?? '') ? 'F' : 'D'
    case 'flaky':
      return level === 'MUST' ? 'D' : 'C'
    case 'warn':
    case 'review':
      return 'B'
    case 'pass':
    case 'skipped':
      return 'A'
  }
}

function isOAuth(id: string): boolean {
  return oauthCases.some((each) => each.id === id)
}

/**
 * The worst cap of the cases of a complete run. Null for a run of selected cases, and if cases were skipped for reasons other than load or a missing secret.
 */
export function gradeOf(
  results: readonly CaseResult[],
  { only, skip, hasSecret }: Pick<RehearsalOptions, 'only' | 'skip'> & { hasSecret: boolean },
): Grade | null {
  if (only.length > 0 || skip.length > 0) return null
  // Nobody began a flow, or the app made no API call.
  if (results.some(({ id, result }) => result === 'skipped' && isOAuth(id))) return null
  let grade: RehearsalGrade = 'A'
  let cappedBy: string | null = null
  const cap = (limit: RehearsalGrade, by: string): void => {
    if (grades.indexOf(limit) <= grades.indexOf(grade)) return
    grade = limit
    cappedBy = by
  }
  if (!hasSecret) cap('C', 'no-secret')
  for (const result of results) cap(capOf(result), result.id)
  return { grade, cappedBy }
}
