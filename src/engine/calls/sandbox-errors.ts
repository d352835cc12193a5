import { AppError } from '../errors.ts'

/** What the sandbox cannot do it says in a sentence for people, which is passed on; the words of any other error are not for them. */
export async function withSandboxErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SandboxError') throw error
    throw new AppError('sandbox_failed', error.message, { retry: 'later', cause: error })
  }
}
