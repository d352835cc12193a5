import type { LogHead } from '#contract/event-log.ts'
import type { Removal, RedactionRule } from '#contract/logs.ts'
import type { LogItem } from '../items.ts'
import { notYet } from '../not-yet.ts'

/** A value that Tabscope itself knows to be secret. */
export interface KnownSecret {
  readonly kind: 'secret' | 'token' | 'code'
  readonly value: string
}

export interface RedactorOptions {
  /** Secrets of webhooks, access secrets, tokens, refresh tokens, in clear text. */
  readonly known: readonly KnownSecret[]
  /** Handles of guests that the source is known to hold, wherever they may be mentioned. */
  readonly handles: Iterable<string>
  /** Names of headers that are configured on endpoints: their values are the user's. */
  readonly customHeaders: readonly string[]
  readonly rules: readonly RedactionRule[]
  /** Random bytes that exist for one log alone: the same value becomes the same pseudonym in it, and nobody can go back. */
  readonly key: Uint8Array
}

/** Takes out of a log what nobody else should see. */
export interface Redactor {
  head(head: LogHead): LogHead
  item<I extends LogItem>(item: I): I
  /** How many values of each kind were taken out so far. */
  removed(): Readonly<Record<string, number>>
  /** By place, most values first, at most 500. */
  removals(): Removal[]
}

/** Throws `bad_input` for a rule that cannot be read. */
export function createRedactor(_options: RedactorOptions): Redactor {
  return notYet('The redaction')
}
