import { randomUUID } from 'node:crypto'
import type { Filling } from '../prepare/placeholders.ts'

/** So many UUIDs are the same in each preview; a body of more than these is nothing to look at. */
const steady = 200

/** Fills in previews: UUIDs are the same each time, so that only what is written changes before the eyes. What is sent has new ones. */
export function createPreviewFilling(): (counter: number) => Filling {
  const kept: string[] = []
  return (counter) => {
    let next = 0
    const uuid = (): string => {
      if (next >= steady) return randomUUID()
      const found = (kept[next] ??= randomUUID())
      next += 1
      return found
    }
    return { now: new Date(), uuid, counter }
  }
}
