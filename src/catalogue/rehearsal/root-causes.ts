import type { CaseResult, VariantResult } from '#contract/rehearsal.ts'
import { plural } from '#shared/text/format.ts'
import { rehearsalCaseOf } from './cases.ts'
import type { FixTopic } from './define.ts'
import { fixOf, fixOfCase } from './fixes.ts'
import { capOf } from './grade.ts'

/** The start of the sentence that the runner adds to a reason if the handler no longer accepts valid deliveries. */
export const noLongerAlive = 'A valid delivery after it got'

interface RootCause {
  /** Follows "fail because". */
  readonly clause: string
  /** Absent: that of its cases. */
  readonly fix?: FixTopic
}

const rootCauses = {
  unverified: { clause: 'the signature is not verified', fix: 'verify-raw-body' },
  signature_optional: {
    clause: 'a request without a signature is accepted',
    fix: 'require-secret',
  },
  signature_elsewhere: {
    clause: 'the signature is not read from its header only',
    fix: 'require-secret',
  },
  empty_key: {
    clause: 'a signature with an empty or unconfigured secret is accepted',
    fix: 'require-secret',
  },
  other_secret: {
    clause: 'a signature with another secret is accepted',
    fix: 'require-secret',
  },
  partial_comparison: {
    clause: 'only a part of the signature is compared',
    fix: 'compare-signature',
  },
  other_algorithm: {
    clause: 'another algorithm or encoding of the signature is accepted',
    fix: 'verify-raw-body',
  },
  signature_error: {
    clause: 'an invalid signature causes a server error instead of a rejection',
    fix: 'compare-signature',
  },
  reserialized: { clause: 'the body is re-serialized', fix: 'verify-raw-body' },
  decoded: { clause: 'the body is not decoded as UTF-8', fix: 'verify-raw-body' },
  white_space: {
    clause: 'white space of the body is changed before the signature is verified',
    fix: 'verify-raw-body',
  },
  processed_first: {
    clause: 'an event is processed or remembered before its signature is verified',
    fix: 'verify-first',
  },
  header_type: {
    clause: 'the event type is read from the header, which is not signed',
    fix: 'dispatch-on-body',
  },
  leaks: { clause: 'responses contain a secret or a stack trace', fix: 'hide-errors' },
  event_types: { clause: 'not all documented event types are accepted' },
  required_fields: {
    clause: 'fields are required that can be absent, null or empty',
    fix: 'tolerate-fields',
  },
  strict_schema: { clause: 'unknown fields are rejected', fix: 'tolerate-fields' },
  unknown_types: { clause: 'unknown event types are not ignored', fix: 'dispatch-on-body' },
  header_names: { clause: 'header names are compared with their case or order', fix: 'transport' },
  unchecked_body: {
    clause: 'the body is used without a check that it is an event',
    fix: 'parse-safely',
  },
  duplicates: {
    clause: 'a repeated event is not processed exactly once',
    fix: 'deduplicate',
  },
  merged_events: { clause: 'different events are taken for the same', fix: 'deduplicate' },
  order: { clause: 'the result depends on the order of events', fix: 'order' },
  body_reading: { clause: 'the body is not read until its end', fix: 'transport' },
  body_limit: { clause: 'the size of bodies is limited too early or too late', fix: 'body-limit' },
  methods: { clause: 'other methods than POST are accepted', fix: 'method' },
  load: { clause: 'many requests at once are too much', fix: 'respond-fast' },
  slow: { clause: 'the response is late or never comes', fix: 'respond-fast' },
  redirect: { clause: 'the response is a redirect', fix: 'respond-fast' },
  ends: { clause: 'the handler ends, or closes the connection without a response' },
  unstable: { clause: 'the result changes when the case is repeated' },
  oauth_state: { clause: 'the state is not bound to the session of one flow' },
  oauth_requests: { clause: 'requests differ from the documented ones' },
  oauth_redirects: { clause: 'a redirect that brings no new code is processed' },
  oauth_responses: { clause: 'unusual responses of the token endpoint are not handled' },
  oauth_refusals: { clause: 'refused calls are repeated or refreshed too often' },
  oauth_origin: { clause: 'the token is sent to another origin' },
} as const satisfies Record<string, RootCause>

type CauseId = keyof typeof rootCauses

