import { AppError } from '../../errors.ts'
import type { Item } from './claims.ts'

/** Why a job that stops at failures has paused. */
export function failureWords(
  { deliveryId }: Item,
  status: number | null,
  error: string | null,
): string {
  const how = error ?? `It was answered with ${status}.`
  return `Delivery ${deliveryId} failed. ${how} Resume to go on with the next one.`
}

/** Why nothing could be claimed. */
export function wordsOf(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'The store did not take down what comes next. Resume to try it again.'
}
