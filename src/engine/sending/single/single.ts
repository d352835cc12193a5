import type { Attempt } from '#contract/sending.ts'
import { throwDeliveryNotFound, type Captured } from '../../deliveries/store.ts'
import { prepare } from '../../platform/sqlite.ts'
import { readLastUrl } from '../store/attempts.ts'
import type { DraftRequest, Logged, ResendRequest, SendOptions } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { prepareDraft, requirePrepared, type Prepared } from '../prepare/draft.ts'
import { prepareRequest } from '../prepare/prepare.ts'
import { defaultUrlOf, assertConfirmed, parseTarget } from '../target.ts'
import { startDraft, startLogged } from './start-draft.ts'
import { randomUUID } from 'node:crypto'
import type { Filling } from '../prepare/placeholders.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { DraftContent, Preview } from '#contract/compose.ts'
import { AppError } from '../../platform/errors.ts'
import { RunningRequests } from '../../platform/running-requests.ts'
import {
  attemptFields,
  type AttemptContext,
  exchange,
  outcomeOf,
  reachedListener,
  requestOf,
} from '../attempt-fields.ts'

const loopNote =
  'The target is the Tabscope listener, which received the request as a new delivery. It is forwarded only one more time.'

/** Sends over a new connection, so that all phases are timed, and records the attempt. Throws `not_found` if the delivery was deleted meanwhile. */
async function sendOnce(
  parts: SenderParts,
  prepared: Prepared,
  of: Pick<AttemptContext, 'kind' | 'deliveryId' | 'draftId'>,
  options: SendOptions & { signal: AbortSignal },
): Promise<Attempt> {
  const at = Date.now()
  const { timeout, insecure, signal } = options
  const how = { timeout, insecure, keepAlive: false, own: 'send', signal } as const
  const outcome = await exchange(parts, prepared, how)
  const context = { ...of, at, notes: reachedListener(parts, outcome) ? [loopNote] : [] }
  const request = requestOf(prepared)
  const fields = attemptFields({ ...prepared, sha256: request.sha256 }, outcome, context)
  const summary = await parts.recorder.record(fields)
  if (!summary) {
    throw new AppError(
      'not_found',
      `The delivery was deleted while it was being sent (${outcome.response ? `the target responded with ${outcome.response.status}` : 'there was no response'}), so the attempt was not stored.`,
    )
  }
  return { ...summary, request, ...outcomeOf(prepared, outcome, context) }
}

/** Increments the draft's counter only if it can be sent. Throws `bad_input`, `bad_target`, `target_unconfirmed`, `secret_unavailable`, `not_found`. */
async function sendDraft(
  request: DraftRequest,
  parts: SenderParts,
  counterOf: (draftId: number) => number | null,
  signal: AbortSignal,
): Promise<Attempt> {
  const { draftId, content } = request
  const { configuration, writes } = parts
  const captured = originOf(content, parts)
  const next = draftId === null ? 1 : counterOf(draftId)
  if (next === null) {
    throw new AppError('not_found', `Draft ${draftId} does not exist. It may have been deleted.`)
  }
  if (!captured && draftId === null) {
    throw new AppError(
      'bad_input',
      'The request is not based on a delivery, so its attempts can only be stored with a draft. Save the draft first.',
    )
  }
  const prepareWith = (counter: number): Prepared => {
    const filling = { now: new Date(), uuid: randomUUID, counter }
    return requirePrepared(prepareDraft(content, captured, filling, configuration))
  }
  let prepared = prepareWith(next)
  await assertConfirmed(prepared.request.url, configuration)
  if (draftId !== null && content.placeholders) {
    prepared = prepareWith(await writes.call('takeCounter', draftId))
    await assertConfirmed(prepared.request.url, configuration)
  }
  const kind = captured ? 'resend' : 'compose'
  const of = {
    kind,
    deliveryId: captured?.id ?? null,
    ...(draftId === null ? {} : { draftId }),
  } as const
  return sendOnce(parts, prepared, of, { ...request, signal })
}

function originOf(content: DraftContent, { captured }: SenderParts): Captured | null {
  const { origin, body } = content
  if (origin.kind !== 'delivery') return null
  const found = captured(origin.deliveryId)
  if (!found && body.kind === 'captured') throwDeliveryNotFound(origin.deliveryId)
  return found
}

const stableUuids = 200

/** UUIDs stay the same between previews, so that only what the user edits changes. Sent requests get new ones. */
function createPreviewFilling(): (counter: number) => Filling {
  const uuids: string[] = []
  return (counter) => {
    let next = 0
    const uuid = (): string => {
      if (next >= stableUuids) return randomUUID()
      const found = (uuids[next] ??= randomUUID())
      next += 1
      return found
    }
    return { now: new Date(), uuid, counter }
  }
}

export function createSingles(parts: SenderParts) {
  const { db, configuration } = parts
  const pending = new RunningRequests()
  const fillingOf = createPreviewFilling()
  const counter = prepare<[number], { counter: number }>(
    db,
    'SELECT counter FROM draft WHERE id = ?',
  )
  const counterOf = (draftId: number): number | null => counter.get(draftId)?.counter ?? null

  const resend = async (request: ResendRequest, signal: AbortSignal): Promise<Attempt> => {
    const captured = parts.captured(request.id) ?? throwDeliveryNotFound(request.id)
    const url =
      request.url === null
        ? defaultUrlOf(captured, readLastUrl(db, request.id), configuration)
        : parseTarget(request.url)
    const prepared = await prepareRequest(parts, captured, { ...request, url })
    await assertConfirmed(url, configuration)
    const of = { kind: 'resend', deliveryId: captured.id } as const
    return sendOnce(parts, prepared, of, { ...request, signal })
  }

  return {
    resend: (request: ResendRequest) =>
      pending.run(request.key, (signal) => resend(request, signal)),
    sendDraft: (request: DraftRequest) =>
      pending.run(request.key, (signal) => sendDraft(request, parts, counterOf, signal)),
    startDraft: (input: ParsedInput<'compose.start'>) => startDraft(input, parts),
    /** For requests that are not in the live store. */
    startLogged: ({ logged, endpointId }: { logged: Logged; endpointId: number | null }) =>
      startLogged(logged, endpointId, configuration),
    preview: ({ draftId, content }: { draftId: number | null; content: DraftContent }): Preview => {
      const { origin } = content
      const captured = origin.kind === 'delivery' ? parts.captured(origin.deliveryId) : null
      const filling = fillingOf(draftId === null ? 1 : (counterOf(draftId) ?? 1))
      return prepareDraft(content, captured, filling, configuration).preview
    },
    cancel: (key: string) => pending.cancel(key),
    close: () => pending.close(),
  }
}
