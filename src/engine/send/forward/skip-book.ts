import type { Skip } from '../../store/send-writes.ts'

/** More stretches than this are not held: then neighbours become one, and memory stays as it is. */
const mostStretches = 1000

/**
 * What was not forwarded to one target, as stretches of deliveries that were left out for the same reason. `undecided` says whether anything
 * between two ids is still to be sent, or just being sent: that would be in a stretch that it does not belong to.
 */
export class SkipBook {
  readonly #undecided: (after: number, before: number) => boolean
  #stretches: Skip[] = []

  constructor(undecided: (after: number, before: number) => boolean) {
    this.#undecided = undecided
  }

  get isEmpty(): boolean {
    return this.#stretches.length === 0
  }

  add({ id, ...skip }: Omit<Skip, 'fromId' | 'toId' | 'count'> & { readonly id: number }): void {
    this.#put(this.#stretches, { ...skip, fromId: id, toId: id, count: 1 })
    if (this.#stretches.length <= mostStretches) return
    const [first, second, ...rest] = this.#stretches
    if (first && second) this.#stretches = [joined(first, second), ...rest]
  }

  /** All there are; from now on it is empty. What could not be one stretch when it was added may be by now. */
  take(): Skip[] {
    const taken: Skip[] = []
    for (const stretch of this.#stretches) this.#put(taken, stretch)
    this.#stretches = []
    return taken
  }

  #put(stretches: Skip[], next: Skip): void {
    const last = stretches.at(-1)
    const joins =
      last !== undefined &&
      last.reason === next.reason &&
      last.url === next.url &&
      last.types.join() === next.types.join() &&
      last.toId < next.fromId &&
      !this.#undecided(last.toId, next.fromId)
    if (joins) stretches[stretches.length - 1] = joined(last, next)
    else stretches.push(next)
  }
}

function joined(first: Skip, second: Skip): Skip {
  return {
    ...first,
    toId: Math.max(first.toId, second.toId),
    count: first.count + second.count,
  }
}
