import { type Attempt, keptAnswerBytes, type Target } from '#contract/sending.ts'
import { throwDeliveryNotFound } from '../../deliveries/lookup.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import { readLastUrl } from '../store/attempts.ts'
import type { DraftRequest, ResendRequest, SenderApi, SendOptions } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { prepareDraft } from '../prepare/draft.ts'
import { type Prepared, prepareResend } from '../prepare/prepare.ts'
import { defaultUrlOf, assertConfirmed, parseTarget } from '../target.ts'
import { startDraft, startLogged } from './start-draft.ts'
import { randomUUID } from 'node:crypto'
import { counts, type Filling } from '../prepare/placeholders.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import { AppError } from '../../platform/errors.ts'
import { attemptFields, type AttemptOf, outcomeOf, requestOf } from '../attempt-fields.ts'

/** Said of what went to our own listener. */
const cameBack =
  'The target is the Tabscope listener: the request was received there as a new delivery and is forwarded at most one more time.'

/**
 * Sends on a connection of its own, so that all phases are timed, and has it recorded. Throws `not_found` when its delivery was deleted
 * meanwhile.
 */
async function sendOnce(
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
      `The delivery was deleted while it was sent (${outcome.answer ? `the response was ${outcome.answer.status}` : 'there was no response'}), so the attempt was not stored.`,
    )
  }
  return { ...summary, request, ...outcomeOf(prepared, outcome, made) }
}

/** So many sentences are told at once. */
const mostTold = 3

/** What keeps a draft from being sent, as an error; null: nothing does. */
function refusalOf(problems: readonly DraftProblem[]): AppError | null {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (!first) return null
  const message = errors
    .slice(0, mostTold)
    .map((problem) => problem.message)
    .join(' ')
  return new AppError(codeOf(first.code), message, {
    details: { problems: errors.map(({ code }) => code) },
  })
}

function codeOf(problem: string): AppError['code'] {
  if (problem.startsWith('url.')) return 'bad_target'
  if (problem === 'sign.no_secret') return 'secret_unavailable'
  return problem === 'body.gone' ? 'not_found' : 'bad_input'
}

/**
 * Sends a draft. Its number is taken only when nothing keeps it from being sent. Throws `bad_input`, `bad_target`, `target_unconfirmed`,
 * `secret_unavailable`, `not_found`.
 */
async function sendDraft(
  wish: DraftRequest,
  parts: SenderParts,
  counterOf: (draftId: number) => number | null,
  signal: AbortSignal,
): Promise<Attempt> {
  const { draftId, content } = wish
  const { world, writes } = parts
  const captured = originOf(content, parts)
  const next = draftId === null ? 1 : counterOf(draftId)
  if (next === null) {
    throw new AppError('not_found', `There is no draft ${draftId}. It may have been removed.`)
  }
  if (!captured && draftId === null) {
    throw new AppError(
      'bad_input',
      'It is not based on a delivery, so its attempts can only be stored with a draft. Save it first.',
    )
  }
  const made = (counter: number): Prepared => {
    const filling = { now: new Date(), uuid: randomUUID, counter }
    const { prepared, problems } = prepareDraft(content, captured, filling, world)
    if (prepared) return prepared
    throw refusalOf(problems) ?? new AppError('bad_input', 'It cannot be sent.')
  }
  let prepared = made(next)
  let target = await assertConfirmed(prepared.request.url, world)
  if (draftId !== null && takesNumber(content, captured)) {
    prepared = made(await writes.call('takeCounter', draftId))
    // The number may stand in the name of the host.
    target = await assertConfirmed(prepared.request.url, world)
  }
  const kind = captured ? 'resend' : 'compose'
  const of = {
    kind,
    deliveryId: captured?.id ?? null,
    ...(draftId === null ? {} : { draftId }),
  } as const
  return sendOnce(parts, prepared, target, of, { ...wish, signal })
}

function originOf(content: DraftContent, { captured }: SenderParts): Captured | null {
  const { origin, body } = content
  if (origin.kind !== 'delivery') return null
  const found = captured(origin.deliveryId)
  if (!found && body.kind === 'captured') throwDeliveryNotFound(origin.deliveryId)
  return found
}

function takesNumber(content: DraftContent, captured: Captured | null): boolean {
  if (!content.placeholders) return false
  const { url, headers, body } = content
  const bytes = body.kind === 'bytes' ? body.bytes : captured?.body
  return (
    counts(url) ||
    headers.some(({ on, value }) => on && counts(value)) ||
    (bytes !== undefined && counts(bytes))
  )
}

