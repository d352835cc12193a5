import type { ForwardTarget } from '#contract/answering.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import type { Captured } from '../../store/captured.ts'
import { attemptFields } from '../attempt-fields.ts'
import type { SenderParts } from '../parts.ts'
import { prepareResend } from '../prepare/prepare.ts'
import { parseTarget } from '../target/look.ts'
import { leadsBack, loopSentence } from '../target/loops.ts'
import { notSent } from '../wire/create-wire.ts'
import type { WireOutcome } from '../wire/wire.ts'
import type { Backlog } from './backlog.ts'

/** Said of what went to our own listener. */
const oneHop =
  'The target is our own listener: the delivery came in again there, and is not forwarded any further.'

/**
 * Sends a delivery to a forward target as it came, and has that recorded. Throws what the preparation throws: then nothing was sent.
 */
export async function sendOn(
  parts: SenderParts,
  backlog: Backlog,
  captured: Captured,
  target: ForwardTarget,
  of: {
    readonly kind: 'forward' | 'pass_through'
    readonly at: number
    readonly tryNumber: number
    readonly signal: AbortSignal
  },
): Promise<WireOutcome> {
  const { world, wire, recorder } = parts
  const url = parseTarget(target.url)
  const known = world.known(url.origin)
  const prepared = prepareResend(
    captured,
    { url, sign: { how: 'keep' }, edits: { headers: [], body: null } },
    world,
  )
  // A tunnel may have been opened after the target was added. What came back by it could not be told from any other.
  const outcome = leadsBack(url, world.publicAddresses)
    ? notSent({ code: 'invalid_request', message: loopSentence(url) })
    : await wire.exchange(prepared.request, {
        timeout: target.timeout,
        maxAnswerBytes: keptAnswerBytes,
        verifyTls: known?.verifyTls ?? true,
        publicAllowed: known?.confirmed ?? false,
        keepAlive: true,
        own: 'forward',
        signal: of.signal,
      })
  const toOurselves =
    outcome.remoteAddress !== null && `http://${outcome.remoteAddress}` === world.listener
  const fields = attemptFields(prepared, outcome, {
    kind: of.kind,
    deliveryId: captured.id,
    forwardId: target.id,
    at: of.at,
    tryNumber: of.tryNumber,
    notes: toOurselves ? [oneHop] : [],
  })
  backlog.add(outcome.answer?.body.byteLength ?? 0, recorder.note(fields))
  return outcome
}
