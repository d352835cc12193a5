import { randomBytes } from 'node:crypto'
import type { SizeProbe, TunnelProbe } from '#contract/tunnel.ts'
import { ask, probeUrl, type Heard } from './ask.ts'
import { probeBody } from './probe-body.ts'
import { isPage } from './sentences.ts'
import { patientPace, probeSizes, type SizePace } from './sizes.ts'
import { verdictOf } from './verdict.ts'
import { asBrowser, asSender } from './ways.ts'

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
