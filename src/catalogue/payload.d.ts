/** The common properties of a webhook body (SPEC, "Webhook payload"). Loose: what came is never trusted to fit. */
export interface Payload {
  readonly type?: unknown
  readonly targetUuid?: unknown
  readonly targetId?: unknown
  readonly locationUuid?: unknown
  readonly locationName?: unknown
  readonly locationId?: unknown
  readonly createdAt?: unknown
  readonly data?: unknown
}
/** One common property, as the document's table has it. */
export interface CommonField {
  readonly key: keyof Payload
  readonly type: 'string' | 'object'
  readonly optional: boolean
  readonly description: string
  readonly label: string
}
export declare const commonFields: readonly CommonField[]
/** `value[key]` when value is a JSON object that has it, else undefined. */
export declare function field(value: unknown, key: string): unknown
/** The value as text for a line in the list: strings and numbers only, else the empty string. */
export declare function text(value: unknown): string
/** A number with two decimals, and no currency since the document gives none; else the empty string. */
export declare function amount(value: unknown): string
/** The parts that are not empty, joined. */
export declare function line(...parts: string[]): string
