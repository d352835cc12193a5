/**
 * Runs one at a time, and of what is wanted meanwhile only the last: a fast writer asks neither too often nor too late. `run` must not
 * reject.
 */
export function latestOnly<T>(run: (wanted: T) => Promise<void>): (wanted: T) => void {
  let running = false
  let next: { readonly wanted: T } | null = null

  async function go(first: T): Promise<void> {
    running = true
    let wanted = first
    for (;;) {
      next = null
      await run(wanted)
      const current = waiting()
      if (current === null) break
      wanted = current.wanted
    }
    running = false
  }

  function waiting(): { readonly wanted: T } | null {
    return next
  }

  return (wanted) => {
    if (running) next = { wanted }
    else void go(wanted)
  }
}
