/** What is known of a block: how many match, and in which places, newest first, where they are few or were dear to find. */
export interface Known {
  readonly count: number
  /** Ids less the block's first. Null: they are looked up again. */
  readonly places: Uint16Array | null
  /** How many of the block were gone when it was looked at: it is looked at again when more are. */
  readonly missing: number
}

/** The newest block is known up to an id. */
export interface Open extends Known {
  readonly block: number
  readonly upTo: number
}

/** A block that is being looked at: a piece at a time, newest first. */
export interface Begun {
  readonly block: number
  readonly lowest: number
  readonly upTo: number
  readonly missing: number
  next: number
  count: number
  places: number[] | null
}
