import type { FilterError } from './ast.ts'

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

/** For an error message. */
export function quote(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
