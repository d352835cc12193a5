import { isUtf8 } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { headerName } from '#catalogue/headers.ts'
import { causeName, describeCause } from '#catalogue/signature-causes.ts'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import { readResponse, type HandlerResponse } from '#catalogue/response-causes.ts'
import type { Diagnosis, DiagnosisCause, FrameworkGuess } from '#contract/deliveries.ts'
import type { Cause, Header, Verdict } from '#contract/models.ts'
import { formatCount, quoteForeign } from '#shared/text/format.ts'
import { decodeBody } from '../payload/decode-body.ts'
import { readBody, readDelivery } from '../deliveries/store.ts'
import { createRedact } from '../platform/masking/redact.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { receivedBase } from './bases.ts'
import { cutOf } from './changes.ts'
import { factCauses } from './facts.ts'
import {
  signaturesOf,
  signingBrand,
  hmacKey,
  signatureValues,
} from '../payload/signature/verify.ts'
import { frameworkGuesses } from './frameworks.ts'
import { listed, nameMatch, type Named } from './naming.ts'
import { readingsOf } from './readings.ts'
import { pairCost, plausibleCost, search, type Match, type Searched } from './search.ts'
import type { Captured, Keyring, NamedSecret, Subject } from './subject.ts'
import { keysOf } from './secrets.ts'
import { compute, computeAll, right } from './sums.ts'
import { type BudgetLimits, limitsFor, TimeBudget } from './time-budget.ts'

export interface DiagnoseInput {
  readonly captured: Captured
  readonly keyring: Keyring
  /** A secret to try, which is not stored. */
  readonly candidate?: string | undefined
  /** What the user's handler computed, as it was entered. */
  readonly computed?: string | undefined
  /** The last one of the user's handler. */
  readonly response?: HandlerResponse | null
}

const maxOtherHeaders = 8
/** Further mistakes than these are unlikely for a secret that is only tried. */
const candidateCost = plausibleCost + 1
const currentWords = 'the current secret'
const candidateWords = 'the secret that you entered'

/**
 * Finds out why a signature is invalid (API documentation, "Signature verification"), by a search for what was signed instead. Yields every few
 * milliseconds, so that other work on this thread can run. The result never contains a secret.
 */
export async function diagnose(
  input: DiagnoseInput,
  budget = new TimeBudget(limitsFor(input.captured.body)),
): Promise<Diagnosis> {
  const subject = subjectOf(input)
  const { captured, keyring } = subject
  const outcome = await verdictOf(subject, budget)
  budget.upTo(1)
  const complete = captured.arrival === 'complete'
  const isValid = outcome.verdict === 'valid'
  const tried =
    input.candidate === undefined || !complete
      ? null
      : await tryCandidate(subject, input.candidate, budget)
  const searched =
    isValid || !complete || subject.readings.length === 0
      ? null
      : await search(subject, budget, tried?.match ? candidateCost : undefined)
  const match = searched?.match ?? (isValid ? null : (tried?.match ?? null))
  const byCandidate = match !== null && match === tried?.match
  const named = match && (await nameMatch(subject, match, 'sender', budget))
  const found = [
    ...(byCandidate ? [matching('secret.candidate', named?.sentence ?? '')] : []),
    ...(named?.causes ?? []),
  ]
  const facts = factCauses.map((fact): DiagnosisCause => {
    const values = fact.state(subject)
    const { code, title, fix, where } = causeName(fact.code)
    if (values === null) {
      return { code, title, outcome: 'ruled_out', detail: fact.otherwise, fix, where }
    }
    const detail = describeCause({ code, values }).sentence
    return { code, title, outcome: 'matches', detail, fix, where, values }
  })
  const applying = facts.filter(({ outcome: state }) => state === 'matches')
  const rejected = isValid ? rejectedCause(input) : null
  const response = rejected && rejected.code !== serialized ? rejected : null
  const causes = isValid
    ? [...(response ? [responseCause(response)] : []), ...validCauses(outcome)]
    : [...found, ...applying, ...facts.filter((fact) => !applying.includes(fact))]
  const frameworks =
    isValid && (!response || isSilent(response))
      ? await frameworkGuesses(captured, input.response?.headers ?? [], budget)
      : []
  const candidate = input.candidate === undefined ? null : candidateOutcome(tried?.match ?? null)
  const result = { found, named, applying, searched, tried: budget.tried }
  const inFile =
    keyring.endpoint === 'file' ? conclusionForFile(outcome.verdict, candidate, found) : null
  const isProven = inFile !== null && candidate === 'matches'
  return {
    verdict: isProven ? 'valid' : outcome.verdict,
    conclusion: isValid
      ? validConclusion(outcome.secretName, response)
      : (inFile ?? conclusionOf(result)),
    causes: isProven ? causes.filter(({ outcome: state }) => state !== 'matches') : causes,
    producers: [...(named?.producers ?? [])],
    difference: named?.difference ?? null,
    tried: budget.tried,
    exhaustive: isExhaustive(searched),
    candidate,
    rejected: rejected && (response ?? serializedCause(rejected, frameworks)),
    frameworks,
    computed:
      input.computed === undefined
        ? null
        : await diagnoseComputed(
            { captured, keyring },
            input.computed,
            new TimeBudget(budget.limits),
          ),
  }
}

