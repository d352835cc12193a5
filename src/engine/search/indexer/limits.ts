/** Bodies that decode to more are not decoded, so that one delivery does not block the writer. */
export const searchedBytes = 1024 * 1024

/** `delivery_ref.id` is `delivery_id * refSlots + slot`. */
export const refSlots = 16

/** Slots of a delivery: its body, its event, then its IDs. */
export const bodySlot = 0
export const eventSlot = 1
export const firstIdSlot = 2
