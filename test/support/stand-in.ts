/** What a test puts in the place of a part of Electron, which only Electron can make: nothing is there but what the test gave it. */
export function standIn<T extends object>(part: Partial<Record<keyof T, unknown>>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever asks for more than that fails
  return part as T
}
