/**
 * A condition on `delivery AS d`, never NULL, so that `NOT` means what it says. A unary plus keeps each column from driving the plan:
 * which index does is chosen in `drivers.ts`, and not by statistics.
 */
export interface Condition {
  readonly sql: string
  /** What it costs a row: 0 its own columns, 1 a look into a small index, 2 into the text index, 3 its headers, 4 its body. */
  readonly cost: number
}

/** The cheapest first, since the rest may then be spared. */
export function joined(by: string, parts: readonly Condition[]): Condition {
  const sorted = parts.toSorted((a, b) => a.cost - b.cost)
  return {
    sql: `(${sorted.map(({ sql }) => sql).join(by)})`,
    cost: Math.max(...parts.map(({ cost }) => cost)),
  }
}
