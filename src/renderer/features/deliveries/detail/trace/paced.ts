/** Runs at most once in `ms` milliseconds: what is wanted meanwhile is done once, at the end of them. */
export function paced(
  ms: number,
  work: () => void,
): { readonly run: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let wanted = false

  function begin(): void {
    wanted = false
    work()
    timer = setTimeout(() => {
      timer = null
      if (wanted) begin()
    }, ms)
  }

  return {
    run: () => {
      if (timer === null) begin()
      else wanted = true
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      wanted = false
    },
  }
}
