/** What takes less is not told from noise, in milliseconds: it counts as this long. */
const measurable = 0.5
const attempts = 10

/** Between what is linear (2) and what is quadratic (4), for an input that is twice as long. */
export const linearGrowth = 3.3

/**
 * By what factor something takes longer when its input is twice as long: 2 for what is linear, 4 for what is quadratic. Measured over four
 * doublings, by the quickest of several runs of each: a busy machine makes runs longer, never shorter. It is measured again while the result
 * does not look linear.
 */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const small = work(size)
  const large = work(size * 16)
  let smallest = Number.POSITIVE_INFINITY
  let largest = Number.POSITIVE_INFINITY
  let factor = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && factor >= linearGrowth; attempt += 1) {
    smallest = Math.min(smallest, took(small), took(small), took(small))
    largest = Math.min(largest, took(large))
    factor = (largest / Math.max(smallest, measurable)) ** (1 / 4)
  }
  return factor
}

function took(run: () => unknown): number {
  const began = performance.now()
  run()
  return performance.now() - began
}
