import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Key, Message, Subject } from './subject.ts'
import type { Sum } from './sum.ts'

/** What is said of a cause. None of these texts ever holds a secret. */
export interface CauseName {
  /** Stable: `secret.white_space`. */
  readonly code: string
  /** What it would be, as a statement without its full stop. */
  readonly title: string
  readonly fix: string
  readonly where: DiagnosisCause['where']
  /** Orders what is tried and what is told: 0 hardly ever, 100 all the time. A guess from experience, not from the document. */
  readonly likelihood: number
}

export interface CauseText extends CauseName {
  /** What is tried, as a sentence. */
  readonly tries: string
  /** True: it is not tried together with another cause, which would take more time than it is likely. */
  readonly alone?: true
}

/** A fact that can be seen without computing anything. */
export interface FactCause extends CauseName {
  /** What is so instead, as a sentence. */
  readonly otherwise: string
  /** Says what is so; null: it is not so. */
  readonly state: (subject: Subject) => string | null
  /** True: with this so, no signature can match, or there is none to match. */
  readonly decides: boolean
}

/** Another secret than the endpoint's current one. */
export interface OtherKeyCause extends CauseText {
  readonly keys: (subject: Subject) => readonly Key[]
}

/** What a secret would be, changed in one way. */
export interface ChangedSecret {
  readonly bytes: Uint8Array
  /** "without the line break behind it" */
  readonly words: string
  /** Set where this way round says on whose side the mistake is. */
  readonly where?: DiagnosisCause['where']
}

/** One and the same secret, its bytes taken in another way. */
export interface KeyChange extends CauseText {
  readonly change: (secret: string) => readonly ChangedSecret[]
}

/** Other bytes than those of the body. */
export interface MessageCause extends CauseText {
  /** None: with this body it would be nothing else. A sentence: why it cannot be tried. */
  readonly messages: (subject: Subject) => Promise<readonly Message[] | string>
}

/** Another algorithm than HMAC-SHA256. */
export interface SumCause extends CauseText {
  readonly sums: readonly Sum[]
}

/** A way of signing that others have made known: its message, and what else belongs to it. */
export interface SchemeCause extends MessageCause {
  /** Codes that are part of the scheme, and so no departures of their own. */
  readonly implies: readonly string[]
  /** The codes of key changes that belong to it. */
  readonly keyChanges: readonly string[]
}
