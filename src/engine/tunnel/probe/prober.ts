import type { SizeProbe, TunnelProbe } from '#contract/tunnel.ts'
import { notYet } from '../not-yet.ts'

/** What a self-probe found. Beside what is shown: whether the address is answered by somebody else. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Asks of the public address what a sender would, and knows the answer of this very Tabscope from any other. Nothing here rejects. */
export interface Prober {
  /** One signed request with a nonce to `<origin>/hooks/.probe`, over a connection of its own, given up after `timeoutMs`. */
  probe(origin: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
  /** What a browser gets there; null: not known. */
  browser(origin: string, signal: AbortSignal): Promise<'ours' | 'interstitial' | null>
  /** Bodies from 1 KiB to 10 MiB, each step told; aborted: as far as it came. */
  sizes(origin: string, told: (probe: SizeProbe) => void, signal: AbortSignal): Promise<SizeProbe>
}

/** `key`: the one that the capture thread has. */
export function createProber(_key: Uint8Array): Prober {
  return {
    probe: () => notYet('the self-probe'),
    browser: () => notYet('the self-probe'),
    sizes: () => notYet('the size probe'),
  }
}