/** What is sent just now, to be cancelled by the key that its caller chose. */
class UnderWay {
  readonly #running = new Map<
    AbortController,
    { key: string | undefined; done: Promise<unknown> }
  >()

  run<T>(key: string | undefined, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const done = send(controller.signal).finally(() => this.#running.delete(controller))
    this.#running.set(controller, { key, done: done.catch(() => undefined) })
    return done
  }

  cancel(key: string): void {
    for (const [controller, running] of this.#running) {
      if (running.key === key) controller.abort()
    }
  }

  /** Ends all of it; resolves when it is recorded. */
  async close(): Promise<void> {
    const running = [...this.#running]
    for (const [controller] of running) controller.abort()
    await Promise.all(running.map(([, { done }]) => done))
  }
}

/** Of the deliveries that drafts come from so many are held: the one that is written at, and one beside it. */
const held = 2

/** Deliveries for previews, which are asked for at each keystroke: the body is read once. Null: it is gone. */
export function cacheCaptured(
  db: Db,
  read: (id: number) => Captured | null,
): (id: number) => Captured | null {
  const exists = prepare<[number], { id: number }>(db, 'SELECT id FROM delivery WHERE id = ?')
  const kept = new Map<number, Captured>()
  return (id) => {
    const found = exists.get(id) ? (kept.get(id) ?? read(id)) : null
    kept.delete(id)
    if (!found) return null
    // The last one used is the last to go.
    kept.set(id, found)
    for (const oldest of kept.keys()) {
      if (kept.size <= held) break
      kept.delete(oldest)
    }
    return found
  }
}

/** So many UUIDs are the same in each preview; a body of more than these is nothing to look at. */
const steady = 200

/** Fills in previews: UUIDs are the same each time, so that only what is written changes before the eyes. What is sent has new ones. */
function createPreviewFilling(): (counter: number) => Filling {
  const kept: string[] = []
  return (counter) => {
    let next = 0
    const uuid = (): string => {
      if (next >= steady) return randomUUID()
      const found = (kept[next] ??= randomUUID())
      next += 1
      return found
    }
    return { now: new Date(), uuid, counter }
  }
}

/** What is sent one at a time, at the user's word. */
export interface Singles {
  resend(wish: ResendRequest): Promise<Attempt>
  sendDraft(wish: DraftRequest): Promise<Attempt>
  startDraft: SenderApi['startDraft']
  startLogged: SenderApi['startLogged']
  preview: SenderApi['preview']
  cancel(key: string): void
  /** Ends what is under way as `aborted`. */
  close(): Promise<void>
}

export function createSingles(parts: SenderParts): Singles {
  const { db, world } = parts
  const underWay = new UnderWay()
  const cached = cacheCaptured(db, parts.captured)
  const fillingOf = createPreviewFilling()
  const counter = prepare<[number], { counter: number }>(
    db,
    'SELECT counter FROM draft WHERE id = ?',
  )
  const counterOf = (draftId: number): number | null => counter.get(draftId)?.counter ?? null

  const resend = async (wish: ResendRequest, signal: AbortSignal): Promise<Attempt> => {
    const captured = parts.captured(wish.id) ?? throwDeliveryNotFound(wish.id)
    const url =
      wish.url === null
        ? defaultUrlOf(captured, readLastUrl(db, wish.id), world)
        : parseTarget(wish.url)
    const prepared = prepareResend(captured, { ...wish, url }, world)
    const target = await assertConfirmed(url, world)
    const of = { kind: 'resend', deliveryId: captured.id } as const
    return sendOnce(parts, prepared, target, of, { ...wish, signal })
  }

  return {
    resend: (wish) => underWay.run(wish.key, (signal) => resend(wish, signal)),
    sendDraft: (wish) =>
      underWay.run(wish.key, (signal) => sendDraft(wish, parts, counterOf, signal)),
    startDraft: (input) => startDraft(input, parts),
    startLogged: ({ logged, endpointId }) => startLogged(logged, endpointId, world),
    preview: async ({ draftId, content }) => {
      const { origin } = content
      const captured = origin.kind === 'delivery' ? cached(origin.deliveryId) : null
      const filling = fillingOf(draftId === null ? 1 : (counterOf(draftId) ?? 1))
      return prepareDraft(content, captured, filling, world).preview
    },
    cancel: (key) => underWay.cancel(key),
    close: () => underWay.close(),
  }
}
