/** Calls `apply` at most once an animation frame, however often it is asked. */
export function oncePerFrame(apply: () => void): () => void {
  let asked = false
  return () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      apply()
    })
  }
}
