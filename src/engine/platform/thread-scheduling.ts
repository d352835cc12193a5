import { setPriority } from 'node:os'

/** Only on Linux: elsewhere it would affect the whole process. `nice`: 1 to 19, 19 is the lowest priority. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, nice)
  } catch {
    // Some containers do not allow it. It is only an optimization.
  }
}
