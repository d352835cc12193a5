import { timingSafeEqual } from 'node:crypto'
import { headerName } from '#catalogue/headers.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Header, Verdict } from '#contract/models.ts'
import { Body } from './body.ts'
import { message, type Captured, type Keyring, type Subject } from './subject.ts'
import { candidateCause, outcomes, validCauses } from './outcomes.ts'
import { readingsOf } from './readings.ts'
import { type Match, search } from './search.ts'
import { compute, right } from './sum.ts'
import { defaultLimits, TimeBudget } from './time-budget.ts'
import { factCauses } from './causes/facts.ts'
import { readBody, readDelivery } from '../../deliveries/store.ts'
import type { Db } from '../../platform/sqlite.ts'

/** Up to this size, the body of a valid delivery is re-serialized to see whether a handler that does so would break the signature. */
const smallBytes = 1024 * 1024

function conclusionOf(
  subject: Subject,
  result: {
    readonly verdict: Verdict
    readonly secretName: string | null
    readonly match: Match | null
    readonly exhaustive: boolean
  },
): string {
  if (result.verdict === 'valid') return validConclusion(subject, result.secretName)
  const facts = factCauses.flatMap((cause) => {
    const values = cause.state(subject)
    return values === null ? [] : [{ ...cause, ...describeCause({ code: cause.code, values }) }]
  })
  const [first] = facts
  if (result.match) {
    const titles = result.match.codes.map((code) => describeCause({ code }).title)
    const known = first ? `${first.title}. ` : ''
    return titles.length === 1
      ? `${known}Found: ${inSentence(titles[0] ?? '')}.`
      : `${known}Found ${titles.length} causes together: ${titles.map(inSentence).join('; ')}.`
  }
  if (first?.decides) return `${first.title}. ${first.sentence}`
  const hint = first ? ` Also note: ${inSentence(first.title)}.` : ''
  const summary = result.exhaustive
    ? 'No known cause matches this signature.'
    : 'No known cause matches this signature; the body is so large that not every cause was checked.'
  return `${summary}${hint} The delivery was probably signed with another secret. Compare the secret on the dashboard with the one in Tabscope, or try the dashboard’s secret on this delivery. If they are equal, have the delivery sent without the proxy or tunnel in between, and find what changes the bytes.`
}

function validConclusion(subject: Subject, secretName: string | null): string {
  const valid =
    secretName === 'previous'
      ? 'The signature is valid with the previous secret: the signer does not use the new one yet.'
      : 'The signature is valid: it is the HMAC-SHA256 of exactly the received bytes.'
  return `${valid} A handler that rejects this delivery checks it incorrectly: it must use the raw bytes of the body, before any parsing.${describeReserialized(subject)}`
}

/** The effect of JSON.stringify(JSON.parse(body)), the most common mistake in handlers. */
function describeReserialized({ body }: Subject): string {
  if (body.bytes.byteLength > smallBytes) return ''
  try {
    const text = body.bytes.toString('utf8')
    return JSON.stringify(JSON.parse(text)) === text
      ? ' After JSON.parse and JSON.stringify this body is unchanged; other bodies may not be.'
      : ' After JSON.parse and JSON.stringify this body differs, and so does its signature.'
  } catch {
    return ''
  }
}

/** Starts with a lower-case letter unless it is a name. */
function inSentence(title: string): string {
  return /^[A-Z][a-z]* /.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title
}

export interface DiagnoseInput {
  readonly captured: Captured
  readonly keyring: Keyring
  /** A secret to try, which is not stored. */
  readonly candidate?: string | undefined
}

const maxOtherHeaders = 8

/**
 * Finds out why a signature is invalid (API documentation, "Signature verification") by trying each declared cause on the received bytes. Yields
 * every few milliseconds, so that other work on this thread can run. The result never contains a secret.
 */
