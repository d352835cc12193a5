import { until } from './until.ts'

/** Counts the resources that keep this process alive by kind: sockets, pipes, children, timers, threads. Excludes files that are being read. */
export function openResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^FS|^Immediate$|^CloseReq$/.test(kind)) continue
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

export function leakedResources(before: ReadonlyMap<string, number>): string[] {
  return [...openResources()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count} ${kind}, before ${before.get(kind) ?? 0}`)
}

/** Waits until there are no more resources of any kind than in `before`. */
export async function untilResourcesReleased(before: ReadonlyMap<string, number>): Promise<void> {
  try {
    await until('everything to be let go', () => leakedResources(before).length === 0, 5000)
  } catch (error) {
    throw new Error(`still held: ${leakedResources(before).join('; ')}`, { cause: error })
  }
}
