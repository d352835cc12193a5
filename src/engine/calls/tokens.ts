import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function list(
  _context: Context,
  _input: ParsedInput<'tokens.list'>,
): Promise<CallOutput<'tokens.list'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function label(
  _context: Context,
  _input: ParsedInput<'tokens.label'>,
): Promise<CallOutput<'tokens.label'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function refresh(
  _context: Context,
  _input: ParsedInput<'tokens.refresh'>,
): Promise<CallOutput<'tokens.refresh'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function reveal(
  _context: Context,
  _input: ParsedInput<'tokens.reveal'>,
): Promise<CallOutput<'tokens.reveal'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function forget(
  _context: Context,
  _input: ParsedInput<'tokens.forget'>,
): Promise<CallOutput<'tokens.forget'>> {
  throw new AppError('internal', 'Not there yet.')
}

export async function remove(
  _context: Context,
  _input: ParsedInput<'tokens.remove'>,
): Promise<CallOutput<'tokens.remove'>> {
  throw new AppError('internal', 'Not there yet.')
}
