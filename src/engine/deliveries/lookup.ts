import { AppError } from '../platform/errors.ts'

export function throwDeliveryNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
  )
}

export function throwAttemptNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Attempt ${id} does not exist. It may have been deleted with its delivery, or by the storage limits.`,
  )
}

export function throwJobNotFound(id: number): never {
  throw new AppError('not_found', `Job ${id} does not exist. It may have been removed.`)
}
