import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { idsForJob } from '../send/jobs/ids-for-job.ts'

/** A filter or a selection, never both and never neither; what is under an id is looked at when its turn comes. */
export async function start(
  { store, clock, sender }: Context,
  input: ParsedInput<'jobs.start'>,
): Promise<CallOutput<'jobs.start'>> {
  const { ids: selected, filter, upTo, ...wish } = input
  if ((selected === undefined) === (filter === undefined)) {
    throw new AppError('bad_input', 'Give either the ids of deliveries or a filter.')
  }
  const ids =
    filter === undefined
      ? [...new Set(selected)].toSorted((a, b) => a - b)
      : await idsForJob(store, { filter, upTo, asOf: clock.now() })
  return sender.api.call('startJob', { wish: { ...wish, filter: filter ?? null }, ids })
}

export async function pause(
  { sender }: Context,
  { id }: ParsedInput<'jobs.pause'>,
): Promise<CallOutput<'jobs.pause'>> {
  return sender.api.call('pauseJob', id)
}

export async function resume(
  { sender }: Context,
  input: ParsedInput<'jobs.resume'>,
): Promise<CallOutput<'jobs.resume'>> {
  return sender.api.call('resumeJob', input)
}

export async function cancel(
  { sender }: Context,
  { id }: ParsedInput<'jobs.cancel'>,
): Promise<CallOutput<'jobs.cancel'>> {
  return sender.api.call('cancelJob', id)
}

export async function resendFailed(
  { sender }: Context,
  { id }: ParsedInput<'jobs.resendFailed'>,
): Promise<CallOutput<'jobs.resendFailed'>> {
  return sender.api.call('resendFailed', id)
}
