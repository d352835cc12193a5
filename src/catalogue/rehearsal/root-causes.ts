import type { CaseResult } from '#contract/rehearsal.ts'
import { plural } from '#shared/text/format.ts'
import { rehearsalCaseOf } from './cases.ts'
import type { FixTopic } from './define.ts'
import { fixOf, fixOfCase } from './fixes.ts'
import { capOf } from './grade.ts'

const clauses = {
  'verify-raw-body': 'the signature is not computed over the raw body',
  'compare-signature': 'the signature is not compared as a whole, or not safely',
  'require-secret': 'the secret or the signature header is not required',
  'tolerate-fields': 'optional, empty or unknown fields are not accepted',
  'parse-safely': 'the body is used without a check that it is an event',
  deduplicate: 'an event is not processed exactly once',
  'verify-first': 'an event is processed or remembered before its signature is verified',
  order: 'the result depends on the order of events',
  'dispatch-on-body': 'the type is not read from the signed body, or an unknown one is rejected',
  'hide-errors': 'responses contain a secret or a stack trace',
  'body-limit': 'the size of bodies is limited too early or too late',
  transport: 'requests are not read as HTTP allows them',
  'respond-fast': 'the response is late, never comes, or is a redirect',
  method: 'other methods than POST are accepted',
} as const satisfies Record<FixTopic, string>

const clausesOfOthers = {
  unstable: 'the result changes when the case is repeated',
  oauth_state: 'the state is not bound to the session of one flow',
  oauth_requests: 'requests differ from the documented ones',
  oauth_redirects: 'a redirect that brings no new code is processed',
  oauth_responses: 'unusual responses of the token endpoint are not handled',
  oauth_refusals: 'refused calls are repeated or refreshed too often',
  oauth_origin: 'the token is sent to another origin',
} as const

const oauthCauses: Readonly<Record<string, keyof typeof clausesOfOthers>> = {
  O1: 'oauth_state',
  O2: 'oauth_requests',
  O3: 'oauth_state',
  O4: 'oauth_state',
  O5: 'oauth_redirects',
  O6: 'oauth_redirects',
  O7: 'oauth_requests',
  O8: 'oauth_responses',
  O9: 'oauth_responses',
  O10: 'oauth_refusals',
  O11: 'oauth_refusals',
  O12: 'oauth_origin',
}

type CauseId = FixTopic | keyof typeof clausesOfOthers | 'other'

/** Cases of a run that fail for the same reason. */
export interface FailureGroup {
  /** The fix of its cases, or a cause of its own. */
  readonly cause: CauseId
  /** "7 cases fail because the signature is not computed over the raw body" */
  readonly title: string
  /** IDs, in the order in which they ran. */
  readonly cases: readonly string[]
  /** Null: its cases may have different fixes, or are not those of a handler. */
  readonly fix: FixTopic | null
}

/**
 * Groups the failed and flaky cases of a run by root cause. Each belongs to one group. Groups that limit the grade most come first, then large ones; those
 * that fit no cause come last.
 */
export function groupFailures(results: readonly CaseResult[]): readonly FailureGroup[] {
  const failed = results.filter(({ result }) => result === 'fail' || result === 'flaky')
  const isUnverified = failed.some(({ id }) => id === 'P1')
  const causes = Map.groupBy(failed, (each) => causeOf(each, isUnverified))
  const groups = [...causes].map(([cause, members]) => ({
    cause,
    members,
    cap: members.map(capOf).toSorted().at(-1) ?? 'A',
  }))
  return groups
    .toSorted(
      (a, b) =>
        Number(a.cause === 'other') - Number(b.cause === 'other') ||
        b.cap.localeCompare(a.cap) ||
        b.members.length - a.members.length,
    )
    .map(({ cause, members }) => groupOf(cause, members))
}

/** A handler that accepts a random signature also fails the cases about keys, headers and comparisons. */
function causeOf({ id, result }: CaseResult, isUnverified: boolean): CauseId {
  if (result === 'flaky') return 'unstable'
  const fix = rehearsalCaseOf(id)?.fix
  const isAboutSignature = fix === 'compare-signature' || fix === 'require-secret'
  if (isUnverified && isAboutSignature) return 'verify-raw-body'
  return fix ?? oauthCauses[id] ?? 'other'
}

function groupOf(cause: CauseId, members: readonly CaseResult[]): FailureGroup {
  const count = plural(members.length, 'case fails', 'cases fail')
  return {
    cause,
    title:
      cause === 'other'
        ? `${count} for another reason`
        : `${count} because ${{ ...clauses, ...clausesOfOthers }[cause]}`,
    cases: members.map(({ id }) => id),
    fix: isTopic(cause) ? cause : null,
  }
}

function isTopic(cause: CauseId): cause is FixTopic {
  return Object.hasOwn(clauses, cause)
}

/** In general, and in a framework if one is selected. Null: each case has a fix of its own. */
export function fixOfGroup(
  { fix, cases }: Pick<FailureGroup, 'fix' | 'cases'>,
  framework: string | null,
): string | null {
  if (fix !== null) return fixOf(fix, framework)
  if (cases.some((id) => rehearsalCaseOf(id))) return null
  return [...new Set(cases.map((id) => fixOfCase(id, framework)))].join('\n')
}
