import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Key, Message, Subject } from './subject.ts'
import type { Sum } from './sum.ts'

/** Texts that describe a cause. They never contain a secret. */
export interface CauseName {
  /** Stable: `secret.white_space`. */
  readonly code: string
  /** The cause as a statement, without a full stop. */
  readonly title: string
  readonly fix: string
  readonly where: DiagnosisCause['where']
  /** Orders the attempts and the results, from 0 (rare) to 100 (common). Estimated from experience, not from the API documentation. */
  readonly likelihood: number
}

export interface CauseText extends CauseName {
  /** What is tried for the cause, as a sentence. */
  readonly tries: string
  /** True: never tried together with another cause, which would take too long for how unlikely it is. */
  readonly alone?: true
}

/** A cause that can be seen without computing a signature. */
export interface FactCause extends CauseName {
  /** What is the case if the cause does not apply, as a sentence. */
  readonly otherwise: string
  /** Describes the cause if it applies; otherwise null. */
  readonly state: (subject: Subject) => string | null
  /** True: if the cause applies, no signature can match, or there is none to match. */
  readonly decides: boolean
}

/** A secret other than the endpoint's current one. */
export interface OtherKeyCause extends CauseText {
  readonly keys: (subject: Subject) => readonly Key[]
}

/** A secret with one change. */
export interface ChangedSecret {
  readonly bytes: Uint8Array
  /** Describes the change in messages, for example "without its trailing line break". */
  readonly words: string
  /** Set if the direction of the change shows which side has the mistake. */
  readonly where?: DiagnosisCause['where']
}

/** The same secret, converted to bytes in another way. */
export interface KeyChange extends CauseText {
  readonly change: (secret: string) => readonly ChangedSecret[]
}

/** Bytes other than those of the body. */
export interface MessageCause extends CauseText {
  /** Empty if the change would not affect this body. A string is a sentence that explains why the cause cannot be tried. */
  readonly messages: (subject: Subject) => Promise<readonly Message[] | string>
}

/** An algorithm other than HMAC-SHA256. */
export interface SumCause extends CauseText {
  readonly sums: readonly Sum[]
}

/** A well-known signature scheme: its message, and the other causes that belong to it. */
export interface SchemeCause extends MessageCause {
  /** Codes of causes that are part of the scheme and are not reported separately. */
  readonly implies: readonly string[]
  /** Codes of key changes that the scheme uses. */
  readonly keyChanges: readonly string[]
}
