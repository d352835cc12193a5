/** Of a body so much is searchable, in bytes, and what decodes to more is not decoded: one delivery must not hold the writer up. */
export const searchedBytes = 1024 * 1024

/** `delivery_ref.id` is `delivery_id * refSlots + slot`. */
export const refSlots = 16

/** Slots of a delivery: its body, its event, then the ids. */
export const bodySlot = 0
export const eventSlot = 1
export const firstIdSlot = 2
