import type { DiagnosisCause } from '#contract/deliveries.ts'
import { causeName, describeCause, type CauseName } from '#catalogue/signature-causes.ts'
import { formatCount } from '#shared/text/format.ts'
import type { CauseValues, TriedCause } from './cause.ts'
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

export const candidateCause: TriedCause = {
  code: 'secret.candidate',
  tries: 'The secret that you entered was tried with every change.',
}

const computed: readonly TriedCause[] = [
  ...otherKeys,
  ...keyChanges,
  ...byteCauses,
  ...textCauses,
  ...jsonCauses,
  ...algorithmCauses,
  ...schemeCauses,
]

export const declared: readonly CauseName[] = [
  ...factCauses.map(({ code }) => causeName(code)),
  ...[...computed, ...valueWritings, candidateCause].map(({ code, tries }) => ({
    ...causeName(code),
    tries,
  })),
]

export interface Findings {
  /** False: only a part of the body was stored. */
  readonly complete: boolean
  readonly searched: Searched | null
  readonly match: Match | null
  /** Null: no candidate was entered. */
  readonly candidate: Searched | null
}

export function outcomes(subject: Subject, findings: Findings): DiagnosisCause[] {
  const { match } = findings
  const all = [
    ...factCauses.map((cause) => {
      const state = cause.state(subject)
      return state === null
        ? outcomeOf(cause, 'ruled_out', cause.otherwise)
        : matching(cause, state)
    }),
    ...[...computed, ...valueWritings, ...(findings.candidate ? [candidateCause] : [])].map(
      (cause) =>
        match?.codes.includes(cause.code)
          ? { ...matching(cause, match.values), where: whereOf(cause, match) }
          : unmatched(cause, subject, findings),
    ),
  ]
  const likelihood = new Map<string, number>(
    declared.map((cause) => [cause.code, cause.likelihood]),
  )
  const rank = ({ code, outcome }: DiagnosisCause): number =>
    (match?.codes.includes(code) ? 2000 : outcome === 'matches' ? 1000 : 0) +
    (likelihood.get(code) ?? 0)
  return all.toSorted((a, b) => rank(b) - rank(a))
}

/** Why a handler may reject a valid signature. */
export function validCauses(outcome: {
  readonly secretName: 'current' | 'previous' | null
  readonly upperCase: boolean
}): DiagnosisCause[] {
  const previous = otherKeys.find(({ code }) => code === 'secret.previous')
  return [
    ...(outcome.secretName === 'previous' && previous
      ? [
          outcomeOf(
            previous,
            'matches',
            'The signature is valid with the previous secret, not with the current one.',
          ),
        ]
      : []),
    ...(outcome.upperCase
      ? [
          outcomeOf(
            upperCase,
            'matches',
            'The digits are upper case. The API documentation says hex without specifying the case.',
          ),
        ]
      : []),
  ]
}

function outcomeOf(
  cause: Pick<TriedCause, 'code'>,
  outcome: DiagnosisCause['outcome'],
  detail: string,
): DiagnosisCause {
  const { code, title, fix, where } = causeName(cause.code)
  return { code, title, outcome, detail, fix, where }
}

function matching({ code }: Pick<TriedCause, 'code'>, values: CauseValues): DiagnosisCause {
  const { sentence } = describeCause({ code, values })
  return { ...outcomeOf({ code }, 'matches', sentence), values }
}

function whereOf({ code }: TriedCause, match: Match): DiagnosisCause['where'] {
  return match.where !== null && keyChanges.some((change) => change.code === code)
    ? match.where
    : causeName(code).where
}

function unmatched(cause: TriedCause, subject: Subject, findings: Findings): DiagnosisCause {
  const { searched, candidate } = findings
  if (!findings.complete) {
    return outcomeOf(cause, 'untried', 'The body is incomplete, so no signature can be computed.')
  }
  if (!searched) {
    return outcomeOf(cause, 'untried', 'There is no signature to compare with a computed one.')
  }
  if (cause === candidateCause) {
    return candidate?.cutShort
      ? outcomeOf(cause, 'untried', 'The body is too large to try everything with this secret.')
      : outcomeOf(cause, 'ruled_out', `${cause.tries} The computed signature differs.`)
  }
  if (valueWritings.includes(cause)) return unmatchedWriting(cause, subject)
  const tries = searched.tries.get(cause.code) ?? 0
  if (tries > 0) {
    const count = tries === 1 ? 'One signature was' : `${formatCount(tries)} signatures were`
    return outcomeOf(
      cause,
      'ruled_out',
      `${cause.tries} ${count} computed, and none matches the received one.`,
    )
  }
  const reason = searched.untried.get(cause.code)
  if (reason !== undefined) return outcomeOf(cause, 'untried', reason)
  if (!searched.reached.has(cause.code)) {
    return outcomeOf(
      cause,
      'untried',
      findings.match
        ? 'Not checked, since another cause matches.'
        : 'The body is too large to try everything.',
    )
  }
  const sum = algorithmCauses.find(({ code }) => code === cause.code)
  if (sum && !sum.sums.some(({ size }) => lengths(subject).includes(size))) {
    return outcomeOf(
      cause,
      'ruled_out',
      `The received value has ${lengths(subject).join(' or ')} bytes, but this signature would have ${sum.sums.map(({ size }) => size).join(' or ')}.`,
    )
  }
  if (subject.own.length === 0 && !otherKeys.some(({ code }) => code === cause.code)) {
    return outcomeOf(cause, 'untried', 'This endpoint has no secret to try it with.')
  }
  return outcomeOf(
    cause,
    'ruled_out',
    `${cause.tries} For this delivery, this produces nothing new to try.`,
  )
}

function lengths({ readings }: Subject): number[] {
  return [...new Set(readings.map(({ digest }) => digest.byteLength))].slice(0, 4)
}

function unmatchedWriting(cause: TriedCause, subject: Subject): DiagnosisCause {
  if (cause === otherName && subject.elsewhere.length === 0) {
    return outcomeOf(cause, 'ruled_out', 'No header of another name looks like a signature.')
  }
  const readable = subject.readings.some(({ codes }) => codes.includes(cause.code))
  return outcomeOf(
    cause,
    'ruled_out',
    readable
      ? `${cause.tries} The result was compared with every computed signature.`
      : `${cause.tries} The received value has a different form.`,
  )
}
