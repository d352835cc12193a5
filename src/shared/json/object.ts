export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
