import type { Clock } from '../clock.ts'

/** Waits for what is to end, however long it takes; `stuck` is called when it takes longer than `ms`. */
export async function warnIfSlow<T>(
  ending: Promise<T>,
  clock: Clock,
  ms: number,
  stuck: () => void,
): Promise<T> {
  const callOff = clock.after(ms, stuck)
  try {
    return await ending
  } finally {
    callOff()
  }
}
