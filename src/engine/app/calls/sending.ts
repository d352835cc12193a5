import { currentJobs } from '../../sending/sender.ts'
import type { Context } from '../context.ts'
import { readCurlCommand } from '../../sending/curl/command.ts'
import { routes } from '../../platform/routes.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import { AppError } from '../../platform/errors.ts'
import type { Logged } from '../../sending/messages.ts'
import {
  throwAttemptNotFound,
  throwDeliveryNotFound,
  throwJobNotFound,
} from '../../deliveries/store.ts'
import { readerOf } from '../../event-logs/service.ts'
import { noDraft } from '../../sending/store/drafts.ts'
import type { Job } from '#contract/sending.ts'
import { idsOf } from '../../sending/jobs/ids-for-job.ts'
import { assertScript } from './scripts.ts'
import { isNear } from '../../sending/target.ts'

export const sendingRoutes = routes<Context>()({
  'deliveries.resend': (context, input) => {
    if (input.script !== null) assertScript(context, input.script)
    return context.sender.api.call('resend', { ...input, key: input.key })
  },

  'attempts.list': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('attempts', input)
  },

  'attempts.get': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('attempt', id)) ?? throwAttemptNotFound(id)
  },

  'attempts.body': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('attemptBody', input)) ?? throwAttemptNotFound(input.id)
  },

  'attempts.cancel': async ({ sender }, { key }) => {
    await sender.api.call('cancel', key)
    return {}
  },

  /** Looked up by the sender, which connects and knows the Tabscope listener. */
  'targets.resolve': ({ sender }, { url }) => sender.api.call('resolve', url),

  'targets.list': ({ targets }) =>
    [...targets.values()].toSorted((a, b) => (a.origin < b.origin ? -1 : 1)),

  'targets.set': async (context, { url, ...given }) => {
    const { sender, store, targets, turn } = context
    const { origin, location } = await sender.api.call('resolve', url)
    return turn(async () => {
      const before = targets.get(origin)
      // Only the user's settings are stored: a name that resolves to a private address today may be public tomorrow.
      const target = {
        origin,
        location,
        confirmed: given.confirmed ?? before?.confirmed ?? false,
        verifyTls: given.verifyTls ?? before?.verifyTls ?? true,
      }
      await store.writer.call('writeTarget', target)
      if (target.confirmed || !target.verifyTls) targets.set(origin, target)
      else targets.delete(origin)
      await context.configureThreads()
      return { ...target, confirmed: target.confirmed || isNear(location) }
    })
  },

  'jobs.plan': async (context, { url, ...which }) => {
    const ids = await idsOf(context, { ...which, upTo: null })
    return context.sender.api.call('planJob', { url, ids })
  },

  'jobs.start': async (context, input) => {
    const { ids: selected, filter, upTo, ...request } = input
    if (input.script !== null) assertScript(context, input.script)
    const ids = await idsOf(context, { ids: selected, filter, upTo })
    return context.sender.api.call('startJob', {
      request: { ...request, filter: filter ?? null, scenario: null },
      ids,
      secret: null,
    })
  },

  'jobs.pause': ({ sender }, { id }) => sender.api.call('pauseJob', id),
  'jobs.resume': ({ sender }, input) => sender.api.call('resumeJob', input),
  'jobs.cancel': ({ sender }, { id }) => sender.api.call('cancelJob', id),
  'jobs.resendFailed': ({ sender }, { id }) => sender.api.call('resendFailed', id),
  'jobs.list': (context) => currentJobs(context, 'jobs'),
  'jobs.get': (context, { id }) => jobOf(context, id),

  'jobs.items': async (context, input) => {
    await jobOf(context, input.id)
    return context.store.reader.call('jobItems', input)
  },

  'jobs.remove': async (context, { id }) => {
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
  },

  'compose.start': async (context, input) => {
    const { api } = context.sender
    const { from, endpointId } = input
    if (from.kind !== 'delivery' || from.log === null) return api.call('startDraft', input)
    return api.call('startLogged', {
      logged: await loggedOf(context, { id: from.id, log: from.log }),
      endpointId,
    })
  },

  'compose.curl': async ({ sender }, { command, endpointId }) => {
    const { url, method, headers, body, ignored } = readCurlCommand(command)
    if (body.byteLength > draftBodyLimit) {
      throw new AppError('bad_input', 'The body is larger than 6 MiB, the limit for a draft.')
    }
    const content = await sender.api.call('startLogged', {
      logged: { origin: { kind: 'empty' }, method, url, path: '', headers, body, type: null },
      endpointId,
    })
    // A Host of its own stays, although the header otherwise follows the URL.
    const host = URL.canParse(url) ? new URL(url).host : ''
    const rows = content.headers.map((row) =>
      row.name.toLowerCase() === 'host' ? { ...row, byHand: row.value !== host } : row,
    )
    return { content: { ...content, headers: rows }, ignored: [...ignored] }
  },

  'compose.save': async (context, { id, name, content }) => {
    const at = context.clock.now()
    const fields = { id: id ?? null, name, content, at }
    const saved = await context.store.writer.call('writeDraft', fields)
    await publishDrafts(context)
    return saved
  },

  'compose.list': ({ store }) => store.reader.call('drafts'),

  'compose.get': async ({ store }, { id }) => (await store.reader.call('draft', id)) ?? noDraft(id),

  'compose.remove': async (context, { id }) => {
    await context.store.writer.call('deleteDraft', id)
    await publishDrafts(context)
    return {}
  },

  'compose.preview': ({ sender }, { id, content }) =>
    sender.api.call('preview', { draftId: id ?? null, content }),

  'compose.send': ({ sender }, { id, ...input }) =>
    sender.api.call('sendDraft', { ...input, draftId: id ?? null, key: input.key }),

  'compose.original': async (context, { deliveryId: id, log }) => {
    const reader = await readerOf(context, log)
    const { headers, storedBytes } = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    if (storedBytes > draftBodyLimit) return { headers, body: null }
    const { bytes } =
      (await reader.call('body', { id, ...completeBody })) ?? throwDeliveryNotFound(id)
    return { headers, body: bytes }
  },
})

const completeBody = { offset: 0, length: draftBodyLimit, decoded: false } as const

async function loggedOf(
  context: Context,
  { id, log }: { id: number; log: number },
): Promise<Logged> {
  const reader = await readerOf(context, log)
  const { headers, storedBytes, method, path, type } =
    (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  if (storedBytes > draftBodyLimit) {
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
    url: null,
    path,
    headers,
    body: bytes,
    type,
  }
}

async function publishDrafts({ bus, store }: Context): Promise<void> {
  bus.push('drafts.changed', await store.reader.call('drafts'))
}

/** Running, paused and interrupted jobs, newest first. */
export async function openJobs(context: Pick<Context, 'sender' | 'store'>): Promise<Job[]> {
  const jobs = await currentJobs(context, 'openJobs')
  return jobs.filter(({ state }) => state !== 'done' && state !== 'cancelled')
}

async function jobOf({ sender, store }: Context, id: number): Promise<Job> {
  const live = await sender.liveJobs()
  const job = live.find((other) => other.id === id) ?? (await store.reader.call('job', id))
  return job ?? throwJobNotFound(id)
}
