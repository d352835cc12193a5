/** `deliveries.arrived` carries at most this many rows: more cannot be seen, and the interface fetches what it shows. */
export const arrivedAtMost = 100