async function tryCandidate(
  subject: Subject,
  secret: string,
  budget: TimeBudget,
): Promise<Searched> {
  budget.upTo(0.5)
  const own = { words: candidateWords, secret }
  const alone = { ...subject, keyring: withoutOthers(subject.keyring), own }
  const searched = await search(alone, budget, candidateCost)
  budget.upTo(1)
  return searched
}

function withoutOthers(keyring: Keyring): Keyring {
  return { ...keyring, previous: null, others: [], access: [], identifiers: [] }
}

function candidateOutcome(match: Match | null): NonNullable<Diagnosis['candidate']> {
  if (!match) return 'differs'
  const isDocumented =
    match.text === null &&
    match.change === null &&
    match.scheme === null &&
    match.sum === right &&
    !match.isPrefix &&
    match.base.codes.length + match.reading.codes.length + (match.key?.codes.length ?? 0) === 0
  return isDocumented ? 'matches' : 'matches_changed'
}

function matching(name: CauseCode, detail: string): DiagnosisCause {
  const { code, title, fix, where } = causeName(name)
  return { code, title, outcome: 'matches', detail, fix, where }
}

const previousSecret = 'The signature is valid with the previous secret, not with the current one.'
const upperCaseDigits =
  'The digits are upper case. The API documentation says hex without specifying the case.'

function validCauses({ secretName, upperCase }: VerdictOutcome): DiagnosisCause[] {
  const previous = secretName === 'previous' ? [matching('secret.previous', previousSecret)] : []
  return upperCase ? [...previous, matching('encoding.upper_case', upperCaseDigits)] : previous
}

const maxFrameworks = 2
const serialized: CauseCode = 'handler.serialized'

/** A handler may reveal secrets in what it responds. */
function rejectedCause({ response, keyring }: DiagnoseInput): Cause | null {
  if (!response || response.status < 300) return null
  const { current, previous, others, access } = keyring
  const secrets = [...others, ...access].map(({ secret }) => secret)
  const own = [current, previous].filter((secret) => secret !== null)
  const { text } = createRedact([...own, ...secrets], '[secret]')
  return readResponse({ ...response, body: text(response.body) })
}

/** It may have checked the signature. */
function isSilent({ code, values }: Cause): boolean {
  return code === 'response.unknown' && values?.['said'] === undefined
}

function responseCause({ code, where, values = {} }: Cause): DiagnosisCause {
  const { title, sentence, fix } = describeCause({ code, values })
  return { code, title, outcome: 'matches', detail: sentence, fix, where, values }
}

function serializedCause(cause: Cause, frameworks: readonly FrameworkGuess[]): Cause {
  const writes = frameworks
    .filter(({ changes }) => changes)
    .slice(0, maxFrameworks)
    .map((guess) => guess.writes)
  if (writes.length === 0) return cause
  return { ...cause, values: { ...cause.values, writes: writes.join(' or ') } }
}

interface Conclusion {
  readonly found: readonly DiagnosisCause[]
  readonly named: Named | null
  /** Conditions that apply. */
  readonly applying: readonly DiagnosisCause[]
  readonly searched: Searched | null
  readonly tried: number
}

function conclusionOf({ found, named, applying, searched, tried }: Conclusion): string {
  const [first] = applying
  if (found.length > 0) {
    const titles = found.map(({ title }) => inSentence(title))
    const known = first ? `${first.title}. ` : ''
    const what =
      titles.length === 1
        ? `Found: ${titles[0] ?? ''}.`
        : `Found ${titles.length} causes together: ${titles.join('; ')}.`
    return known + what + describeProducers(named?.producers ?? [])
  }
  const decides = factCauses.some(({ code, decides: does }) => does && code === first?.code)
  if (first && decides) return `${first.title}. ${first.detail}`
  const hint = first ? ` Also note: ${inSentence(first.title)}.` : ''
  const { hasManyKeys = false, rounded } = searched ?? {}
  const digits = rounded
    ? ` The number ${quoteForeign(rounded.name)} may have lost its last digits on the way, which JavaScript rounds.`
    : ''
  return `${describeReach(searched, tried)}${hint} ${advice}${hasManyKeys ? ` ${unorderedKeys}` : ''}${digits}`
}

