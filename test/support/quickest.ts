/**
 * Returns the shortest time (ms) of up to five runs of `act`. Stops after a run shorter than `enough`. Temporary load slows down single
 * runs, while superlinear growth slows down all.
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
