import { z } from 'zod'

export const Wire = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), data: z.unknown(), ports: z.array(z.number()) }),
  z.object({
    kind: z.literal('port'),
    port: z.number(),
    data: z.unknown(),
    ports: z.array(z.number()),
  }),
  z.object({ kind: z.literal('port-closed'), port: z.number() }),
])
export type Wire = z.infer<typeof Wire>

export type ToPage =
  | {
      readonly kind: 'ipc'
      readonly channel: string
      readonly args: readonly unknown[]
      readonly ports: readonly number[]
    }
  | { readonly kind: 'port'; readonly port: number; readonly data: unknown }
  | { readonly kind: 'port-closed'; readonly port: number }

export type FromPage =
  | { readonly kind: 'ipc'; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: 'port'; readonly port: number; readonly data: unknown }

/**
 * Encodes a value as JSON with tagged bytes. Rejects values that JSON cannot represent. This function and `revive` run on both
 * sides, and are sent to the page as source code, so they must not use outer variables.
 */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === undefined || typeof inner === 'function' || typeof inner === 'bigint')
      throw new TypeError(`The double carries plain data and bytes, not ${typeof inner}`)
    if (inner instanceof Uint8Array) {
      let text = ''
      for (const byte of inner) text += String.fromCodePoint(byte)
      return { $bytes: btoa(text) }
    }
    return inner
  })
}

/** Reviver for `JSON.parse` that restores the bytes tagged by `encode`. */
export function revive(_key: string, inner: unknown): unknown {
  if (typeof inner !== 'object' || inner === null || !('$bytes' in inner)) return inner
  return Uint8Array.from(atob(String(inner.$bytes)), (character) => character.codePointAt(0) ?? 0)
}
