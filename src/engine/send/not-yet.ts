import { AppError } from '../errors.ts'

/** Stands where a part is still being built. */
export function notYet(what: string): never {
  throw new AppError('internal', `${what} is not built yet.`)
}
