import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function send(
  _context: Context,
  _input: ParsedInput<'api.send'>,
): Promise<CallOutput<'api.send'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function cancel(
  _context: Context,
  _input: ParsedInput<'api.cancel'>,
): Promise<CallOutput<'api.cancel'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function history(
  _context: Context,
  _input: ParsedInput<'api.history'>,
): Promise<CallOutput<'api.history'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function exchange(
  _context: Context,
  _input: ParsedInput<'api.exchange'>,
): Promise<CallOutput<'api.exchange'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function body(
  _context: Context,
  _input: ParsedInput<'api.body'>,
): Promise<CallOutput<'api.body'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function reveal(
  _context: Context,
  _input: ParsedInput<'api.reveal'>,
): Promise<CallOutput<'api.reveal'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function clearHistory(
  _context: Context,
  _input: ParsedInput<'api.clearHistory'>,
): Promise<CallOutput<'api.clearHistory'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function saved(
  _context: Context,
  _input: ParsedInput<'api.saved'>,
): Promise<CallOutput<'api.saved'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function save(
  _context: Context,
  _input: ParsedInput<'api.save'>,
): Promise<CallOutput<'api.save'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function removeSaved(
  _context: Context,
  _input: ParsedInput<'api.removeSaved'>,
): Promise<CallOutput<'api.removeSaved'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function curl(
  _context: Context,
  _input: ParsedInput<'api.curl'>,
): Promise<CallOutput<'api.curl'>> {
  throw new AppError('internal', 'Not there yet.')
}
