/** Minimum measurable time in milliseconds. Shorter times are rounded up to it. */
const measurable = 0.5
const attempts = 10

/** Limit between linear (2) and quadratic (4) growth when the input length is doubled. */
export const linearGrowth = 3.3

/** How time grows when the input length is doubled: 2 is linear, 4 quadratic. */
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
