/** Runs one request at a time. Of the requests made in the meantime, only the last one runs afterwards. `run` must not reject. */
export function latestOnly<T>(run: (request: T) => Promise<void>): (request: T) => void {
  let running = false
  let next: { readonly request: T } | null = null

  async function runUntilIdle(first: T): Promise<void> {
    running = true
    let request = first
    for (;;) {
      next = null
      await run(request)
      const current = waiting()
      if (current === null) break
      request = current.request
    }
    running = false
  }

  function waiting(): { readonly request: T } | null {
    return next
  }

  return (request) => {
    if (running) next = { request }
    else void runUntilIdle(request)
  }
}

/** Calls `apply` at most once for each animation frame. */
export function oncePerFrame(apply: () => void): () => void {
  let scheduled = false
  return () => {
    if (scheduled) return
    scheduled = true
    requestAnimationFrame(() => {
      scheduled = false
      apply()
    })
  }
}

/** Throttles `work` to once in `ms` milliseconds. Calls in between run once at the end of the interval. */
export function throttled(
  ms: number,
  work: () => void,
): { readonly run: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let pending = false

  function begin(): void {
    pending = false
    work()
    timer = setTimeout(() => {
      timer = null
      if (pending) begin()
    }, ms)
  }

  return {
    run: () => {
      if (timer === null) begin()
      else pending = true
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      pending = false
    },
  }
}
