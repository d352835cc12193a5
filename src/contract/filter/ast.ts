/** Where in the filter's text something stands: from the first character's place to that behind the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

/** One value as written; `*` in one that was not quoted stands for any characters. */
export interface FilterValue extends Span {
  readonly text: string
  readonly quoted: boolean
}

/** A filter as a tree. `field` with several values means any of them (`type:A,B`). */
export type Filter =
  | ({ readonly kind: 'all' } & Span)
  | ({ readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] } & Span)
  | ({ readonly kind: 'not'; readonly part: Filter } & Span)
  | ({
      readonly kind: 'text'
      readonly text: string
      /** In quotation marks: its last word is a whole word, unless `*` ends the text. Else it is the beginning of one. */
      readonly quoted: boolean
    } & Span)
  | ({
      readonly kind: 'field'
      /** As in `fields.ts`: `type`, `lag`, `header`, `data` ... */
      readonly field: string
      /** `data.order.total`: `['order', 'total']`; `header:x-id`: `['x-id']`; else empty. */
      readonly path: readonly string[]
      readonly comparison: Comparison
      readonly values: readonly FilterValue[]
    } & Span)

export interface FilterError extends Span {
  /** A sentence that says what to write instead. */
  readonly message: string
}

export type ParsedFilter =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly error: FilterError }
