import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function start(
  _context: Context,
  _input: ParsedInput<'authorization.start'>,
): Promise<CallOutput<'authorization.start'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function paste(
  _context: Context,
  _input: ParsedInput<'authorization.paste'>,
): Promise<CallOutput<'authorization.paste'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function cancel(
  _context: Context,
  _input: ParsedInput<'authorization.cancel'>,
): Promise<CallOutput<'authorization.cancel'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function runs(
  _context: Context,
  _input: ParsedInput<'authorization.runs'>,
): Promise<CallOutput<'authorization.runs'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function run(
  _context: Context,
  _input: ParsedInput<'authorization.run'>,
): Promise<CallOutput<'authorization.run'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function reveal(
  _context: Context,
  _input: ParsedInput<'authorization.reveal'>,
): Promise<CallOutput<'authorization.reveal'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function keepToken(
  _context: Context,
  _input: ParsedInput<'authorization.keepToken'>,
): Promise<CallOutput<'authorization.keepToken'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function clearRuns(
  _context: Context,
  _input: ParsedInput<'authorization.clearRuns'>,
): Promise<CallOutput<'authorization.clearRuns'>> {
  throw new AppError('internal', 'Not there yet.')
}
