/** Bodies that decode to more are not decoded, so that one delivery does not block the writer. */
export const searchedBytes = 1024 * 1024

/** `delivery_ref.id` is `delivery_id * refSlots + slot`. */
export const refSlots = 16

/** A range of rows of `delivery_text`. Without the casts, the text index reads all rows, because JavaScript's numbers are no integers for it. */
export function rowidBetween(lo: string, hi: string): string {
  return `rowid BETWEEN CAST(${lo} AS INTEGER) AND CAST(${hi} AS INTEGER)`
}

/** Slots of a delivery: its body, its event, then its IDs. */
export const bodySlot = 0
export const eventSlot = 1
export const firstIdSlot = 2
