/** Rows in `deliveries.arrived`. The interface fetches further rows when it shows them. */
export const arrivedAtMost = 100
