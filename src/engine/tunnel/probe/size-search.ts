import type { SizeStep } from '#contract/tunnel.ts'

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
