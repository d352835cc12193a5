import { AppError } from './errors.ts'

/** Throws `not_found` for a delivery that is not there (any more). */
export function gone(id: number): never {
  throw new AppError(
    'not_found',
    `There is no delivery ${id}. It may have been deleted, or have made room for newer ones.`,
  )
}

/** Throws `not_found` for an attempt that is not there (any more). */
export function attemptGone(id: number): never {
  throw new AppError(
    'not_found',
    `There is no attempt ${id}. It may have gone with its delivery, or have made room for newer ones.`,
  )
}
