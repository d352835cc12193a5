import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import { AppError } from '../platform/errors.ts'
import type { Logged } from './messages.ts'
import { throwDeliveryNotFound, throwAttemptNotFound, readerOf } from '../deliveries/lookup.ts'
import { noDraft } from './store/drafts.ts'
import type { Job, Target } from '#contract/sending.ts'
import { idsOf } from './jobs/ids-for-job.ts'
import { isNear } from './target.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { Sender } from './sender.ts'
import type { Logs } from '../event-logs/service.ts'
import type { Mutex } from '#shared/async/mutex.ts'

/** The dependencies of the calls for resending, drafts, attempts, jobs and targets. */
export interface SendingPorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly sender: Sender
  /** Targets that are confirmed or skip TLS verification, by origin. */
  readonly targets: Map<string, Target>
  readonly logs: Logs
  /** Serializes changes of the configuration. */
  readonly turn: Mutex
  /** Sends routes, secrets, rules and limits to the capture thread and the sender. Resolves when both have applied them. */
  configureThreads(): Promise<void>
}

/** The calls for resending, drafts, attempts, jobs and targets, by name. */
export function sendingRoutes(ports: SendingPorts) {
  return {
    'deliveries.resend': (input: ParsedInput<'deliveries.resend'>) => resend(ports, input),
    'attempts.list': (input: ParsedInput<'attempts.list'>) => listAttempts(ports, input),
    'attempts.get': (input: ParsedInput<'attempts.get'>) => getAttempt(ports, input),
    'attempts.body': (input: ParsedInput<'attempts.body'>) => body(ports, input),
    'attempts.cancel': (input: ParsedInput<'attempts.cancel'>) => cancel(ports, input),
    'targets.look': (input: ParsedInput<'targets.look'>) => look(ports, input),
    'targets.list': () => listTargets(ports),
    'targets.set': (input: ParsedInput<'targets.set'>) => set(ports, input),
    'jobs.plan': (input: ParsedInput<'jobs.plan'>) => plan(ports, input),
    'jobs.start': (input: ParsedInput<'jobs.start'>) => startJob(ports, input),
    'jobs.pause': (input: ParsedInput<'jobs.pause'>) => pause(ports, input),
    'jobs.resume': (input: ParsedInput<'jobs.resume'>) => resume(ports, input),
    'jobs.cancel': (input: ParsedInput<'jobs.cancel'>) => cancelJob(ports, input),
    'jobs.resendFailed': (input: ParsedInput<'jobs.resendFailed'>) => resendFailed(ports, input),
    'jobs.list': () => listJobs(ports),
    'jobs.get': (input: ParsedInput<'jobs.get'>) => getJob(ports, input),
    'jobs.items': (input: ParsedInput<'jobs.items'>) => items(ports, input),
    'jobs.remove': (input: ParsedInput<'jobs.remove'>) => removeJob(ports, input),
    'compose.start': (input: ParsedInput<'compose.start'>) => start(ports, input),
    'compose.save': (input: ParsedInput<'compose.save'>) => save(ports, input),
    'compose.list': () => list(ports),
    'compose.get': (input: ParsedInput<'compose.get'>) => get(ports, input),
    'compose.remove': (input: ParsedInput<'compose.remove'>) => remove(ports, input),
    'compose.preview': (input: ParsedInput<'compose.preview'>) => preview(ports, input),
    'compose.send': (input: ParsedInput<'compose.send'>) => send(ports, input),
    'compose.target': (input: ParsedInput<'compose.target'>) => target(ports, input),
    'compose.original': (input: ParsedInput<'compose.original'>) => original(ports, input),
  } satisfies Partial<Handlers>
}

async function resend(
  { sender }: SendingPorts,
  input: ParsedInput<'deliveries.resend'>,
): Promise<CallOutput<'deliveries.resend'>> {
  return sender.api.call('resend', { ...input, key: input.key })
}

/** Cancels a pending attempt. Does nothing if there is none. */
async function cancel(
  { sender }: SendingPorts,
  { key }: ParsedInput<'attempts.cancel'>,
): Promise<CallOutput<'attempts.cancel'>> {
  await sender.api.call('cancel', key)
  return {}
}

async function start(
  context: SendingPorts,
  input: ParsedInput<'compose.start'>,
): Promise<CallOutput<'compose.start'>> {
  const { api } = context.sender
  const { from, endpointId } = input
  if (from.kind !== 'delivery' || from.log === null) return api.call('startDraft', input)
  return api.call('startLogged', {
    logged: await loggedOf(context, { id: from.id, log: from.log }),
    endpointId,
  })
}

