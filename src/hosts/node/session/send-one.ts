import { randomUUID } from 'node:crypto'
import { isExpected } from '#contract/broken-signature.ts'
import type { Attempt } from '#contract/sending.ts'
import { attemptJson, attemptText } from '../output/attempt-text.ts'
import { cancellable } from './stop.ts'
import type { ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { toTarget, type TargetOptions } from '../command-line/confirm.ts'
import { print } from '../output/output.ts'
import type { Session } from './session.ts'

export interface Sent {
  readonly attempt: Attempt
  /** 0 if the response is as expected, 130 after Ctrl+C. */
  readonly exitCode: ExitCode
}

/** `send` takes the key to cancel it by. Ctrl+C cancels it. */
export async function sendOne(
  session: Session,
  asking: TargetOptions,
  send: (key: string) => Promise<Attempt>,
): Promise<Sent> {
  const key = randomUUID()
  let interrupted = false
  const cancel = (): Promise<unknown> => {
    interrupted = true
    return session.call('attempts.cancel', { key })
  }
  const attempt = await cancellable(cancel, () => toTarget(session, asking, () => send(key)))
  return { attempt, exitCode: interrupted ? 130 : isExpected(attempt) ? 0 : 1 }
}

const maxBodyBytes = 1024 * 1024

export async function printAttempt(session: Session, attempt: Attempt): Promise<void> {
  const { id, response } = attempt
  const hasBody = globals.json && response !== null && response.storedBytes > 0
  const body = hasBody
    ? (
        await session.call('attempts.body', {
          id,
          which: 'response',
          offset: 0,
          length: maxBodyBytes,
        })
      ).bytes
    : new Uint8Array()
  print('attempt', attemptJson(attempt, body), () => attemptText(attempt))
}
