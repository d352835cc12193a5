import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function list(_context: Context): Promise<CallOutput<'jobs.list'>> {
  return notYet('jobs.list')
}

export async function get(
  _context: Context,
  _input: ParsedInput<'jobs.get'>,
): Promise<CallOutput<'jobs.get'>> {
  return notYet('jobs.get')
}

export async function items(
  _context: Context,
  _input: ParsedInput<'jobs.items'>,
): Promise<CallOutput<'jobs.items'>> {
  return notYet('jobs.items')
}

export async function remove(
  _context: Context,
  _input: ParsedInput<'jobs.remove'>,
): Promise<CallOutput<'jobs.remove'>> {
  return notYet('jobs.remove')
}
