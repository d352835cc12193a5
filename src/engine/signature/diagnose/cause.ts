import type { CauseCode } from '#catalogue/signature-causes.ts'
import type { Cause } from '#contract/models.ts'
import type { Key, Message, Subject } from './subject.ts'
import type { Sum } from './sum.ts'

/** The catalogue has its title and fix. Texts never contain a secret. */
export interface TriedCause {
  readonly code: CauseCode
  /** What is tried, as a sentence. */
  readonly tries: string
  /** Never tried together with another cause, which would take too long for how unlikely it is. */
  readonly alone?: true
}

export interface FactCause {
  readonly code: CauseCode
  /** What is the case if the cause does not apply, as a sentence. */
  readonly otherwise: string
  /** The values for the sentence in the catalogue; null if the cause does not apply. */
  readonly state: (subject: Subject) => CauseValues | null
  /** If the cause applies, no signature can match, or there is none to match. */
  readonly decides: boolean
}

export type CauseValues = NonNullable<Cause['values']>

/** A secret other than the endpoint's current one. */
export interface OtherKeyCause extends TriedCause {
  readonly keys: (subject: Subject) => readonly Key[]
}

export interface ChangedSecret {
  readonly bytes: Uint8Array
  /** For messages, such as "without its trailing line break". */
  readonly words: string
  /** Set if the direction of the change shows which side made the mistake. */
  readonly where?: Cause['where']
}

export interface KeyChange extends TriedCause {
  readonly change: (secret: string) => readonly ChangedSecret[]
}

export interface MessageCause extends TriedCause {
  /** Empty if the change would not affect this body. A string is a sentence that explains why the cause cannot be tried. */
  readonly messages: (subject: Subject) => Promise<readonly Message[] | string>
}

export interface SumCause extends TriedCause {
  readonly sums: readonly Sum[]
}

export interface SchemeCause extends MessageCause {
  /** Causes that are part of the scheme and are not reported separately. */
  readonly implies: readonly string[]
  readonly keyChanges: readonly string[]
}
