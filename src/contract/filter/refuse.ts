import type { FilterError } from './ast.ts'

/** Leaves the parser at the first place that is wrong. Never leaves `parseFilter`. */
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

/** Text of the filter as a sentence may repeat it. */
export function quote(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
