import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function formats({ logs }: Context): Promise<CallOutput<'logs.formats'>> {
  return logs.formats()
}

export async function list({ logs }: Context): Promise<CallOutput<'logs.list'>> {
  return logs.view()
}

export async function preview(
  { logs }: Context,
  input: ParsedInput<'logs.preview'>,
): Promise<CallOutput<'logs.preview'>> {
  return logs.preview(input)
}

export async function begin(
  { logs }: Context,
  input: ParsedInput<'logs.export'>,
): Promise<CallOutput<'logs.export'>> {
  return logs.export(input)
}

export async function pull(
  { logs }: Context,
  { ticket }: ParsedInput<'logs.pull'>,
): Promise<CallOutput<'logs.pull'>> {
  return logs.pull(ticket)
}

export async function cancelExport(
  { logs }: Context,
  { id }: ParsedInput<'logs.cancelExport'>,
): Promise<CallOutput<'logs.cancelExport'>> {
  return logs.cancelExport(id)
}

export async function dismissExport(
  { logs }: Context,
  { id }: ParsedInput<'logs.dismissExport'>,
): Promise<CallOutput<'logs.dismissExport'>> {
  logs.dismissExport(id)
  return {}
}

export async function text(
  { logs }: Context,
  input: ParsedInput<'logs.text'>,
): Promise<CallOutput<'logs.text'>> {
  return logs.text(input)
}

export async function take(
  { logs }: Context,
  input: ParsedInput<'logs.import'>,
): Promise<CallOutput<'logs.import'>> {
  return logs.import(input)
}

export async function feed(
  { logs }: Context,
  input: ParsedInput<'logs.feed'>,
): Promise<CallOutput<'logs.feed'>> {
  return logs.feed(input)
}

export async function imported(
  { logs }: Context,
  { id }: ParsedInput<'logs.imported'>,
): Promise<CallOutput<'logs.imported'>> {
  return logs.imported(id)
}

export async function cancelImport(
  { logs }: Context,
  { id }: ParsedInput<'logs.cancelImport'>,
): Promise<CallOutput<'logs.cancelImport'>> {
  return logs.cancelImport(id)
}

export async function dismissImport(
  { logs }: Context,
  { id }: ParsedInput<'logs.dismissImport'>,
): Promise<CallOutput<'logs.dismissImport'>> {
  logs.dismissImport(id)
  return {}
}

export async function remove(
  { logs }: Context,
  { id }: ParsedInput<'logs.remove'>,
): Promise<CallOutput<'logs.remove'>> {
  await logs.remove(id)
  return {}
}

export async function authorization(
  { logs }: Context,
  { log }: ParsedInput<'logs.authorization'>,
): Promise<CallOutput<'logs.authorization'>> {
  return logs.authorization(log)
}

export async function setRules(
  { logs }: Context,
  input: ParsedInput<'logs.setRules'>,
): Promise<CallOutput<'logs.setRules'>> {
  return logs.setRules(input)
}