async function preview(
  { sender }: SendingPorts,
  { id, content }: ParsedInput<'compose.preview'>,
): Promise<CallOutput<'compose.preview'>> {
  return sender.api.call('preview', { draftId: id ?? null, content })
}

async function send(
  { sender }: SendingPorts,
  { id, ...input }: ParsedInput<'compose.send'>,
): Promise<CallOutput<'compose.send'>> {
  return sender.api.call('sendDraft', { ...input, draftId: id ?? null, key: input.key })
}

/** Looks up a target. Null, and no error, for a URL that is invalid or incomplete. */
async function target(
  { sender }: SendingPorts,
  { url }: ParsedInput<'compose.target'>,
): Promise<CallOutput<'compose.target'>> {
  try {
    return { target: await sender.api.call('look', url.trim()) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_target') return { target: null }
    throw error
  }
}

async function original(
  context: SendingPorts,
  { deliveryId: id, log }: ParsedInput<'compose.original'>,
): Promise<CallOutput<'compose.original'>> {
  const reader = await readerOf(context, log)
  const { headers, bytesKept } = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  if (bytesKept > draftBodyLimit) return { headers, body: null }
  const { bytes } =
    (await reader.call('body', { id, ...completeBody })) ?? throwDeliveryNotFound(id)
  return { headers, body: bytes }
}

const completeBody = { offset: 0, length: draftBodyLimit, decoded: false } as const

/** Reads what a draft needs of an event log's delivery. Throws `not_found`, `bad_input`. */
async function loggedOf(
  context: SendingPorts,
  { id, log }: { readonly id: number; readonly log: number },
): Promise<Logged> {
  const reader = await readerOf(context, log)
  const { headers, bytesKept, method, path, type } =
    (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  if (bytesKept > draftBodyLimit) {
    throw new AppError(
      'bad_input',
      'The body is larger than 6 MiB, the limit for a draft. View it in the event log instead.',
    )
  }
  const { bytes } =
    (await reader.call('body', { id, ...completeBody })) ?? throwDeliveryNotFound(id)
  const name = context.logs.nameOf(log).slice(0, 300)
  return {
    origin: { kind: 'log', log: name, logId: log, deliveryId: id },
    method,
    path,
    headers,
    body: bytes,
    type,
  }
}

async function save(
  context: SendingPorts,
  { id, name, content }: ParsedInput<'compose.save'>,
): Promise<CallOutput<'compose.save'>> {
  const at = context.clock.now()
  const fields = { id: id ?? null, name, content, at }
  const saved = await context.store.writer.call('writeDraft', fields)
  await publishDrafts(context)
  return saved
}

async function list({ store }: SendingPorts): Promise<CallOutput<'compose.list'>> {
  return store.reader.call('drafts')
}

async function get(
  { store }: SendingPorts,
  { id }: ParsedInput<'compose.get'>,
): Promise<CallOutput<'compose.get'>> {
  return (await store.reader.call('draft', id)) ?? noDraft(id)
}

async function remove(
  context: SendingPorts,
  { id }: ParsedInput<'compose.remove'>,
): Promise<CallOutput<'compose.remove'>> {
  await context.store.writer.call('deleteDraft', id)
  await publishDrafts(context)
  return {}
}

async function publishDrafts({ bus, store }: SendingPorts): Promise<void> {
  bus.push('drafts.changed', await store.reader.call('drafts'))
}

async function listAttempts(
  context: SendingPorts,
  { log, ...input }: ParsedInput<'attempts.list'>,
): Promise<CallOutput<'attempts.list'>> {
  const reader = await readerOf(context, log)
  return reader.call('attempts', input)
}

async function getAttempt(
  context: SendingPorts,
  { id, log }: ParsedInput<'attempts.get'>,
): Promise<CallOutput<'attempts.get'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('attempt', id)) ?? throwAttemptNotFound(id)
}

async function body(
  context: SendingPorts,
  { log, ...input }: ParsedInput<'attempts.body'>,
): Promise<CallOutput<'attempts.body'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('attemptBody', input)) ?? throwAttemptNotFound(input.id)
}

async function listJobs(context: SendingPorts): Promise<CallOutput<'jobs.list'>> {
  return currentJobs(context, 'jobs')
}

async function getJob(
  context: SendingPorts,
  { id }: ParsedInput<'jobs.get'>,
): Promise<CallOutput<'jobs.get'>> {
  return jobOf(context, id)
}

async function items(
  context: SendingPorts,
  input: ParsedInput<'jobs.items'>,
): Promise<CallOutput<'jobs.items'>> {
  await jobOf(context, input.id)
  return context.store.reader.call('jobItems', input)
}

