import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function start(
  _context: Context,
  _input: ParsedInput<'jobs.start'>,
): Promise<CallOutput<'jobs.start'>> {
  return notYet('jobs.start')
}

export async function pause(
  _context: Context,
  _input: ParsedInput<'jobs.pause'>,
): Promise<CallOutput<'jobs.pause'>> {
  return notYet('jobs.pause')
}

export async function resume(
  _context: Context,
  _input: ParsedInput<'jobs.resume'>,
): Promise<CallOutput<'jobs.resume'>> {
  return notYet('jobs.resume')
}

export async function cancel(
  _context: Context,
  _input: ParsedInput<'jobs.cancel'>,
): Promise<CallOutput<'jobs.cancel'>> {
  return notYet('jobs.cancel')
}
