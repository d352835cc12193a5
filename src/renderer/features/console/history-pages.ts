interface Pages<T> {
  /** Newest first. */
  readonly rows: readonly T[]
  /** True when there are earlier ones. */
  readonly more: boolean
}

/**
 * What is known of a list that is fetched a page at a time, after one more `page` came: the one below `before`, or the first one anew.
 * What lay below a first page stays when the page joins on to it; else it is asked for again.
 */
export function mergePage<T extends { readonly id: number }>(
  known: Pages<T>,
  page: readonly T[],
  pageSize: number,
  before: number | undefined,
): Pages<T> {
  const full = page.length === pageSize
  if (before !== undefined) {
    return { rows: [...known.rows.filter(({ id }) => id >= before), ...page], more: full }
  }
  const last = page.at(-1)
  const joins = full && last !== undefined && known.rows.some(({ id }) => id === last.id)
  if (!joins) return { rows: page, more: full }
  return { rows: [...page, ...known.rows.filter(({ id }) => id < last.id)], more: known.more }
}
