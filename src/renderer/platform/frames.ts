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
