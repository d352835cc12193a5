import { setPriority } from 'node:os'

/** On Linux this reaches the calling thread alone, elsewhere the process: then it is left as it is. `nice`: 1 to 19, the higher the lower. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, nice)
  } catch {
    // Some sandboxes forbid it. It is a courtesy, not a need.
  }
}