/** Cases of a run that fail for the same reason. */
export interface FailureGroup {
  /** The ID of the root cause, or `other`. */
  readonly cause: CauseId | 'other'
  /** "7 cases fail because the body is re-serialized" */
  readonly title: string
  /** IDs, in the order in which they ran. */
  readonly cases: readonly string[]
  /** Null: its cases have different fixes, or are not those of a handler. */
  readonly fix: FixTopic | null
}

/**
 * Groups the failed and flaky cases of a run by root cause. Each belongs to one group. Groups that limit the grade most come first, then large ones; those
 * that fit no cause come last.
 */
export function groupFailures(results: readonly CaseResult[]): readonly FailureGroup[] {
  const failed = results.filter(({ result }) => result === 'fail' || result === 'flaky')
  const failures = new Failures(failed)
  const groups = [...Map.groupBy(failed, (each) => failures.causeOf(each))].map(
    ([cause, members]) => ({ cause, members, cap: members.map(capOf).toSorted().at(-1) ?? 'A' }),
  )
  return groups
    .toSorted(
      (a, b) =>
        Number(a.cause === 'other') - Number(b.cause === 'other') ||
        b.cap.localeCompare(a.cap) ||
        b.members.length - a.members.length,
    )
    .map(({ cause, members }) => groupOf(cause, members))
}

