/** Stands for a part that is not built yet. */
export function notYet(what: string): never {
  throw new Error(`${what} is not built yet`)
}
