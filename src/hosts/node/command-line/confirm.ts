import { AppError } from '#engine/platform/errors.ts'
import { globals } from './globals.ts'
import { confirms, printMessage } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { io } from './io.ts'

/** By `--yes`, else by a question. `consequence`: a sentence that says what is deleted. Throws `confirmation_required` without a terminal, and `Interrupted`. */
export async function confirmRemoval(consequence: string, yes: boolean): Promise<boolean> {
  return confirmed(consequence, yes, 'Nothing was removed.')
}

/** `option`: what confirms it without a terminal. */
export async function confirmChange(
  consequence: string,
  yes: boolean,
  option = '--yes',
): Promise<boolean> {
  return confirmed(consequence, yes, 'Nothing was changed.', option)
}

/** An export without redaction. A script is warned, too. `file`: begins a sentence. */
export async function confirmUnredacted(file: string, yes: boolean): Promise<boolean> {
  const warning = `Nothing will be redacted. ${file} will contain all values, such as names and contacts of guests, credentials and signatures.`
  if (yes) printMessage(`${warning} Share it only with people who may see all of it.`)
  return confirmed(warning, yes, 'Nothing was exported.')
}

async function confirmed(
  consequence: string,
  yes: boolean,
  refused: string,
  option = '--yes',
): Promise<boolean> {
  if (yes) return true
  if (globals.json || !io.stdin.isTTY) {
    throw new AppError('confirmation_required', `${consequence} Confirm with ${option}.`)
  }
  if (await confirms(`${consequence} Continue?`)) return true
  printMessage(refused)
  return false
}

/** Whether to ask about a target outside the local network. */
export interface TargetOptions {
  readonly allowTarget?: true | undefined
  /** If the body is read from stdin, no question can be asked. */
  readonly body?: string | undefined
}

/** A target outside the local network must be confirmed once, by `--allow-target` or on the terminal. Throws `target_unconfirmed`. */
export function toTarget<T>(
  session: Session,
  { allowTarget, body }: TargetOptions,
  work: () => Promise<T>,
): Promise<T> {
  const asks = !globals.json && body !== '-'
  return confirming(session, { allowed: allowTarget ?? false, asks }, work)
}

/** A target outside the local network is confirmed once: by `allowed`, or by a question if `asks`. Throws `target_unconfirmed` otherwise. */
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
      throw new AppError(
        'target_unconfirmed',
        `${error.message} To allow it, use --allow-target.`,
        {
          details: { origin },
          cause: error,
        },
      )
    }
    await session.call('targets.set', { url: origin, confirmed: true })
    return work()
  }
}

async function askAbout(origin: string): Promise<boolean> {
  return confirms(
    `${origin} is outside the local network. Allow Tabscope to send deliveries there from now on?`,
  )
}
