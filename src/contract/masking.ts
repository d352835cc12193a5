import { z } from 'zod'

/**
 * Of a field in records that are masked: `keep` shows its values as they are, `mask` hides them although the field is documented and harmless. Names as in a
 * preview: as in filters (`data.loyaltyTier`, `data.items[].note`, `body.remark`), and `header x-shop`, `path`, `note`, `tag`.
 */
export const FieldChoice = z.object({
  field: z.string().trim().min(1).max(500),
  as: z.enum(['keep', 'mask']),
})
export type FieldChoice = z.infer<typeof FieldChoice>

export const maxFieldChoices = 200

const Count = z.int().nonnegative()

/** How the values of a field leave. */
export const MaskedField = z.object({
  /** As in `FieldChoice`. */
  field: z.string(),
  /** False: it is worth a look, because its values may be needed. */
  documented: z.boolean(),
  kept: Count,
  aliases: Count,
  masked: Count,
  /** At most three. */
  examples: z.array(
    z.object({ deliveryId: z.int().positive().nullable(), was: z.string(), becomes: z.string() }),
  ),
})
export type MaskedField = z.infer<typeof MaskedField>

/** A text that leaves as it is. */
export const KeptText = z.object({ field: z.string(), text: z.string(), values: Count })
export type KeptText = z.infer<typeof KeptText>
