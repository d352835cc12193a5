/**
 * Runs one request at a time. Of the requests made in the meantime, only the last one runs afterwards. `run` must not
 * reject.
 */
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
