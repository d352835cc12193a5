import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Key, Message, Subject } from './subject.ts'
import type { Sum } from './sum.ts'

/** Texts never contain a secret. */
export interface CauseName {
  /** Stable: `secret.white_space`. */
  readonly code: string
  readonly title: string
  readonly fix: string
  readonly where: DiagnosisCause['where']
  /** From 0 (rare) to 100 (common), estimated from experience. Orders the attempts and the results. */
  readonly likelihood: number
}

export interface CauseText extends CauseName {
  /** What is tried, as a sentence. */
  readonly tries: string
  /** Never tried together with another cause, which would take too long for how unlikely it is. */
  readonly alone?: true
}

export interface FactCause extends CauseName {
  /** What is the case if the cause does not apply, as a sentence. */
  readonly otherwise: string
  /** Describes the cause; null if it does not apply. */
  readonly state: (subject: Subject) => string | null
  /** If the cause applies, no signature can match, or there is none to match. */
  readonly decides: boolean
}

/** A secret other than the endpoint's current one. */
export interface OtherKeyCause extends CauseText {
  readonly keys: (subject: Subject) => readonly Key[]
}

export interface ChangedSecret {
  readonly bytes: Uint8Array
  /** For messages, such as "without its trailing line break". */
  readonly words: string
  /** Set if the direction of the change shows which side made the mistake. */
  readonly where?: DiagnosisCause['where']
}

export interface KeyChange extends CauseText {
  readonly change: (secret: string) => readonly ChangedSecret[]
}

export interface MessageCause extends CauseText {
  /** Empty if the change would not affect this body. A string is a sentence that explains why the cause cannot be tried. */
  readonly messages: (subject: Subject) => Promise<readonly Message[] | string>
}

export interface SumCause extends CauseText {
  readonly sums: readonly Sum[]
}

export interface SchemeCause extends MessageCause {
  /** Causes that are part of the scheme and are not reported separately. */
  readonly implies: readonly string[]
  readonly keyChanges: readonly string[]
}
