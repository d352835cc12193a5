import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import type { Logs } from './service.ts'

/** Services that the event log calls use. */
export interface EventLogPorts {
  readonly logs: Logs
}

/** Handlers of the event log calls, by call name. */
export function eventLogRoutes(ports: EventLogPorts) {
  return {
    'logs.formats': () => formats(ports),
    'logs.preview': (input: ParsedInput<'logs.preview'>) => preview(ports, input),
    'logs.export': (input: ParsedInput<'logs.export'>) => startExport(ports, input),
    'logs.pull': (input: ParsedInput<'logs.pull'>) => pull(ports, input),
    'logs.cancelExport': (input: ParsedInput<'logs.cancelExport'>) => cancelExport(ports, input),
    'logs.dismissExport': (input: ParsedInput<'logs.dismissExport'>) => dismissExport(ports, input),
    'logs.text': (input: ParsedInput<'logs.text'>) => text(ports, input),
    'logs.import': (input: ParsedInput<'logs.import'>) => startImport(ports, input),
    'logs.feed': (input: ParsedInput<'logs.feed'>) => feed(ports, input),
    'logs.imported': (input: ParsedInput<'logs.imported'>) => imported(ports, input),
    'logs.cancelImport': (input: ParsedInput<'logs.cancelImport'>) => cancelImport(ports, input),
    'logs.dismissImport': (input: ParsedInput<'logs.dismissImport'>) => dismissImport(ports, input),
    'logs.list': () => list(ports),
    'logs.remove': (input: ParsedInput<'logs.remove'>) => remove(ports, input),
    'logs.authorization': (input: ParsedInput<'logs.authorization'>) => authorization(ports, input),
    'logs.setRules': (input: ParsedInput<'logs.setRules'>) => setRules(ports, input),
  } satisfies Partial<Handlers>
}

async function formats({ logs }: EventLogPorts): Promise<CallOutput<'logs.formats'>> {
  return logs.formats()
}

async function list({ logs }: EventLogPorts): Promise<CallOutput<'logs.list'>> {
  return logs.view()
}

async function preview(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.preview'>,
): Promise<CallOutput<'logs.preview'>> {
  return logs.preview(input)
}

async function startExport(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.export'>,
): Promise<CallOutput<'logs.export'>> {
  return logs.export(input)
}

async function pull(
  { logs }: EventLogPorts,
  { ticket }: ParsedInput<'logs.pull'>,
): Promise<CallOutput<'logs.pull'>> {
  return logs.pull(ticket)
}

async function cancelExport(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.cancelExport'>,
): Promise<CallOutput<'logs.cancelExport'>> {
  return logs.cancelExport(id)
}

async function dismissExport(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.dismissExport'>,
): Promise<CallOutput<'logs.dismissExport'>> {
  logs.dismissExport(id)
  return {}
}

async function text(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.text'>,
): Promise<CallOutput<'logs.text'>> {
  return logs.text(input)
}

async function startImport(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.import'>,
): Promise<CallOutput<'logs.import'>> {
  return logs.import(input)
}

async function feed(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.feed'>,
): Promise<CallOutput<'logs.feed'>> {
  return logs.feed(input)
}

async function imported(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.imported'>,
): Promise<CallOutput<'logs.imported'>> {
  return logs.imported(id)
}

async function cancelImport(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.cancelImport'>,
): Promise<CallOutput<'logs.cancelImport'>> {
  return logs.cancelImport(id)
}

async function dismissImport(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.dismissImport'>,
): Promise<CallOutput<'logs.dismissImport'>> {
  logs.dismissImport(id)
  return {}
}

async function remove(
  { logs }: EventLogPorts,
  { id }: ParsedInput<'logs.remove'>,
): Promise<CallOutput<'logs.remove'>> {
  await logs.remove(id)
  return {}
}

async function authorization(
  { logs }: EventLogPorts,
  { log }: ParsedInput<'logs.authorization'>,
): Promise<CallOutput<'logs.authorization'>> {
  return logs.authorization(log)
}

async function setRules(
  { logs }: EventLogPorts,
  input: ParsedInput<'logs.setRules'>,
): Promise<CallOutput<'logs.setRules'>> {
  return logs.setRules(input)
}
