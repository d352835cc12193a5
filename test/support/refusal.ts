import { AppError } from '#engine/platform/errors.ts'

/** The error with which `act` is refused. */
export function refusal(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

export async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const outcome = await work.catch((error: unknown) => error)
  if (outcome instanceof AppError) return outcome
  throw new Error('it was not refused', { cause: outcome })
}
