import { AppError } from '../../errors.ts'

/** Throws `not_found`. */
export function noDraft(id: number): never {
  throw new AppError('not_found', `There is no draft ${id} any more. Save it as a new one.`)
}