function groupOf(cause: CauseId | 'other', members: readonly CaseResult[]): FailureGroup {
  const known: RootCause | null = cause === 'other' ? null : rootCauses[cause]
  const topics = new Set(members.map(({ id }) => rehearsalCaseOf(id)?.fix ?? null))
  const [shared = null] = topics.size === 1 ? topics : []
  const count = plural(members.length, 'case fails', 'cases fail')
  return {
    cause,
    title: known === null ? `${count} for another reason` : `${count} because ${known.clause}`,
    cases: members.map(({ id }) => id),
    fix: known?.fix ?? shared,
  }
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

/** How a failed variant ended, as its reason says (`engine/rehearsal/judge.ts`). */
type Outcome = 'accepted' | 'rejected' | 'redirected' | 'error' | 'late' | 'ended' | 'other'

function outcomeOf(reason: string): Outcome {
  if (reason.includes(noLongerAlive)) return 'ended'
  if (reason.startsWith('There was no response')) {
    return /did not respond within|was not complete after/.test(reason) ? 'late' : 'ended'
  }
  if (reason.startsWith('It accepted')) return 'accepted'
  if (reason.startsWith('A response took')) return 'late'
  if (reason.includes('is a redirect')) return 'redirected'
  const status = Number(/^It (?:responded|failed) with (\d{3})/.exec(reason)?.[1] ?? 0)
  if (status >= 500) return 'error'
  if (status >= 400) return 'rejected'
  if (status >= 300) return 'redirected'
  return status >= 200 ? 'accepted' : 'other'
}

interface Failure {
  readonly result: CaseResult
  readonly variants: readonly Pick<VariantResult, 'name'>[]
  readonly outcomes: ReadonlySet<Outcome>
}

function failureOf(result: CaseResult): Failure {
  const variants = result.variants.filter((each) => each.result === result.result)
  const reasons = variants.length > 0 ? variants : [result]
  return {
    result,
    variants,
    outcomes: new Set(reasons.map(({ reason }) => outcomeOf(reason ?? ''))),
  }
}

/** The failed cases of a run. What a case fails because of also depends on the others. */
class Failures {
  readonly #byId: ReadonlyMap<string, Failure>

  constructor(failed: readonly CaseResult[]) {
    this.#byId = new Map(failed.map((result) => [result.id, failureOf(result)]))
  }

  causeOf({ id, result }: CaseResult): CauseId | 'other' {
    const failure = this.#byId.get(id)
    if (!failure) return 'other'
    if (result === 'flaky') return 'unstable'
    const { outcomes } = failure
    const ofTransport = this.#causeOfTransport(id, failure)
    if (ofTransport !== null) return ofTransport
    if (outcomes.has('ended')) return 'ends'
    if (outcomes.has('late')) return 'slow'
    if (outcomes.has('redirected')) return 'redirect'
    return this.#causeOfSignature(id, failure) ?? this.#causeOfBody(id, failure) ?? 'other'
  }

  #failsOnlyAt(id: string, ...names: readonly string[]): boolean {
    const variants = this.#byId.get(id)?.variants ?? []
    return variants.length > 0 && variants.every(({ name }) => names.includes(name))
  }

  #accepts(id: string): boolean {
    return this.#byId.get(id)?.outcomes.has('accepted') ?? false
  }

  get #isUnverified(): boolean {
    const { variants = [] } = this.#byId.get('S3') ?? {}
    const isForged = variants.some(({ name }) => name === 'another secret') && this.#accepts('S3')
    return isForged || this.#accepts('P1')
  }

  get #isReserialized(): boolean {
    return ['S9', 'B1', 'B3', 'B5'].some((id) => {
      const { outcomes } = this.#byId.get(id) ?? {}
      return (outcomes?.has(id === 'S9' ? 'accepted' : 'rejected') ?? false) && !this.#isStrict(id)
    })
  }

  /** A case about keys also has keys that no schema knows. */
  #isStrict(id: string): boolean {
    return (
      id === 'B5' && this.#byId.has('G5') && this.#failsOnlyAt(id, 'keys that look like integers')
    )
  }

  #causeOfSignature(id: string, { outcomes }: Failure): CauseId | null {
    if (id === 'S13') return 'header_type'
    if (id === 'S14') return 'leaks'
    if (!/^[PSI]/.test(id) || (id.startsWith('I') && id !== 'I5')) return null
    if (outcomes.has('accepted') && this.#isUnverified) return 'unverified'
    if (id === 'I5' || id === 'P1')
      return outcomes.has('error') ? 'signature_error' : 'processed_first'
    if (!outcomes.has('accepted')) {
      if (outcomes.has('error')) return 'signature_error'
      return this.#byId.has('P1') ? 'processed_first' : null
    }
    switch (id) {
      case 'S1':
        if (!this.#failsOnlyAt(id, 'a space appended')) return null
        return this.#isReserialized ? 'reserialized' : 'white_space'
      case 'S2':
        return 'signature_optional'
      case 'S3':
        return 'other_secret'
      case 'S4':
        return 'empty_key'
      case 'S5':
      case 'S6':
        return 'partial_comparison'
      case 'S8':
        return 'other_algorithm'
      case 'S9':
        return 'reserialized'
      case 'S11':
        return this.#accepts('S2') ? 'signature_optional' : 'signature_elsewhere'
      default:
        return null
    }
  }

  #causeOfBody(id: string, { outcomes, variants }: Failure): CauseId | null {
    if (/^B[1-5]$/.test(id) && outcomes.has('rejected')) {
      if (this.#isStrict(id)) return 'strict_schema'
      if (this.#isReserialized) return 'reserialized'
      return id === 'B2' ? 'decoded' : 'white_space'
    }
    if (id.startsWith('B')) return 'unchecked_body'
    switch (id) {
      case 'G1': {
        const types = this.#typesWithoutFields()
        return variants.every(({ name }) => types.has(name)) ? 'required_fields' : 'event_types'
      }
      case 'G2':
      case 'G3':
      case 'G4':
        return 'required_fields'
      case 'G5':
        return variants.some(({ name }) => name === 'extra fields')
          ? 'strict_schema'
          : 'required_fields'
      default:
        return byCase[id] ?? null
    }
  }

  /** The event types of the failed cases about absent fields. */
  #typesWithoutFields(): ReadonlySet<string> {
    const names = (this.#byId.get('G3')?.variants ?? []).map(({ name }) => name.split(' ')[0] ?? '')
    return new Set(this.#byId.has('G4') ? [...names, 'OPEN_TAB'] : names)
  }

  #causeOfTransport(id: string, { outcomes }: Failure): CauseId | null {
    switch (id) {
      case 'T1':
      case 'T2':
        return 'body_reading'
      case 'T3':
      case 'T4':
        return 'body_limit'
      case 'T6': {
        const rejects = [...this.#byId.keys()].some((other) => /^S\d/.test(other))
        return outcomes.has('error') && rejects ? 'signature_error' : 'body_reading'
      }
      default:
        return null
    }
  }
}

const byCase: Readonly<Record<string, CauseId>> = {
  G6: 'unknown_types',
  G7: 'header_names',
  I1: 'duplicates',
  I2: 'duplicates',
  I4: 'merged_events',
  I6: 'duplicates',
  I7: 'order',
  T5: 'body_reading',
  T7: 'load',
  T8: 'slow',
  T9: 'methods',
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
