import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function start(
  _context: Context,
  _input: ParsedInput<'compose.start'>,
): Promise<CallOutput<'compose.start'>> {
  return notYet('compose.start')
}

export async function preview(
  _context: Context,
  _input: ParsedInput<'compose.preview'>,
): Promise<CallOutput<'compose.preview'>> {
  return notYet('compose.preview')
}

export async function send(
  _context: Context,
  _input: ParsedInput<'compose.send'>,
): Promise<CallOutput<'compose.send'>> {
  return notYet('compose.send')
}

export async function target(
  _context: Context,
  _input: ParsedInput<'compose.target'>,
): Promise<CallOutput<'compose.target'>> {
  return notYet('compose.target')
}

export async function original(
  _context: Context,
  _input: ParsedInput<'compose.original'>,
): Promise<CallOutput<'compose.original'>> {
  return notYet('compose.original')
}
