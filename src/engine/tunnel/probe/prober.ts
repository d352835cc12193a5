import { randomBytes } from 'node:crypto'
import type { SizeProbe, SizeStep, TunnelProbe } from '#contract/tunnel.ts'
import { ask, type Asked, type Heard, probeUrl } from './ask.ts'
import { probeBody, type ProbeBody, randomBody } from './format.ts'
import { failureSentence, isPage, otherAnswerSentence } from './sentences.ts'

/** What one body has shown. */
export interface Tried {
  readonly step: SizeStep
  /** Its time was over. */
  readonly isLate: boolean
}

const KiB = 1024
const MiB = 1024 * KiB

/** Tried one after the other, in bytes. */
const sizes = [KiB, 16 * KiB, 64 * KiB, 256 * KiB, MiB, 2 * MiB, 5 * MiB, 10 * MiB] as const

/** The largest that passed and the smallest that did not are at most so far apart, as a factor. */
const closeEnough = 1.12

/**
 * Looks for the largest body that comes through. Each size is told once: what did not pass is tried a second time first, so that a hiccup is
 * no limit. Ends early when `tryOne` returns null: it was called off.
 */
export async function searchSizes(
  tryOne: (bytes: number) => Promise<Tried | null>,
  told: (step: SizeStep) => void,
): Promise<void> {
  let largest = 0
  let failed: Tried | null = null
  for (const bytes of sizes) {
    const tried = await twice(tryOne, bytes, true)
    if (tried === null) return
    told(tried.step)
    if (tried.step.outcome !== 'passed') {
      failed = tried
      break
    }
    largest = bytes
  }
  let ownLimit = failed?.step.ownLimit ?? null
  let stopsAt = failed?.step.bytes ?? 0
  for (
    let next = between(largest, stopsAt, ownLimit);
    next !== null;
    next = between(largest, stopsAt, ownLimit)
  ) {
    const tried = await twice(tryOne, next, false)
    if (tried === null) return
    told(tried.step)
    if (tried.step.outcome === 'passed') largest = next
    else stopsAt = next
    ownLimit = tried.step.ownLimit ?? ownLimit
  }
}

/** What to try next between what passed and what did not; null: it is known well enough. */
function between(largest: number, stopsAt: number, ownLimit: number | null): number | null {
  if (largest === 0 || stopsAt === 0 || ownLimit === largest) return null
  // Then it is known to the byte where we stop ourselves, and all that is left to see is whether so much comes through.
  if (ownLimit !== null && ownLimit > largest && ownLimit < stopsAt) return ownLimit
  if (stopsAt <= largest * closeEnough) return null
  const grain = largest < 64 * KiB ? 64 : KiB
  return Math.round(Math.sqrt(largest * stopsAt) / grain) * grain
}

/** Near the limit, what hung once is not waited for again. */
async function twice(
  tryOne: (bytes: number) => Promise<Tried | null>,
  bytes: number,
  evenLate: boolean,
): Promise<Tried | null> {
  const first = await tryOne(bytes)
  if (first === null || first.step.outcome === 'passed' || first.step.ownLimit !== null)
    return first
  return first.isLate && !evenLate ? first : tryOne(bytes)
}

/** What one probe has shown. */
interface Verdict {
  readonly outcome: SizeStep['outcome']
  /** Somebody else, or another Tabscope, answers there. */
  readonly isOther: boolean
  readonly status: number | null
  /** As a sentence; null where it passed. */
  readonly reason: string | null
  /** The largest body that this Tabscope's listener takes, where that is what it stopped at; in bytes. */
  readonly ownLimit: number | null
}

const mib = 1024 * 1024

