/** `to`: after the last character. */
export interface Span {
  readonly from: number
  readonly to: number
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

/** As written. `*` in an unquoted value matches any characters. */
export interface FilterValue extends Span {
  readonly text: string
  readonly quoted: boolean
}

/** `field` with several values means any of them (`type:A,B`). */
export type Filter =
  | ({ readonly kind: 'all' } & Span)
  | ({ readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] } & Span)
  | ({ readonly kind: 'not'; readonly part: Filter } & Span)
  | ({
      readonly kind: 'text'
      readonly text: string
      /** The last word must match completely, unless the text ends with `*`. Unquoted, it is a prefix. */
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
  readonly message: string
}

export type ParsedFilter =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly error: FilterError }

/** Exits the parser at the first error. Always caught by `parseFilter`. */
export class Refused extends Error {
  readonly error: FilterError

  constructor(error: FilterError) {
    super(error.message)
    this.error = error
  }
}

export function refuse(from: number, to: number, message: string): never {
  throw new Refused({ from, to, message })
}

export function quote(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