export async function diagnose(
  input: DiagnoseInput,
  budget = new TimeBudget(),
): Promise<Diagnosis> {
  const subject = subjectOf(input, budget)
  const outcome = await verdictOf(subject, budget)
  budget.upTo(1)
  const complete = input.captured.arrival === 'complete'
  const candidate =
    input.candidate === undefined || !complete
      ? null
      : await (async (secret: string) => {
          // The rest is for the known secrets.
          budget.upTo(0.5)
          const words = 'the secret that you entered'
          const own = [{ bytes: Buffer.from(secret, 'utf8'), codes: [], words, text: secret }]
          const keyring = {
            ...input.keyring,
            previous: null,
            others: [],
            access: [],
            identifiers: [],
          }
          const searched = await search({ ...subject, keyring, own }, budget)
          budget.upTo(1)
          return searched
        })(input.candidate)
  const valid = outcome.verdict === 'valid'
  const searched =
    valid || !complete || subject.readings.length === 0 ? null : await search(subject, budget)
  const match = searched?.match ?? (valid ? null : withCandidate(candidate?.match ?? null))
  const exhaustive = !searched?.cutShort && (searched?.untried.size ?? 0) === 0
  const causes = valid
    ? validCauses(outcome)
    : outcomes(subject, { complete, searched, match, candidate })
  return {
    verdict: outcome.verdict,
    conclusion: conclusionOf(subject, { ...outcome, match, exhaustive }),
    causes,
    tried: budget.tried,
    exhaustive: match !== null || exhaustive,
    candidate:
      input.candidate === undefined
        ? null
        : !candidate?.match
          ? 'differs'
          : candidate.match.codes.length === 0
            ? 'matches'
            : 'matches_changed',
  }
}

function withCandidate(match: Match | null): Match | null {
  return match && { ...match, codes: [candidateCause.code, ...match.codes] }
}

function subjectOf({ captured, keyring }: DiagnoseInput, budget: TimeBudget): Subject {
  const name = headerName(captured.brand, 'signature')
  const headers: readonly Header[] = [...captured.headers, ...captured.trailers]
  const isOwn = ([header]: Header): boolean => header.toLowerCase() === name.toLowerCase()
  const received = captured.headers.filter(isOwn).map(([, value]) => value)
  const elsewhere = [
    ...headers.filter((header) => !isOwn(header)),
    ...captured.trailers.filter(isOwn),
  ]
    .filter(([header]) => /signature|hmac/i.test(header))
    .slice(0, maxOtherHeaders)
  return {
    captured,
    keyring,
    body: new Body(captured.body, budget),
    headerName: name,
    received,
    elsewhere,
    readings: readingsOf(received, elsewhere),
    own:
      keyring.current === null
        ? []
        : [
            {
              bytes: Buffer.from(keyring.current, 'utf8'),
              codes: [],
              words: 'the current secret',
              text: keyring.current,
            },
          ],
  }
}

export interface VerdictOutcome {
  readonly verdict: Verdict
  readonly secretName: 'current' | 'previous' | null
  /** The matching value has upper-case letters. */
  readonly upperCase: boolean
}

/** Works in slices: `verify` would block the thread with a large body. */
async function verdictOf(subject: Subject, budget: TimeBudget): Promise<VerdictOutcome> {
  const { keyring, received, body } = subject
  const none = { secretName: null, upperCase: false }
  const secrets = (['current', 'previous'] as const).filter((name) => keyring[name] !== null)
  if (secrets.length === 0) {
    return { verdict: received.length === 0 ? 'unsigned' : 'unchecked', ...none }
  }
  if (received.length === 0) return { verdict: 'missing', ...none }
  // Without a limit: everything else depends on this result.
  budget.upTo(Infinity)
  for (const secretName of secrets) {
    const key = Buffer.from(keyring[secretName] ?? '', 'utf8')
    const digest = await compute(right, key, message([], '', body.bytes), budget)
    const value = received.find(
      (candidate) =>
        digest &&
        /^[0-9a-f]{64}$/i.test(candidate) &&
        timingSafeEqual(Buffer.from(candidate, 'hex'), digest),
    )
    if (value !== undefined) {
      return { verdict: 'valid', secretName, upperCase: value !== value.toLowerCase() }
    }
  }
  return { verdict: 'invalid', ...none }
}

export interface DiagnoseQuery {
  readonly id: number
  readonly keyring: Keyring
  readonly candidate?: string | undefined
  /** Absent: that of a diagnosis on demand. */
  readonly budgetMs?: number | undefined
}

/** Runs in the reader thread, which has the body, in slices of a few milliseconds, so that other queries do not wait longer than that. */
export async function diagnoseStored(
  db: Db,
  { id, keyring, candidate, budgetMs: ms = defaultLimits.ms }: DiagnoseQuery,
): Promise<Diagnosis | null> {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  return diagnose(
    { captured: { ...delivery, body: body.bytes }, keyring, candidate },
    new TimeBudget({ ...defaultLimits, ms }),
  )
}