/** Judges what came back by what was sent. */
function verdictOf(heard: Heard, sent: ProbeBody, url: URL): Verdict {
  const none = { isOther: false, status: null, ownLimit: null }
  switch (heard.kind) {
    case 'ours':
      return verdictOfOurs(heard, sent)
    case 'stale':
      return {
        ...none,
        outcome: 'refused',
        status: heard.status,
        reason:
          'The response belongs to an earlier probe: something in between caches responses. Disable caching for /hooks/.',
      }
    case 'tabscope':
      return {
        ...none,
        outcome: 'refused',
        isOther: true,
        status: heard.status,
        reason:
          'Another Tabscope responds at this URL, or something in between removes headers. Reopen the tunnel, if necessary under another name.',
      }
    case 'other': {
      const { answer, text } = heard
      const isAnswer = answer.status >= 200 && answer.status < 300
      return {
        ...none,
        outcome: 'refused',
        isOther: isAnswer && !isPage(answer, text),
        status: answer.status,
        reason: otherAnswerSentence(url, answer, text),
      }
    }
    case 'failure':
      return { ...none, outcome: 'failed', reason: failureSentence(heard.failure, url) }
  }
}

function verdictOfOurs(
  { answer, status }: Extract<Heard, { kind: 'ours' }>,
  { content, sha256 }: ProbeBody,
): Verdict {
  const sent = content.byteLength
  const none = { isOther: false, status, ownLimit: null }
  switch (answer.outcome) {
    case 'whole':
      return answer.sha256 === sha256 && answer.bytes === sent
        ? { ...none, outcome: 'passed', reason: null }
        : { ...none, outcome: 'changed', reason: changedSentence(sent, answer.bytes) }
    case 'too_large':
      return {
        ...none,
        outcome: 'refused',
        reason: `It reached Tabscope, whose own body limit is ${+(answer.limit / mib).toFixed(3)} MiB. Raise it under Settings > Listener.`,
        ownLimit: answer.limit,
      }
    case 'busy':
      return {
        ...none,
        outcome: 'refused',
        reason: 'It reached Tabscope, which was busy with too many large bodies. Try again later.',
      }
    case 'broken':
      return {
        ...none,
        outcome: 'changed',
        reason: `Only ${answer.bytes} of ${sent} bytes arrived: something in between truncates bodies.`,
      }
  }
}

function changedSentence(sent: number, arrived: number): string {
  const how =
    sent === arrived
      ? `${arrived} bytes arrived, but not those that were sent`
      : `${sent} bytes were sent and ${arrived} arrived`
  return `The body was changed in transit: ${how}. Signatures would not match. Something in between rewrites bodies (compresses, filters or decodes them): disable that for /hooks/.`
}

type Way = Pick<Asked, 'method' | 'headers'>

/** As a sender has them. Whoever changes bodies has no reason to with this type, and no leave to compress the answer. */
const asSender: Way = {
  method: 'POST',
  headers: [
    ['User-Agent', 'Tabscope-Probe'],
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'identity'],
    ['Content-Type', 'application/octet-stream'],
  ],
}

/** As a browser opens a page: by these, servers choose whom to show one of theirs. */
const asBrowser: Way = {
  method: 'GET',
  headers: [
    [
      'User-Agent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['Accept-Encoding', 'identity'],
    ['Upgrade-Insecure-Requests', '1'],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'none'],
  ],
}

/** How long one body may take: so many milliseconds and what it needs at a slow pace, and never more than `most`. */
interface SizePace {
  readonly base: number
  readonly bytesPerSecond: number
  readonly most: number
}

const patientPace: SizePace = { base: 15_000, bytesPerSecond: 64 * 1024, most: 90_000 }

/** Tries what sizes of body come through, and tells of each. Never rejects; aborted: as far as it came. */
async function probeSizes(
  key: Uint8Array,
  origin: string,
  pace: SizePace,
  told: (probe: SizeProbe) => void,
  signal: AbortSignal,
): Promise<SizeProbe> {
  const url = probeUrl(origin)
  const steps: SizeStep[] = []
  const at = Date.now()
  const tell = (running: boolean): SizeProbe => {
    const probe = { at, running, url: origin, steps: [...steps], ...boundsOf(steps) }
    told(probe)
    return probe
  }
  tell(true)
  if (url !== null) {
    await searchSizes(
      (bytes) => tryOne(key, url, bytes, pace, signal),
      (step) => {
        steps.push(step)
        tell(true)
      },
    )
  }
  return tell(false)
}

