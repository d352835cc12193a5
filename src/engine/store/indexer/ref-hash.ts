import { hash } from 'node:crypto'

/** `body`: hex SHA-256 of the bytes kept. `event`: what `eventOf` says. `id`: an id as `idsOf` says it. */
export type RefKind = 'body' | 'event' | 'id'

/** Hex digits of 52 bits: a whole number that JavaScript and SQLite both hold exactly. */
const digits = 13

/**
 * By what `delivery_ref` finds deliveries: the first 52 bits of the SHA-256 of kind and text. Pure. Two texts in a million share theirs
 * with a chance of one in ten thousand, so whoever must be sure compares what was found.
 */
export function refHash(kind: RefKind, text: string): number {
  return Number.parseInt(hash('sha256', `${kind}:${text}`, 'hex').slice(0, digits), 16)
}
