import * as z from 'zod'

/** Names of headers are the same in any case. */
function withLowerHeader(field: string): string {
  return /^(?:response )?header /i.test(field) ? field.toLowerCase() : field
}

/**
 * Of a field in records that are masked: `keep` shows its values as they are, `mask` hides them although the field is documented and harmless. Names as in a
 * preview: as in filters (`data.loyaltyTier`, `data.items[].note`, `body.remark`), and `header x-shop`, `path`, `note`, `tag`.
 */
export const FieldChoice = z.object({
  field: z.string().trim().min(1).max(500).overwrite(withLowerHeader),
  as: z.enum(['keep', 'mask']),
})
export type FieldChoice = z.infer<typeof FieldChoice>

export const maxFieldChoices = 200

/** False: its values cannot be kept. `field`: as in `FieldChoice`. */
export function canChoose(field: string): boolean {
  return field !== secretKeyField && !isOmittedBody(field)
}

/** In the place of the names of fields that hold a secret. */
export const secretKeyField = 'key that holds a secret'

/** Whether it stands for bodies that are left out. */
export function isOmittedBody(field: string): boolean {
  return field === 'body' || field.endsWith(' body')
}

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
  /** At most three. `was` null: not shown, since it may be a secret. */
  examples: z.array(
    z.object({
      deliveryId: z.int().positive().nullable(),
      was: z.string().nullable(),
      becomes: z.string(),
    }),
  ),
})
export type MaskedField = z.infer<typeof MaskedField>

/** A text that leaves as it is. */
export const KeptText = z.object({ field: z.string(), text: z.string(), values: Count })
export type KeptText = z.infer<typeof KeptText>