const unorderedKeys =
  'Other orders of its keys are too many to try: dictionaries of Perl, Swift, Lua, Raku and Rust, and maps of json-iterator for Go, are written in a random order.'

/** A file has no secrets: only the entered one proves anything. Null: a cause was found. */
function conclusionForFile(
  verdict: Verdict,
  candidate: Diagnosis['candidate'],
  found: readonly DiagnosisCause[],
): string | null {
  if (candidate === 'matches') {
    return 'The signature is valid with the secret that you entered: it is the HMAC-SHA256 of exactly the bytes of the body.'
  }
  if (found.length > 0) return null
  if (verdict === 'unsigned') return 'The delivery has no signature.'
  return candidate === null
    ? 'An event log holds no secrets. To check the signature, enter the secret of the endpoint.'
    : 'The secret that you entered does not produce this signature, with or without changes. Compare it with the secret on the dashboard.'
}

const advice =
  'The delivery was probably signed with another secret. Compare the secret on the dashboard with the one in Tabscope, or try the dashboard’s secret on this delivery. If they are equal, have the delivery sent without the proxy or tunnel in between, and find what changes the bytes.'

function describeProducers(names: readonly string[]): string {
  if (names.length === 0) return ''
  return ` ${listed(names, 'and')} ${names.length === 1 ? 'writes' : 'write'} what was signed.`
}

/** How far the search got: it can never try everything. */
function describeReach(searched: Searched | null, tried: number): string {
  const count = `${formatCount(tried)} combinations`
  if (!searched) return 'No known cause matches this signature.'
  if (!isExhaustive(searched)) {
    return `No known cause matches this signature. The time was too short for all single changes: ${count} were tried.`
  }
  const what =
    searched.reached >= pairCost
      ? 'All single changes, all common libraries and most pairs of common changes'
      : 'All single changes and all common libraries'
  return `No known cause matches this signature. ${what} were tried, in ${count}.`
}

function isExhaustive(searched: Searched | null): boolean {
  return !searched || searched.match !== null || searched.reached >= plausibleCost
}

function validConclusion(secretName: VerdictOutcome['secretName'], response: Cause | null): string {
  const valid =
    secretName === 'previous'
      ? 'The signature is valid with the previous secret: the signer does not use the new one yet.'
      : 'The signature is valid: it is the HMAC-SHA256 of exactly the received bytes.'
  if (response) return `${valid} ${describeCause(response).title}.`
  return `${valid} A handler that rejects this delivery checks it incorrectly: it must use the raw bytes of the body, before any parsing.`
}

/** Starts with a lower-case letter unless it is a name. */
function inSentence(title: string): string {
  return /^[A-Z][a-z]* /.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title
}

async function diagnoseComputed(
  { captured, keyring }: Pick<Subject, 'captured' | 'keyring'>,
  computed: string,
  budget: TimeBudget,
): Promise<NonNullable<Diagnosis['computed']>> {
  const delivered = subjectOf({ captured, keyring })
  const isRepeated = delivered.received.length > 1
  const readings = readingsOf([computed], [])
  const subject: Subject = { ...delivered, received: [computed], elsewhere: [], readings }
  const unknown = { outcome: 'unknown' as const, causes: [] }
  if (subject.readings.length === 0) {
    return { ...unknown, conclusion: 'The entered value is no digest: enter it in hex or base64.' }
  }
  const match = (await search(subject, budget)).match ?? (await cutMatch(subject))
  if (!match) {
    const conclusion = `The entered digest could not be explained with the known secrets, after ${formatCount(budget.tried)} combinations. The handler probably uses another secret, or another delivery.`
    return { ...unknown, conclusion }
  }
  const named = await nameMatch(subject, match, 'handler', budget)
  const causes = [...named.causes]
  if (causes.length === 0) {
    return {
      outcome: 'correct',
      conclusion: isRepeated
        ? 'The entered digest is the correct signature of the received bytes. The signature header came more than once: FastAPI, Quart, aiohttp, Go and servlets read the first value, serverless-offline the last, others all of them joined by a comma.'
        : 'The entered digest is the correct signature of the received bytes. The handler compares it incorrectly: look for a prefix, upper case, or a comparison with another header.',
      causes,
    }
  }
  return {
    outcome: 'explained',
    conclusion: `${named.sentence}${describeProducers(named.producers)}`,
    causes,
  }
}

/** With the current secret only: thousands of lengths are tried. */
async function cutMatch({ captured, own, keyring, readings }: Subject): Promise<Match | null> {
  const key = keysOf(own, keyring).likely.find(({ cost }) => cost === 0)
  if (!own || !key) return null
  const base = receivedBase(captured)
  const found = await cutOf(base.bytes, hmacKey(key.bytes), readings, new TimeBudget())
  const rest = { text: null, library: null, scheme: null, sum: right, isPrefix: false }
  return found && { ...rest, ...found, base, key }
}

