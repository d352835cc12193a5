import { clockMinutes, dayOf } from '#renderer/components/text/time.ts'

/** `Sat, 21 Nov 2026, 21:09`, in the zone of this machine. `at`: milliseconds since the epoch. */
export function minuteOf(at: number): string {
  return `${dayOf(at)}, ${clockMinutes(at)}`
}
