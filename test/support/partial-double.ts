/** Returns a partial test double of an Electron object with only the given members. */
export function partialDouble<T extends object>(part: Partial<Record<keyof T, unknown>>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- access to other members fails
  return part as T
}
