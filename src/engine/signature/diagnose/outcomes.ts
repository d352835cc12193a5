import type { DiagnosisCause } from '#contract/deliveries.ts'
import { formatCount } from '#shared/text/format.ts'
import type { CauseName, CauseText } from './cause.ts'
import { algorithmCauses } from './causes/algorithms.ts'
import { byteCauses } from './causes/body-bytes.ts'
import { textCauses } from './causes/body-text.ts'
import { jsonCauses } from './causes/body-json.ts'
import { factCauses } from './causes/facts.ts'
import { keyChanges } from './causes/key-writing.ts'
import { otherKeys } from './causes/keys.ts'
import { schemeCauses } from './causes/schemes.ts'
import { otherName, upperCase, valueWritings } from './causes/value-writing.ts'
import type { Match, Searched } from './search.ts'
import type { Subject } from './subject.ts'

/** The secret that was given to be tried. */
export const candidateCause: CauseText = {
  code: 'secret.candidate',
  title: 'Signed with the secret that you gave',
  tries: 'The secret that you gave was tried with every change.',
  fix: 'Enter it as the endpoint’s secret under Endpoints. It was not stored.',
  where: 'here',
  likelihood: 100,
}

const computed: readonly CauseText[] = [
  ...otherKeys,
  ...keyChanges,
  ...byteCauses,
  ...textCauses,
  ...jsonCauses,
  ...algorithmCauses,
  ...schemeCauses,
]

/** Every cause there is. */
export const declared: readonly CauseName[] = [
  ...factCauses,
  ...computed,
  ...valueWritings,
  candidateCause,
]

export interface Findings {
  /** False: only a part of the body is there. */
  readonly whole: boolean
  readonly searched: Searched | null
  readonly match: Match | null
  /** Null: none was given. */
  readonly candidate: Searched | null
}

/** What came of every cause: those that match first, then by how likely they are. */
export function outcomes(subject: Subject, findings: Findings): DiagnosisCause[] {
  const { match } = findings
  const all = [
    ...factCauses.map((cause) => {
      const state = cause.state(subject)
      return told(cause, state === null ? 'ruled_out' : 'matches', state ?? cause.otherwise)
    }),
    ...[...computed, ...valueWritings, ...(findings.candidate ? [candidateCause] : [])].map(
      (cause) =>
        match?.codes.includes(cause.code)
          ? { ...told(cause, 'matches', match.sentence), where: whereOf(cause, match) }
          : unmatched(cause, subject, findings),
    ),
  ]
  const likelihood = new Map(declared.map((cause) => [cause.code, cause.likelihood]))
  const rank = (cause: DiagnosisCause): number =>
    (cause.outcome === 'matches' ? 1000 : 0) + (likelihood.get(cause.code) ?? 0)
  return all.toSorted((a, b) => rank(b) - rank(a))
}

/** What may be the matter with a handler that refuses what is right. */
export function validCauses(outcome: {
  readonly secretName: 'current' | 'previous' | null
  readonly upperCase: boolean
}): DiagnosisCause[] {
  const previous = otherKeys.find(({ code }) => code === 'secret.previous')
  return [
    ...(outcome.secretName === 'previous' && previous
      ? [
          told(
            previous,
            'matches',
            'The signature is right under the previous secret, not under the current one.',
          ),
        ]
      : []),
    ...(outcome.upperCase
      ? [
          told(
            upperCase,
            'matches',
            'The digits are upper case. The API documentation says hex, without a case.',
          ),
        ]
      : []),
  ]
}

function told(
  { code, title, fix, where }: CauseName,
  outcome: DiagnosisCause['outcome'],
  detail: string,
): DiagnosisCause {
  return { code, title, outcome, detail, fix, where }
}

function whereOf(cause: CauseText, match: Match): DiagnosisCause['where'] {
  return match.where !== null && keyChanges.some(({ code }) => code === cause.code)
    ? match.where
    : cause.where
}

function unmatched(cause: CauseText, subject: Subject, findings: Findings): DiagnosisCause {
  const { searched, candidate } = findings
  if (!findings.whole) {
    return told(cause, 'untried', 'The body is incomplete, so no signature can be computed.')
  }
  if (!searched) {
    return told(cause, 'untried', 'There is no signature to compare with a computed one.')
  }
  if (cause === candidateCause) {
    return candidate?.cutShort
      ? told(cause, 'untried', 'The body is so large that not everything could be tried with it.')
      : told(cause, 'ruled_out', `${cause.tries} It makes another signature.`)
  }
  if (valueWritings.includes(cause)) return unmatchedWriting(cause, subject)
  const tries = searched.tries.get(cause.code) ?? 0
  if (tries > 0) {
    const count = tries === 1 ? 'One signature was' : `${formatCount(tries)} signatures were`
    return told(
      cause,
      'ruled_out',
      `${cause.tries} ${count} computed, and none matches the received one.`,
    )
  }
  const why = searched.untried.get(cause.code)
  if (why !== undefined) return told(cause, 'untried', why)
  if (!searched.reached.has(cause.code)) {
    return told(
      cause,
      'untried',
      findings.match
        ? 'Not checked, since another cause matches.'
        : 'The body is so large that not everything could be tried.',
    )
  }
  const sum = algorithmCauses.find(({ code }) => code === cause.code)
  if (sum && !sum.sums.some(({ size }) => lengths(subject).includes(size))) {
    return told(
      cause,
      'ruled_out',
      `What came has ${lengths(subject).join(' or ')} bytes, and this would have ${sum.sums.map(({ size }) => size).join(' or ')}.`,
    )
  }
  if (subject.own.length === 0 && !otherKeys.some(({ code }) => code === cause.code)) {
    return told(cause, 'untried', 'There is no secret of this endpoint to try it with.')
  }
  return told(
    cause,
    'ruled_out',
    `${cause.tries} With this delivery that gives nothing else to try.`,
  )
}

function lengths({ readings }: Subject): number[] {
  return [...new Set(readings.map(({ digest }) => digest.byteLength))].slice(0, 4)
}

function unmatchedWriting(cause: CauseText, subject: Subject): DiagnosisCause {
  if (cause === otherName && subject.elsewhere.length === 0) {
    return told(cause, 'ruled_out', 'No header of another name looks like a signature.')
  }
  const readable = subject.readings.some(({ codes }) => codes.includes(cause.code))
  return told(
    cause,
    'ruled_out',
    readable
      ? `${cause.tries} It was compared so with every signature that was computed.`
      : `${cause.tries} The received value has another form.`,
  )
}
