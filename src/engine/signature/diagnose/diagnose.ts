import { timingSafeEqual } from 'node:crypto'
import { headerName } from '#catalogue/headers.ts'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Header, Verdict } from '#contract/models.ts'
import { Body } from './body.ts'
import { message, type Captured, type Keyring, type Subject } from './subject.ts'
import { candidateCause, declared, outcomes, validCauses } from './outcomes.ts'
import { readingsOf } from './readings.ts'
import { type Match, search } from './search.ts'
import { compute, right } from './sum.ts'
import { Work } from './time-budget.ts'
import { factCauses } from './causes/facts.ts'
import { readBody, readDelivery } from '../../deliveries/store.ts'
import type { Db } from '../../platform/sqlite.ts'

/** Up to this size the body of a valid delivery is written anew, to see what a careless handler would make of it. */
const smallBytes = 1024 * 1024

/** What is the matter, in a sentence or two. */
function conclusionOf(
  subject: Subject,
  told: {
    readonly verdict: Verdict
    readonly secretName: string | null
    readonly match: Match | null
    readonly exhaustive: boolean
  },
): string {
  if (told.verdict === 'valid') return validConclusion(subject, told.secretName)
  const facts = factCauses.flatMap((cause) => {
    const state = cause.state(subject)
    return state === null ? [] : [{ ...cause, state }]
  })
  const [first] = facts
  if (told.match) {
    const titles = told.match.codes.map(
      (code) => declared.find((cause) => cause.code === code)?.title ?? code,
    )
    const known = first ? `${first.title}. ` : ''
    return titles.length === 1
      ? `${known}Found: ${small(titles[0] ?? '')}.`
      : `${known}Found, ${titles.length} things at once: ${titles.map(small).join('; ')}.`
  }
  if (first?.decides) return `${first.title}. ${first.state}`
  const hint = first ? ` But note: ${small(first.title)}.` : ''
  const part = told.exhaustive
    ? 'No known cause matches this signature.'
    : 'No known cause matches this signature; the body is so large that not every cause was checked.'
  return `${part}${hint} It was probably signed with another secret: compare the secret on the dashboard with the one in Tabscope, or try the dashboard’s secret on this delivery. If they are equal, have it sent without the proxy or tunnel between, and look for what changes the bytes.`
}

function validConclusion(subject: Subject, secretName: string | null): string {
  const under =
    secretName === 'previous'
      ? 'The signature is right, under the previous secret: the signer does not use the new one yet.'
      : 'The signature is valid: it is the HMAC-SHA256 of exactly the received bytes.'
  return `${under} A handler that refuses this delivery checks it wrongly: it must take the raw bytes of the body, before any parsing.${rewritten(subject)}`
}

/** What JSON.stringify(JSON.parse(body)) makes of it, the commonest mistake of handlers. */
function rewritten({ body }: Subject): string {
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

/** A title within a sentence. Names of things keep their capital. */
function small(title: string): string {
  return /^[A-Z][a-z]* /.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title
}

export interface DiagnoseInput {
  readonly captured: Captured
  readonly keyring: Keyring
  /** A secret to try, which is forgotten with this input. */
  readonly candidate?: string | undefined
}

/** More headers of other names than that are not looked at. */
const elsewhereLimit = 8

/**
 * Says why the signature of a request is not right (SPEC, "Signature verification"), by trying each declared cause on the bytes that came.
 * Pauses every few milliseconds, so that whatever else runs on this thread has its turn. No answer holds a secret.
 */
export async function diagnose(input: DiagnoseInput, work = new Work()): Promise<Diagnosis> {
  const subject = subjectOf(input, work)
  const outcome = await verdictOf(subject, work)
  work.upTo(1)
  const whole = input.captured.arrival === 'complete'
  const candidate =
    input.candidate === undefined || !whole
      ? null
      : await (async (secret: string) => {
          // Half of what may be done: the rest is for the secrets that are known.
          work.upTo(0.5)
          const words = 'the secret that you gave'
          const own = [{ bytes: Buffer.from(secret, 'utf8'), codes: [], words, text: secret }]
          const keyring = {
            ...input.keyring,
            previous: null,
            others: [],
            access: [],
            identifiers: [],
          }
          const searched = await search({ ...subject, keyring, own }, work)
          work.upTo(1)
          return searched
        })(input.candidate)
  const valid = outcome.verdict === 'valid'
  const searched =
    valid || !whole || subject.readings.length === 0 ? null : await search(subject, work)
  const match = searched?.match ?? (valid ? null : withCandidate(candidate?.match ?? null))
  const exhaustive = !searched?.cutShort && (searched?.untried.size ?? 0) === 0
  const causes = valid
    ? validCauses(outcome)
    : outcomes(subject, { whole, searched, match, candidate })
  return {
    verdict: outcome.verdict,
    conclusion: conclusionOf(subject, { ...outcome, match, exhaustive }),
    causes,
    tried: work.tried,
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

function subjectOf({ captured, keyring }: DiagnoseInput, work: Work): Subject {
  const name = headerName(captured.brand, 'signature')
  const all: readonly Header[] = [...captured.headers, ...captured.trailers]
  const isOwn = ([header]: Header): boolean => header.toLowerCase() === name.toLowerCase()
  const received = captured.headers.filter(isOwn).map(([, value]) => value)
  const elsewhere = [...all.filter((header) => !isOwn(header)), ...captured.trailers.filter(isOwn)]
    .filter(([header]) => /signature|hmac/i.test(header))
    .slice(0, elsewhereLimit)
  return {
    captured,
    keyring,
    body: new Body(captured.body, work),
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
  /** Which secret made it `valid`. */
  readonly secretName: 'current' | 'previous' | null
  /** The value that matched was written with upper-case letters. */
  readonly upperCase: boolean
}

/** The check itself, in slices: `verify` would hold the thread for as long as a large body takes. */
async function verdictOf(subject: Subject, work: Work): Promise<VerdictOutcome> {
  const { keyring, received, body } = subject
  const none = { secretName: null, upperCase: false }
  const secrets = (['current', 'previous'] as const).filter((name) => keyring[name] !== null)
  if (secrets.length === 0) {
    return { verdict: received.length === 0 ? 'unsigned' : 'unchecked', ...none }
  }
  if (received.length === 0) return { verdict: 'missing', ...none }
  // Whatever it costs: without it nothing else can be said.
  work.upTo(Infinity)
  for (const secretName of secrets) {
    const key = Buffer.from(keyring[secretName] ?? '', 'utf8')
    const digest = await compute(right, key, message([], '', body.bytes), work)
    const value = received.find(
      (one) =>
        digest && /^[0-9a-f]{64}$/i.test(one) && timingSafeEqual(Buffer.from(one, 'hex'), digest),
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
}

/**
 * Diagnoses a stored delivery. This runs in the reader thread, in slices of a few milliseconds: the body is here already, and is never
 * copied to another thread; no slice is longer than a query may wait; and nothing that answers or writes runs here.
 */
export async function diagnoseStored(
  db: Db,
  { id, keyring, candidate }: DiagnoseQuery,
): Promise<Diagnosis | null> {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  return diagnose({ captured: { ...delivery, body: body.bytes }, keyring, candidate })
}
