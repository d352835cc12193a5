import { z } from 'zod'

/** What crosses between the double's main process and its utility process. */
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

/** What main tells the page's side. */
export type ToPage =
  | {
      readonly kind: 'ipc'
      readonly channel: string
      readonly args: readonly unknown[]
      readonly ports: readonly number[]
    }
  | { readonly kind: 'port'; readonly port: number; readonly data: unknown }
  | { readonly kind: 'port-closed'; readonly port: number }

/** What the page's side tells main. */
export type FromPage =
  | { readonly kind: 'ipc'; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: 'port'; readonly port: number; readonly data: unknown }

/**
 * A value as JSON in which bytes are tagged; everything that JSON would lose is refused. This and `revive` run on both
 * sides, and reach the page as source: they use nothing from outside.
 */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === undefined || typeof inner === 'function' || typeof inner === 'bigint') {
      throw new TypeError(`The double carries plain data and bytes, not ${typeof inner}`)
    }
    if (inner instanceof Uint8Array) {
      let text = ''
      for (const byte of inner) text += String.fromCodePoint(byte)
      return { $bytes: btoa(text) }
    }
    return inner
  })
}

/** For `JSON.parse`: gives back the bytes that `encode` has tagged. */
export function revive(_key: string, inner: unknown): unknown {
  if (typeof inner !== 'object' || inner === null || !('$bytes' in inner)) return inner
  return Uint8Array.from(atob(String(inner.$bytes)), (character) => character.codePointAt(0) ?? 0)
}
