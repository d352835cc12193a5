/**
 * The least time (ms) that `act` takes in up to five runs; none follows one that took less than `enough`. A machine that stands still lengthens one
 * of them, what grows out of proportion all.
 */
export function quickest(enough: number, act: () => void): number {
  let least = Infinity
  for (let run = 0; run < 5 && least >= enough; run += 1) {
    const begun = performance.now()
    act()
    least = Math.min(least, performance.now() - begun)
  }
  return least
}
