import { z } from 'zod'
import { Id } from './models.ts'

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** Which bytes of a body: `offset` to `offset + length`, as kept, or with `decoded` of what its `Content-Encoding` undoes to. */
export const bodySliceInput = z.object({
  id: Id,
  offset: z.int().nonnegative(),
  length: z
    .int()
    .min(1)
    .max(4 * 1024 * 1024),
  decoded: z.boolean(),
})

/** `size` is the length of the whole in that form. */
export const BodySlice = z.object({ bytes: Bytes, size: z.int().nonnegative() })
