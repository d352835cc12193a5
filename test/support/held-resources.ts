import { until } from './until.ts'

/** What keeps this process from ending, counted by kind: sockets, pipes, children, timers, threads. Files that are being read are left out. */
export function heldResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^FS|^Immediate$|^CloseReq$/.test(kind)) continue
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** What is held beyond `before`, in words. */
export function heldBeyond(before: ReadonlyMap<string, number>): string[] {
  return [...heldResources()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count} ${kind}, before ${before.get(kind) ?? 0}`)
}

/** Waits until no more of any kind is held than was `before`. */
export async function untilHeldAgain(before: ReadonlyMap<string, number>): Promise<void> {
  try {
    await until('everything to be let go', () => heldBeyond(before).length === 0, 5000)
  } catch (error) {
    throw new Error(`still held: ${heldBeyond(before).join('; ')}`, { cause: error })
  }
}
