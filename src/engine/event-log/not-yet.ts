/** Stands where a part is still being built. */
export function notYet(what: string): never {
  throw new Error(`${what} is still being built.`)
}
