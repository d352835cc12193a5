import { AppError } from '#engine/errors.ts'
import { confirms } from './output.ts'
import type { Session } from './session.ts'

/**
 * Does what may go to a target for the first time. One that is neither here nor in a private network is asked about once: `allowed` says
 * yes beforehand, a terminal is asked. Throws `target_unconfirmed` where nobody can be.
 */
export async function confirming<T>(
  session: Pick<Session, 'call'>,
  { allowed, asks }: { allowed: boolean; asks: boolean },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'target_unconfirmed') throw error
    const origin = error.details?.['origin']
    if (typeof origin !== 'string') throw error
    if (!allowed && !(asks && (await askAbout(origin)))) {
      throw new AppError('target_unconfirmed', `${error.message} To allow it: --allow-target.`, {
        details: { origin },
        cause: error,
      })
    }
    await session.call('targets.set', { url: origin, confirmed: true })
    return work()
  }
}

async function askAbout(origin: string): Promise<boolean> {
  return confirms(`${origin} is outside of this network. Send deliveries there, now and later?`)
}
