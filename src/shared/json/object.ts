export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is a JSON object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
