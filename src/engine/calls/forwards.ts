import { defaultForward, type ForwardTarget } from '#contract/answering.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { withScheme } from '#contract/http.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { assertMayGoTo } from '../send/target/confirmed.ts'

/** More than these of one endpoint are a mistake. */
const mostForwards = 20

export async function add(
  context: Context,
  { endpointId, temporary, ...typed }: ParsedInput<'forwards.add'>,
): Promise<CallOutput<'forwards.add'>> {
  const { answering, store } = context
  const given = { ...typed, url: withScheme(typed.url) }
  await assertTarget(context, given.url)
  return context.turn(async () => {
    context.registry.stored(endpointId)
    const there = sameForward(context, { endpointId, temporary, ...given })
    if (there) return put(context, there, { ...given, on: given.on ?? true })
    const fields = merged({ ...defaultForward, types: [], endpointId, url: given.url }, given)
    assertRoom(context, endpointId)
    assertOneAnswers(context, fields, null)
    const id = temporary
      ? answering.temporaryId()
      : await store.writer.call('insertForward', fields)
    return changed(context, { ...fields, id, temporary })
  })
}

export async function update(
  context: Context,
  { id, ...typed }: ParsedInput<'forwards.update'>,
): Promise<CallOutput<'forwards.update'>> {
  const given = typed.url === undefined ? typed : { ...typed, url: withScheme(typed.url) }
  if (given.url !== undefined && given.url !== forwardOf(context, id).url) {
    await assertTarget(context, given.url)
  }
  return context.turn(async () => {
    return put(context, forwardOf(context, id), given)
  })
}

/** Stores a change of a target. Throws `bad_input`. */
async function put(context: Context, before: ForwardTarget, given: Given): Promise<ForwardTarget> {
  const { id, temporary } = before
  const forward = { ...merged(before, given), id, temporary }
  assertOneAnswers(context, forward, id)
  if (!temporary) await context.store.writer.call('updateForward', forward)
  return changed(context, forward)
}

/** The target that sends the same types of the endpoint to the same URL: a second one would send each delivery twice. */
function sameForward(
  { answering }: Context,
  {
    endpointId,
    temporary,
    url,
    types = [],
  }: Given & Pick<ForwardTarget, 'endpointId' | 'temporary'>,
): ForwardTarget | undefined {
  const wanted = new Set(types)
  return answering.forwards.find(
    (forward) =>
      forward.endpointId === endpointId &&
      forward.temporary === temporary &&
      forward.url === url &&
      forward.types.length === wanted.size &&
      forward.types.every((type) => wanted.has(type)),
  )
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'forwards.remove'>,
): Promise<CallOutput<'forwards.remove'>> {
  return context.turn(async () => {
    const { temporary } = forwardOf(context, id)
    if (!temporary) await context.store.writer.call('deleteForward', id)
    context.answering.removeForward(id)
    await tell(context)
    return {}
  })
}

export async function drop(
  context: Context,
  { id }: ParsedInput<'forwards.drop'>,
): Promise<CallOutput<'forwards.drop'>> {
  forwardOf(context, id)
  return { dropped: await context.sender.api.call('dropWaiting', id) }
}

type Fields = Omit<ForwardTarget, 'id' | 'temporary'>
type Given = Omit<ParsedInput<'forwards.update'>, 'id'>

/** What is left out stays as it is. */
function merged(before: Fields, given: Given): Fields {
  return {
    endpointId: before.endpointId,
    url: given.url ?? before.url,
    types: given.types ?? before.types,
    mode: given.mode ?? before.mode,
    retries: given.retries ?? before.retries,
    timeout: given.timeout ?? before.timeout,
    inFlight: given.inFlight ?? before.inFlight,
    queue: given.queue ?? before.queue,
    on: given.on ?? before.on,
  }
}

/** Throws `bad_target` for an address that cannot be forwarded to, and `target_unconfirmed`. */
async function assertTarget({ sender }: Context, url: string): Promise<void> {
  assertMayGoTo(await sender.api.call('lookToForward', url))
}

function assertRoom({ answering }: Context, endpointId: number): void {
  const there = answering.forwards.filter((forward) => forward.endpointId === endpointId)
  if (there.length < mostForwards) return
  throw new AppError(
    'bad_input',
    `The endpoint has ${mostForwards} forward targets, which is as many as it can have. Remove one first.`,
    { details: { fields: ['endpointId'] } },
  )
}

/** There is one answer to a delivery. Throws `bad_input` where another target gives it. */
function assertOneAnswers({ answering }: Context, fields: Fields, id: number | null): void {
  if (fields.mode !== 'answer' || !fields.on) return
  const other = answering.forwards.find(
    (forward) =>
      forward.endpointId === fields.endpointId &&
      forward.id !== id &&
      forward.mode === 'answer' &&
      forward.on,
  )
  if (!other) return
  throw new AppError(
    'bad_input',
    `${other.url} answers for this endpoint already. Switch that one off, or let it forward after our answer.`,
    { details: { fields: ['mode'] } },
  )
}

/** Throws `not_found`. */
function forwardOf({ answering }: Context, id: number): ForwardTarget {
  const forward = answering.forwards.find((other) => other.id === id)
  if (forward) return forward
  const ids = answering.forwards.map((other) => other.id).join(', ') || 'none'
  throw new AppError('not_found', `No forward target ${id}. Available: ${ids}.`)
}

async function changed(context: Context, forward: ForwardTarget): Promise<ForwardTarget> {
  context.answering.putForward(forward)
  await tell(context)
  return forward
}

async function tell(context: Context): Promise<void> {
  await context.configureThreads()
  context.bus.push('forwards.changed', [...context.answering.forwards])
}
