/** Runs what it is given one after the other, in the order in which it came; one that fails keeps none from its turn. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

export function createTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
