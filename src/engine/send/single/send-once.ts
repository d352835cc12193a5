import { keptAnswerBytes, type Attempt, type Target } from '#contract/sending.ts'
import { AppError } from '../../errors.ts'
import { attemptFields, outcomeOf, requestOf, type AttemptOf } from '../attempt-fields.ts'
import type { SendOptions } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import type { Prepared } from '../prepare/prepare.ts'

/** Said of what went to our own listener. */
const cameBack =
  'The target is our own listener: it came in again there, as a delivery of its own, and is forwarded on from there at most one hop.'

/**
 * Sends on a connection of its own, so that all phases are timed, and has it recorded. Throws `not_found` when its delivery was deleted
 * meanwhile.
 */
export async function sendOnce(
  { world, wire, recorder }: SenderParts,
  prepared: Prepared,
  target: Target,
  of: Pick<AttemptOf, 'kind' | 'deliveryId' | 'draftId'>,
  options: SendOptions & { readonly signal: AbortSignal },
): Promise<Attempt> {
  const at = Date.now()
  const outcome = await wire.exchange(prepared.request, {
    timeout: options.timeout,
    maxAnswerBytes: keptAnswerBytes,
    verifyTls: target.verifyTls && !options.insecure,
    // Only what was said, not where it seemed to be: a name may lead elsewhere by now.
    publicAllowed: world.known(target.origin)?.confirmed ?? false,
    keepAlive: false,
    own: 'send',
    signal: options.signal,
  })
  const toOurselves =
    outcome.remoteAddress !== null && `http://${outcome.remoteAddress}` === world.listener
  const made = { ...of, at, notes: toOurselves ? [cameBack] : [] }
  const request = requestOf(prepared)
  const fields = attemptFields({ ...prepared, sha256: request.sha256 }, outcome, made)
  const summary = await recorder.record(fields)
  if (!summary) {
    throw new AppError(
      'not_found',
      `The delivery was deleted while it was sent (${outcome.answer ? `the answer was ${outcome.answer.status}` : 'no answer came'}), so the attempt was not kept.`,
    )
  }
  return { ...summary, request, ...outcomeOf(prepared, outcome, made) }
}