function ownOf({ current }: Keyring): NamedSecret | null {
  return current === null ? null : { words: currentWords, secret: current }
}

function subjectOf({ captured, keyring }: DiagnoseInput): Subject {
  const name = headerName(captured.brand, 'signature')
  const headers: readonly Header[] = [...captured.headers, ...captured.trailers]
  const isOwn = ([header]: Header): boolean => header.toLowerCase() === name.toLowerCase()
  const received = signatureValues(captured.headers.filter(isOwn).map(([, value]) => value))
  const elsewhere = [
    ...headers.filter((header) => !isOwn(header)),
    ...captured.trailers.filter(isOwn),
  ]
    .filter(([header]) => /signature|hmac/i.test(header))
    .slice(0, maxOtherHeaders)
  return {
    captured,
    keyring,
    headerName: name,
    received,
    elsewhere,
    readings: readingsOf(received, elsewhere),
    own: ownOf(keyring),
  }
}

interface VerdictOutcome {
  readonly verdict: Verdict
  readonly secretName: 'current' | 'previous' | null
  /** The matching value has upper-case letters. */
  readonly upperCase: boolean
}

/** Works in slices: `verify` would block the thread with a large body. */
async function verdictOf(
  { keyring, received, captured }: Subject,
  budget: TimeBudget,
): Promise<VerdictOutcome> {
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
    const digest = await compute(right, key, captured.body, budget)
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
  readonly computed?: string | undefined
  /** Absent: that of a diagnosis on demand. */
  readonly enough?: BudgetLimits['enough']
}

/** Runs in the reader thread, which has the body, in slices of a few milliseconds, so that other queries do not wait longer than that. */
export async function diagnoseStored(
  db: Db,
  { id, keyring, candidate, computed, enough }: DiagnoseQuery,
): Promise<Diagnosis | null> {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  const brand = signingBrand(delivery, keyring.brand)
  return diagnose(
    {
      captured: { ...delivery, brand, body: body.bytes },
      keyring,
      candidate,
      computed,
      response: lastResponse(db, id),
    },
    new TimeBudget({ ...limitsFor(body.bytes), enough }),
  )
}

const triedAtOnce = 32
/** Not secrets, but what a sender without one signs with. */
const noSecretCodes: readonly CauseCode[] = ['secret.empty', 'secret.nothing']

/**
 * The secret that signed a delivery as documented: a known one, or a variant of one. Null: none is found, or it is no text. Unlike a diagnosis, the
 * result is a secret, and stays in the engine.
 */
export async function findSecret(
  db: Db,
  { id, keyring }: Pick<DiagnoseQuery, 'id' | 'keyring'>,
): Promise<string | null> {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  const { received } = signaturesOf(delivery, keyring.brand)
  const wanted = new Set(received.map((value) => value.toLowerCase()))
  const keys = keysOf(ownOf(keyring), keyring)
  const budget = new TimeBudget()
  for (const some of [() => keys.likely, keys.further]) {
    const tried = some().filter(
      ({ bytes, codes }) => isUtf8(bytes) && !codes.some((code) => noSecretCodes.includes(code)),
    )
    for (let from = 0; from < tried.length; from += triedAtOnce) {
      const bytes = tried.slice(from, from + triedAtOnce).map((key) => key.bytes)
      const digests = await computeAll(right, bytes, [body.bytes], budget)
      const at = digests?.findIndex((digest) => wanted.has(digest.toString('hex'))) ?? -1
      const found = bytes[at]
      if (found) return Buffer.from(found).toString('utf8')
      if (budget.over) return null
    }
  }
  return null
}

/** More than an error page has before what it says. */
const readBytes = 128 * 1024

function lastResponse(db: Db, id: number): HandlerResponse | null {
  const row = prepare<
    [number],
    { status: number | null; signing: string; headers: string | null; body: Uint8Array | null }
  >(
    db,
    `SELECT status, signing, record ->> '$.response.headers' AS headers,
       (SELECT response FROM attempt_body WHERE id = attempt.id) AS body
     FROM attempt WHERE delivery_id = ? ORDER BY id DESC LIMIT 1`,
  ).get(id)
  if (!row || row.signing === 'broken') return null
  const headers: Header[] = row.headers === null ? [] : JSON.parse(row.headers)
  return { status: row.status ?? 0, headers, body: textOf(row.body ?? new Uint8Array(0), headers) }
}

function textOf(body: Uint8Array, headers: readonly Header[]): string {
  try {
    return Buffer.from(decodeBody(body, headers)).toString('utf8', 0, readBytes)
  } catch {
    // Truncated, or not encoded as it says.
    return ''
  }
}
