import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Tokens } from './tokens.ts'

/** What the token calls need. */
export interface TokenPorts {
  readonly ports: EnginePorts
  readonly tokens: Tokens
}

/** The token calls, by name. */
export function tokenRoutes(ports: TokenPorts) {
  return {
    'tokens.list': (input: ParsedInput<'tokens.list'>) => list(ports, input),
    'tokens.label': (input: ParsedInput<'tokens.label'>) => label(ports, input),
    'tokens.refresh': (input: ParsedInput<'tokens.refresh'>) => refresh(ports, input),
    'tokens.reveal': (input: ParsedInput<'tokens.reveal'>) => reveal(ports, input),
    'tokens.copy': (input: ParsedInput<'tokens.copy'>) => copy(ports, input),
    'tokens.forget': (input: ParsedInput<'tokens.forget'>) => forget(ports, input),
    'tokens.remove': (input: ParsedInput<'tokens.remove'>) => remove(ports, input),
  } satisfies Partial<Handlers>
}

async function list(
  context: TokenPorts,
  { integrationId }: ParsedInput<'tokens.list'>,
): Promise<CallOutput<'tokens.list'>> {
  return context.tokens
    .views()
    .filter((token) => integrationId === undefined || token.integrationId === integrationId)
}

function label(
  context: TokenPorts,
  { id, label }: ParsedInput<'tokens.label'>,
): Promise<CallOutput<'tokens.label'>> {
  return context.tokens.label(id, label)
}

function refresh(
  context: TokenPorts,
  { id }: ParsedInput<'tokens.refresh'>,
): Promise<CallOutput<'tokens.refresh'>> {
  return context.tokens.refresh(id)
}

async function reveal(
  context: TokenPorts,
  { id, which }: ParsedInput<'tokens.reveal'>,
): Promise<CallOutput<'tokens.reveal'>> {
  return { value: context.tokens.reveal(id, which) }
}

async function copy(
  context: TokenPorts,
  { id, which }: ParsedInput<'tokens.copy'>,
): Promise<CallOutput<'tokens.copy'>> {
  return { copied: await context.ports.system.copyText(context.tokens.reveal(id, which)) }
}

function forget(
  context: TokenPorts,
  { id }: ParsedInput<'tokens.forget'>,
): Promise<CallOutput<'tokens.forget'>> {
  return context.tokens.forget(id)
}

async function remove(
  context: TokenPorts,
  { id }: ParsedInput<'tokens.remove'>,
): Promise<CallOutput<'tokens.remove'>> {
  await context.tokens.remove(id)
  return {}
}
