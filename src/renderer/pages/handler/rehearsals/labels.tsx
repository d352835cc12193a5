import { Icons, type Icon } from '#kit/icons.tsx'
import { matchesCase, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { OAuthCase, RehearsalCase } from '#catalogue/rehearsal/define.ts'
import { anyCaseOf, oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type {
  CaseResult,
  Rehearsal,
  RehearsalLevel,
  RehearsalOptions,
  RehearsalResult,
} from '#contract/rehearsal.ts'
import { formatCount, plural } from '#shared/text/format.ts'
import { StateMark } from '#kit/Mark.tsx'

/** The result of a case, or `waiting` before it has one. */
export type ShownResult = RehearsalResult | 'waiting'

type Tone = 'valid' | 'invalid' | 'warning' | 'unsigned' | 'info'

interface ResultLook {
  readonly tone: Tone
  readonly icon: Icon
  readonly word: string
}

/** In the order of the filters: what needs attention comes first. */
export const resultLooks = {
  fail: { tone: 'invalid', icon: Icons.X, word: 'Failed' },
  flaky: { tone: 'warning', icon: Icons.Shuffle, word: 'Flaky' },
  warn: { tone: 'warning', icon: Icons.TriangleAlert, word: 'Warning' },
  review: { tone: 'info', icon: Icons.Eye, word: 'Review' },
  pass: { tone: 'valid', icon: Icons.Check, word: 'Passed' },
  skipped: { tone: 'unsigned', icon: Icons.Minus, word: 'Skipped' },
  waiting: { tone: 'unsigned', icon: Icons.CircleDashed, word: 'Waiting' },
} as const satisfies Record<ShownResult, ResultLook>

/** A result as an icon and a word. */
export function ResultMark({ result }: { result: ShownResult }) {
  return <StateMark {...resultLooks[result]} />
}

export const levelMeanings = {
  MUST: 'The API documentation or an RFC requires it.',
  SHOULD: 'Sound practice, which the API documentation does not require.',
  INFO: 'Recorded, never judged.',
} as const satisfies Record<RehearsalLevel, string>

const stateLooks = {
  running: { tone: 'info', icon: Icons.CirclePlay, word: 'Running' },
  interrupted: { tone: 'warning', icon: Icons.CircleAlert, word: 'Interrupted' },
  done: { tone: 'valid', icon: Icons.CircleCheck, word: 'Done' },
  cancelled: { tone: 'unsigned', icon: Icons.Ban, word: 'Cancelled' },
  failed: { tone: 'invalid', icon: Icons.CircleAlert, word: 'Not judged' },
} as const satisfies Record<Rehearsal['state'], ResultLook>

/** The state of a run as an icon and a word. */
export function RunState({ run }: { run: Pick<Rehearsal, 'state' | 'counts'> }) {
  const { fail, flaky } = run.counts
  if (run.state === 'done' && fail + flaky > 0) {
    return <StateMark tone="invalid" icon={Icons.CircleAlert} word="Done, with failures" />
  }
  return <StateMark {...stateLooks[run.state]} />
}

export function gradeTone(grade: NonNullable<Rehearsal['grade']>): Tone {
  if (grade === 'A') return 'valid'
  return grade === 'B' || grade === 'C' ? 'warning' : 'invalid'
}

/** Why a finished run has the grade that it has, or none. */
export function gradeReason({ grade, cappedBy, options, state }: Rehearsal): string {
  if (grade !== null) {
    if (cappedBy === null) return 'No case limits it.'
    if (cappedBy === 'no-secret') return 'Limited by the missing secret: signatures are not tested.'
    const title = anyCaseOf(cappedBy)?.title
    return title === undefined ? `Limited by ${cappedBy}.` : `Limited by ${cappedBy}: ${title}.`
  }
  switch (state) {
    case 'running':
    case 'interrupted':
      return 'The grade is computed at the end of the run.'
    case 'cancelled':
      return 'No grade: the run was cancelled.'
    case 'failed':
      return `No grade: the run could not judge the ${options.oauth ? 'app' : 'handler'}.`
    case 'done':
      return options.only.length + options.skip.length > 0
        ? 'No grade: only selected cases ran.'
        : 'No grade: the run is incomplete.'
  }
}

/** The part of the app that a run tests: the URL of the handler; for an OAuth client, what it was started with. */
export function targetOf({ options: { url, oauth } }: Pick<Rehearsal, 'options'>): string {
  return oauth?.startUrl ?? oauth?.redirectUrl ?? url
}

function isEqual(a: string | null, b: string | null): boolean {
  return a !== null && a === b
}

/** Whether two runs test the same. Runs for OAuth clients without any URL do: nothing tells their apps apart. */
export function isSameTarget(
  a: Pick<Rehearsal, 'options'>,
  b: Pick<Rehearsal, 'options'>,
): boolean {
  const [first, second] = [a.options.oauth, b.options.oauth]
  if (!first || !second) return !first && !second && a.options.url === b.options.url
  return (
    isEqual(first.redirectUrl, second.redirectUrl) ||
    isEqual(first.startUrl, second.startUrl) ||
    [first, second].every(({ startUrl, redirectUrl }) => startUrl === null && redirectUrl === null)
  )
}

/** How many cases have a result. */
export function finishedCases({ counts }: Pick<Rehearsal, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** "12 of 55 passed, 2 failed, 1 to review." */
export function summaryOf({ counts, total }: Pick<Rehearsal, 'counts' | 'total'>): string {
  const parts = [`${formatCount(counts.pass)} of ${plural(total, 'case', 'cases')} passed`]
  const add = (count: number, word: string): void => {
    if (count > 0) parts.push(`${formatCount(count)} ${word}`)
  }
  add(counts.fail, 'failed')
  add(counts.flaky, 'flaky')
  add(counts.warn, counts.warn === 1 ? 'warning' : 'warnings')
  add(counts.review, 'to review')
  add(counts.skipped, 'skipped')
  return `${parts.join(', ')}.`
}

/** A case of a run, with its result if there is one. */
export interface CaseRow {
  readonly id: string
  readonly title: string
  readonly level: RehearsalLevel
  /** Undefined if this version of Tabscope does not have the case. */
  readonly definition: RehearsalCase | OAuthCase | undefined
  readonly result: CaseResult | null
}

/** The cases that a run selects, in the order in which they run, and those that only have a result. */
export function caseRows(
  { only, skip, oauth }: Pick<RehearsalOptions, 'only' | 'skip' | 'oauth'>,
  results: ReadonlyMap<string, CaseResult>,
): CaseRow[] {
  const selects = (id: string): boolean =>
    (only.length === 0 || only.some((pattern) => matchesCase(id, pattern))) &&
    !skip.some((pattern) => matchesCase(id, pattern))
  const definitions: readonly (RehearsalCase | OAuthCase)[] = oauth ? oauthCases : rehearsalCases
  const known = definitions
    .filter(({ id }) => selects(id) || results.has(id))
    .map((definition) => ({
      id: definition.id,
      title: definition.title,
      level: definition.level,
      definition,
      result: results.get(definition.id) ?? null,
    }))
  const others = [...results.values()]
    .filter(({ id }) => !definitions.some((each) => each.id === id))
    .map((result) => ({
      id: result.id,
      title: result.sent,
      level: result.level,
      definition: undefined,
      result,
    }))
  return [...known, ...others]
}

export function shownResult({ result }: Pick<CaseRow, 'result'>): ShownResult {
  return result?.result ?? 'waiting'
}

function isFailure(result: RehearsalResult): boolean {
  return result === 'fail' || result === 'flaky'
}

export const changeLooks = {
  fixed: { tone: 'valid', icon: Icons.TrendingUp, word: 'Fixed' },
  improved: { tone: 'info', icon: Icons.TrendingUp, word: 'Improved' },
  regressed: { tone: 'invalid', icon: Icons.TrendingDown, word: 'Regressed' },
} as const satisfies Record<string, ResultLook>
export type Change = keyof typeof changeLooks

/** What changed for a case from one run to the next. `improved`: it no longer fails, or needs no review any more. */
export function changeOf(before: RehearsalResult, after: RehearsalResult): Change | null {
  if (before === 'skipped' || after === 'skipped' || isFailure(before) === isFailure(after)) {
    return before === 'review' && after === 'pass' ? 'improved' : null
  }
  if (isFailure(after)) return 'regressed'
  return after === 'review' ? 'improved' : 'fixed'
}
