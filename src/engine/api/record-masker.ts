import { Masker } from '../records/masker.ts'
import type { KnownSecret } from './known-secrets.ts'

/**
 * Holds back what is known, and what a record finds out. The latter gets names of its own (`kept_token`), so that no marker is ever taken for
 * that of a token which comes later.
 */
export class RecordMasker extends Masker {
  readonly #known = new Set<string>()

  constructor(known: readonly KnownSecret[]) {
    super()
    for (const { name, label, value } of known) this.#known.add(super.hold(name, label, value))
  }

  override hold(name: string, label: string, value: string, everywhere = true): string {
    return super.hold(`kept_${name}`, label, value, everywhere)
  }

  /** Whether the name is that of a token or an access secret, which live elsewhere. */
  lives(name: string): boolean {
    return this.#known.has(name)
  }
}