async function removeJob(
  context: SendingPorts,
  { id }: ParsedInput<'jobs.remove'>,
): Promise<CallOutput<'jobs.remove'>> {
  const job = await jobOf(context, id)
  const live = await context.sender.liveJobs()
  if (live.some((other) => other.id === id)) {
    throw new AppError(
      'in_use',
      'Part of this job is still running. Cancel it, or wait until it has finished.',
    )
  }
  await context.store.writer.call('deleteJob', id)
  context.bus.push('jobs.changed', { job, removed: true })
  return {}
}

/** Running, paused and interrupted jobs, newest first. */
export async function openJobs(context: Pick<SendingPorts, 'sender' | 'store'>): Promise<Job[]> {
  const jobs = await currentJobs(context, 'openJobs')
  return jobs.filter(({ state }) => state !== 'done' && state !== 'cancelled')
}

/** The stored jobs, with the sender's current progress for those that are running. */
async function currentJobs(
  { sender, store }: Pick<SendingPorts, 'sender' | 'store'>,
  which: 'jobs' | 'openJobs',
): Promise<Job[]> {
  const live = await sender.liveJobs()
  const stored = await store.reader.call(which)
  const byId = new Map(live.map((job) => [job.id, job]))
  return stored.map((job) => byId.get(job.id) ?? job)
}

/** Throws `not_found`. */
async function jobOf({ sender, store }: SendingPorts, id: number): Promise<Job> {
  const live = await sender.liveJobs()
  const job = live.find((other) => other.id === id) ?? (await store.reader.call('job', id))
  if (job) return job
  throw new AppError('not_found', `Job ${id} does not exist. It may have been removed.`)
}

async function plan(
  context: SendingPorts,
  { url, ...which }: ParsedInput<'jobs.plan'>,
): Promise<CallOutput<'jobs.plan'>> {
  // Include deliveries that were received but are not stored yet.
  await context.store.writer.call('level')
  const ids = await idsOf(context, { ...which, upTo: null })
  return context.sender.api.call('planJob', { url, ids })
}

/** Starts a job. Each delivery is read only when it is sent. */
async function startJob(
  context: SendingPorts,
  input: ParsedInput<'jobs.start'>,
): Promise<CallOutput<'jobs.start'>> {
  const { ids: selected, filter, upTo, ...request } = input
  const ids = await idsOf(context, { ids: selected, filter, upTo })
  return context.sender.api.call('startJob', {
    request: { ...request, filter: filter ?? null },
    ids,
  })
}

async function pause(
  { sender }: SendingPorts,
  { id }: ParsedInput<'jobs.pause'>,
): Promise<CallOutput<'jobs.pause'>> {
  return sender.api.call('pauseJob', id)
}

async function resume(
  { sender }: SendingPorts,
  input: ParsedInput<'jobs.resume'>,
): Promise<CallOutput<'jobs.resume'>> {
  return sender.api.call('resumeJob', input)
}

async function cancelJob(
  { sender }: SendingPorts,
  { id }: ParsedInput<'jobs.cancel'>,
): Promise<CallOutput<'jobs.cancel'>> {
  return sender.api.call('cancelJob', id)
}

async function resendFailed(
  { sender }: SendingPorts,
  { id }: ParsedInput<'jobs.resendFailed'>,
): Promise<CallOutput<'jobs.resendFailed'>> {
  return sender.api.call('resendFailed', id)
}

/** The sender looks up the target, because it makes the connections and knows the Tabscope listener. */
async function look(
  { sender }: SendingPorts,
  { url }: ParsedInput<'targets.look'>,
): Promise<CallOutput<'targets.look'>> {
  return sender.api.call('look', url)
}

async function listTargets({ targets }: SendingPorts): Promise<CallOutput<'targets.list'>> {
  return [...targets.values()].toSorted((a, b) => (a.origin < b.origin ? -1 : 1))
}

async function set(
  context: SendingPorts,
  { url, ...given }: ParsedInput<'targets.set'>,
): Promise<CallOutput<'targets.set'>> {
  const { sender, store, targets, turn } = context
  const { origin, place } = await sender.api.call('look', url)
  return turn(async () => {
    const before = targets.get(origin)
    // Only the user's settings are stored: a name that resolves to a private address today may be public tomorrow.
    const target = {
      origin,
      place,
      confirmed: given.confirmed ?? before?.confirmed ?? false,
      verifyTls: given.verifyTls ?? before?.verifyTls ?? true,
    }
    await store.writer.call('writeTarget', target)
    if (target.confirmed || !target.verifyTls) targets.set(origin, target)
    else targets.delete(origin)
    await context.configureThreads()
    return { ...target, confirmed: target.confirmed || isNear(place) }
  })
}
