import { isObject, type JsonObject } from '#shared/json/object.ts'

/** How another tool writes received requests as JSON: a list, an object that has it in `member`, or one request. */
export interface RequestList {
  readonly tool: string
  /** The beginning of a file contains all texts of one of these. */
  readonly marks: readonly (readonly string[])[]
  readonly member: string
  /** As an entry of a HAR file. Its values are checked later; without `request`, it is skipped. */
  readonly entry: (request: JsonObject) => JsonObject
}

/** As in HAR, from an object with one or several values for each name. */
export function headerPairs(headers: unknown): { name: string; value: unknown }[] {
  return Object.entries(isObject(headers) ? headers : {}).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  )
}
