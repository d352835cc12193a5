import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Job } from '#contract/sending.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function list(context: Context): Promise<CallOutput<'jobs.list'>> {
  return asTheyStand(context, 'jobs')
}

export async function get(
  context: Context,
  { id }: ParsedInput<'jobs.get'>,
): Promise<CallOutput<'jobs.get'>> {
  return jobOf(context, id)
}

export async function items(
  context: Context,
  input: ParsedInput<'jobs.items'>,
): Promise<CallOutput<'jobs.items'>> {
  await jobOf(context, input.id)
  return context.store.reader.call('jobItems', input)
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'jobs.remove'>,
): Promise<CallOutput<'jobs.remove'>> {
  const job = await jobOf(context, id)
  const live = await context.sender.liveJobs()
  if (live.some((other) => other.id === id)) {
    throw new AppError(
      'in_use',
      'Something of this job is still under way. Cancel it, or wait until that is over.',
    )
  }
  await context.store.writer.call('deleteJob', id)
  context.bus.push('jobs.changed', { job, removed: true })
  return {}
}

/** Those that run, are paused or were interrupted; newest first. */
export async function openJobs(context: Context): Promise<Job[]> {
  const jobs = await asTheyStand(context, 'openJobs')
  return jobs.filter(({ state }) => state !== 'done' && state !== 'cancelled')
}

/** Of those that go on the sender knows more than the store. One that ended between the two questions is as the store has it. */
async function asTheyStand({ sender, store }: Context, which: 'jobs' | 'openJobs'): Promise<Job[]> {
  const live = await sender.liveJobs()
  const stored = await store.reader.call(which)
  const byId = new Map(live.map((job) => [job.id, job]))
  return stored.map((job) => byId.get(job.id) ?? job)
}

/** Throws `not_found`. */
async function jobOf({ sender, store }: Context, id: number): Promise<Job> {
  const live = await sender.liveJobs()
  const job = live.find((other) => other.id === id) ?? (await store.reader.call('job', id))
  if (job) return job
  throw new AppError('not_found', `No job ${id}. It may have been removed.`)
}
