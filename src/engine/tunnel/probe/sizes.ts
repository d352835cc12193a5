import type { SizeProbe, SizeStep } from '#contract/tunnel.ts'
import { ask, probeUrl } from './ask.ts'
import { randomBody } from './probe-body.ts'
import { searchSizes, type Tried } from './size-search.ts'
import { verdictOf } from './verdict.ts'
import { asSender } from './ways.ts'

/** How long one body may take: so many milliseconds and what it needs at a slow pace, and never more than `most`. */
export interface SizePace {
  readonly base: number
  readonly bytesPerSecond: number
  readonly most: number
}

export const patientPace: SizePace = { base: 15_000, bytesPerSecond: 64 * 1024, most: 90_000 }

/** Tries what sizes of body come through, and tells of each. Never rejects; aborted: as far as it came. */
export async function probeSizes(
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
