import { z } from 'zod'

/** Of which event log deliveries are asked for; null: the live store. Ids of deliveries are those of their own log. */
export const LogId = z.int().positive().nullable().default(null)
