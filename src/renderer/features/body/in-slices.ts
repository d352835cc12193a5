import { useEffect, useMemo, useState } from 'react'

/** Work that gives way: it yields often, and returns its result at the end. */
export type Sliced<T> = Generator<undefined, T>

/** Milliseconds of one slice: a frame has room for it. */
const slice = 8

/** Does the work in slices of a few milliseconds, so that nothing else waits for it. Null: it was stopped. */
async function inSlices<T>(work: Sliced<T>, signal: AbortSignal): Promise<{ value: T } | null> {
  while (!signal.aborted) {
    const until = performance.now() + slice
    do {
      const step = work.next()
      if (step.done === true) return { value: step.value }
    } while (performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return null
}

/** Does the work at once. */
export function finish<T>(work: Sliced<T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

/**
 * The result of `start`'s work, null while it runs; anew when `start` is another function, so it must be a stable one.
 * What is `small` is done at once, without a picture in between.
 */
export function useSliced<T>(start: () => Sliced<T>, small: boolean): T | null {
  const atOnce = useMemo(() => (small ? { value: finish(start()) } : null), [start, small])
  const [late, setLate] = useState<{ start: () => Sliced<T>; value: T } | null>(null)
  useEffect(() => {
    if (small) return undefined
    const stop = new AbortController()
    void inSlices(start(), stop.signal).then((done) => {
      if (done) setLate({ start, value: done.value })
    })
    return () => stop.abort()
  }, [start, small])
  if (atOnce) return atOnce.value
  return late?.start === start ? late.value : null
}