async function tryOne(
  key: Uint8Array,
  url: URL,
  bytes: number,
  { base, bytesPerSecond, most }: SizePace,
  signal: AbortSignal,
): Promise<Tried | null> {
  const body = await randomBody(bytes)
  const timeout = Math.min(most, base + Math.round(bytes / bytesPerSecond) * 1000)
  const heard = await ask({ key, url, ...asSender, body, timeout, signal })
  const code = heard.kind === 'failure' ? heard.failure.code : null
  if (code === 'aborted') return null
  const { outcome, status, reason, ownLimit } = verdictOf(heard, body, url)
  return {
    step: { bytes, outcome, status, ms: heard.ms, reason, ownLimit },
    isLate: code === 'timeout',
  }
}

function boundsOf(steps: readonly SizeStep[]): Pick<SizeProbe, 'largest' | 'stopsAt'> {
  let largest: number | null = null
  let stopsAt: number | null = null
  for (const { bytes, outcome } of steps) {
    if (outcome === 'passed') largest = Math.max(largest ?? 0, bytes)
    else stopsAt = Math.min(stopsAt ?? bytes, bytes)
  }
  return { largest, stopsAt }
}

/** What a self-probe found. Beside what is shown: whether the address is answered by somebody else. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Asks of the public address what a sender would, and knows the answer of this very Tabscope from any other. Nothing here rejects. */
export interface Prober {
  /** One signed request with a nonce to `<origin>/hooks/_probe`, over a connection of its own, given up after `timeoutMs`. */
  probe(origin: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
  /** What a browser gets there; null: not known. */
  browser(origin: string, signal: AbortSignal): Promise<'ours' | 'interstitial' | null>
  /** Bodies from 1 KiB to 10 MiB, each step told; aborted: as far as it came. */
  sizes(origin: string, told: (probe: SizeProbe) => void, signal: AbortSignal): Promise<SizeProbe>
}

const bodyBytes = 200

/** Milliseconds. */
const browserMs = 10_000

/** `key`: the one that the capture thread has. */
export function createProber(key: Uint8Array, pace: SizePace = patientPace): Prober {
  const probe: Prober['probe'] = async (origin, timeout, signal) => {
    const at = Date.now()
    const url = probeUrl(origin)
    if (url === null) {
      const reason = 'The public address cannot be read. Look at how it is written.'
      return { at, ok: false, ms: 0, reason, code: 'probe_failed' }
    }
    const body = probeBody(randomBytes(bodyBytes))
    const heard = await ask({ key, url, ...asSender, body, timeout, signal })
    const { outcome, reason, isOther } = verdictOf(heard, body, url)
    const ok = outcome === 'passed'
    const code = ok ? 'probe_ok' : isOther ? 'other_answer' : 'probe_failed'
    return { at, ok, ms: heard.ms, reason, code }
  }

  const browser: Prober['browser'] = async (origin, signal) => {
    const url = probeUrl(origin)
    if (url === null) return null
    const heard = await ask({ key, url, ...asBrowser, body: null, timeout: browserMs, signal })
    if (heard.kind === 'ours') return 'ours'
    if (heard.kind !== 'other' || !isInBetween(heard)) return null
    // Only where a sender gets through is it the browser that is kept out.
    return (await probe(origin, browserMs, signal)).ok ? 'interstitial' : null
  }

  return {
    probe,
    browser,
    sizes: (origin, told, signal) => probeSizes(key, origin, pace, told, signal),
  }
}

/** Some servers lead a browser to their page, others put it in the place of the answer. */
function isInBetween({ answer, text }: Extract<Heard, { kind: 'other' }>): boolean {
  return (answer.status >= 300 && answer.status < 400) || isPage(answer, text)
}
