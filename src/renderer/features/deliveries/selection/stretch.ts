/** What is known of the list: the id at a place, null while its row is not here. */
interface Places {
  idAt(index: number): number | null
}

export interface Stretch {
  readonly ids: readonly number[]
  /** Places whose rows are not here: from one, up to before another. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[]
}

/** The ids between two places of the list, both taken in, whichever comes first. */
export function stretchBetween(rows: Places, one: number, other: number): Stretch {
  const ids: number[] = []
  const gaps: { from: number; to: number }[] = []
  for (let place = Math.min(one, other); place <= Math.max(one, other); place += 1) {
    const id = rows.idAt(place)
    const last = gaps.at(-1)
    if (id !== null) ids.push(id)
    else if (last?.to === place) last.to = place + 1
    else gaps.push({ from: place, to: place + 1 })
  }
  return { ids, gaps }
}
