import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { idsOf } from '../send/jobs/ids-for-job.ts'

export async function plan(
  context: Context,
  { url, ...which }: ParsedInput<'jobs.plan'>,
): Promise<CallOutput<'jobs.plan'>> {
  // What was received before counts, wherever it is by now.
  await context.store.writer.call('level')
  const ids = await idsOf(context, { ...which, upTo: null })
  return context.sender.api.call('planJob', { url, ids })
}

/** What is under an id is looked at when its turn comes. */
export async function start(
  context: Context,
  input: ParsedInput<'jobs.start'>,
): Promise<CallOutput<'jobs.start'>> {
  const { ids: selected, filter, upTo, ...wish } = input
  const ids = await idsOf(context, { ids: selected, filter, upTo })
  return context.sender.api.call('startJob', { wish: { ...wish, filter: filter ?? null }, ids })
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
