import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogAttempt, LogBody } from '#contract/event-log.ts'
import { AppError } from '#engine/errors.ts'
import { isEncoded } from '#renderer/features/body/is-encoded.ts'
import type { Content } from '../log/content.ts'
import type { PageLog } from '../log/log.ts'

/** Newest first. Only a delivery's: what else attempts may belong to is not in a log. */
export function attemptsOf(
  log: PageLog,
  { deliveryId, before, limit }: ParsedInput<'attempts.list'>,
): CallOutput<'attempts.list'> {
  if (deliveryId === undefined) return { rows: [], total: 0, notForwarded: [] }
  const { attempts, notForwarded } = log.content(deliveryId).fields
  const newest = attempts.toSorted((a, b) => b.id - a.id)
  return {
    rows: newest.filter(({ id }) => before === undefined || id < before).slice(0, limit),
    total: newest.length,
    notForwarded,
  }
}

/** Throws `not_found`. */
export function attemptOf(log: PageLog, id: number): { attempt: LogAttempt; content: Content } {
  for (const row of log.rows) {
    // Most were never sent on: their contents are not read for it.
    if (row.sent === null) continue
    const content = log.content(row.id)
    const attempt = content.fields.attempts.find((one) => one.id === id)
    if (attempt) return { attempt, content }
  }
  throw new AppError('not_found', `Attempt ${id} is not in this file.`)
}

/** As captured where it was sent so; empty where none is kept. Throws `bad_input` where it was to be decoded, which a page cannot do. */
export function attemptBody(
  log: PageLog,
  { id, which, decoded }: Pick<ParsedInput<'attempts.body'>, 'id' | 'which' | 'decoded'>,
): Uint8Array {
  const { attempt, content } = attemptOf(log, id)
  const headers = which === 'request' ? attempt.request.headers : (attempt.answer?.headers ?? [])
  if (decoded && isEncoded(headers)) {
    throw new AppError(
      'bad_input',
      'This page cannot undo the encoding of what was sent. It is shown as it went.',
    )
  }
  const own: LogBody | null = which === 'request' ? attempt.requestBody : attempt.answerBody
  if (own !== null) return content.bytes(own)
  return which === 'request' ? content.bytes(content.fields.body) : new Uint8Array()
}
