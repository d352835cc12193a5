import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { AppError } from '../platform/errors.ts'
import { Flow } from './flow.ts'
import { readRun, readRuns, type LiveRuns, type LiveRunPorts } from './runs.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { Tunnel } from '../tunnel/tunnel.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { z } from 'zod'
import { refusedGrantName } from './live-run.ts'

const StoredGrant = z.object({
  token: z.string(),
  refreshToken: z.string().nullable(),
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  expiresIn: z.int().nullable(),
})

/** Runs whose token is being kept: two clicks at once make one token. */
const underWay = new WeakMap<LiveRunPorts, Set<number>>()

/** Keeps the token of a refused answer, by the user's decision; its findings go with it. Throws `not_found` when there is none (any more). */
async function keepRefused(
  context: LiveRunPorts,
  runId: number,
  label: string,
  unseal: (sealed: Uint8Array) => Promise<string>,
): Promise<{ tokenId: number }> {
  const busy = underWay.get(context) ?? new Set()
  underWay.set(context, busy)
  const none = new AppError('not_found', 'This run has no rejected token, or it is already stored.')
  const live = context.runs.get(runId)
  if (busy.has(runId) || live?.over === false) throw none
  busy.add(runId)
  try {
    // Its end is told a moment before it is stored.
    await live?.settled
    const run = await readRun(context, runId)
    const parts = await context.store.reader.call('runSecrets', runId)
    const sealed = parts.find(({ name }) => name === refusedGrantName)
    if (!sealed) throw none
    const parsed: unknown = JSON.parse(await unseal(sealed.sealed))
    const token = await context.tokens.keep(StoredGrant.parse(parsed), {
      integrationId: run.integrationId,
      label,
      // What a refresh brought is the same user's.
      replaces: run.kind === 'refresh' ? run.tokenId : null,
      runId,
      findings: run.findings,
    })
    const kept = { ...run, hasRefusedToken: false, tokenId: token.id }
    await context.store.writer.call('updateRun', {
      run: kept,
      secrets: parts.filter((part) => part !== sealed),
    })
    context.bus.push('authorization.changed', kept)
    return { tokenId: token.id }
  } finally {
    busy.delete(runId)
  }
}

/** What the calls of authorization use. */
export interface AuthorizationPorts {
  readonly ports: EnginePorts
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly tunnel: Tunnel
  readonly integrations: IntegrationRegistry
  readonly tokens: Tokens
  /** Runs that go on. */
  readonly runs: LiveRuns
  /** Authorizations that go on: each has a run. */
  readonly flows: Set<Flow>
  /** Starts the sandbox's service, and fills in the integration that stands for it. */
  startSandbox(): Promise<unknown>
}

/** The calls of authorization, by name. */
export function authorizationRoutes(ports: AuthorizationPorts) {
  return {
    'authorization.start': (input: ParsedInput<'authorization.start'>) => start(ports, input),
    'authorization.paste': (input: ParsedInput<'authorization.paste'>) => paste(ports, input),
    'authorization.cancel': (input: ParsedInput<'authorization.cancel'>) => cancel(ports, input),
    'authorization.runs': (input: ParsedInput<'authorization.runs'>) => runs(ports, input),
    'authorization.run': (input: ParsedInput<'authorization.run'>) => run(ports, input),
    'authorization.reveal': (input: ParsedInput<'authorization.reveal'>) => reveal(ports, input),
    'authorization.keepToken': (input: ParsedInput<'authorization.keepToken'>) =>
      keepToken(ports, input),
    'authorization.clearRuns': (input: ParsedInput<'authorization.clearRuns'>) =>
      clearRuns(ports, input),
  } satisfies Partial<Handlers>
}

async function start(
  context: AuthorizationPorts,
  { label, replaces, ...wish }: ParsedInput<'authorization.start'>,
): Promise<CallOutput<'authorization.start'>> {
  context.integrations.view(wish.integrationId)
  if (wish.agent === 'window' && !context.ports.authorizationWindow) {
    throw new AppError('bad_input', 'There are no windows here. Use the browser.', {
      details: { fields: ['agent'] },
    })
  }
  if (
    replaces !== undefined &&
    context.tokens.view(replaces).integrationId !== wish.integrationId
  ) {
    throw new AppError('bad_input', `Token ${replaces} belongs to another integration.`, {
      details: { fields: ['replaces'] },
    })
  }
  // Nothing is awaited before the new flow stands in the set: of two starts at once one supersedes the other.
  const before = [...context.flows].filter((flow) => flow.wish.integrationId === wish.integrationId)
  const { integrationId, agent, redirectUrl, state, patience } = wish
  const flow = new Flow(context, {
    integrationId,
    agent,
    redirectUrl,
    state,
    patience,
    label: label ?? '',
    replaces: replaces ?? null,
  })
  context.flows.add(flow)
  for (const older of before) void older.endWaiting('superseded')
  return flow.begin(before.map(({ over }) => over))
}

async function paste(
  context: AuthorizationPorts,
  { runId, address }: ParsedInput<'authorization.paste'>,
): Promise<CallOutput<'authorization.paste'>> {
  const flow = flowOf(context, runId)
  if (flow) return flow.paste(address)
  await readRun(context, runId)
  throw new AppError('run_over', 'This run is over. Authorize again.')
}

async function cancel(
  context: AuthorizationPorts,
  { runId }: ParsedInput<'authorization.cancel'>,
): Promise<CallOutput<'authorization.cancel'>> {
  await flowOf(context, runId)?.end('cancelled')
  return readRun(context, runId)
}

function runs(
  context: AuthorizationPorts,
  input: ParsedInput<'authorization.runs'>,
): Promise<CallOutput<'authorization.runs'>> {
  return readRuns(context, input)
}

function run(
  context: AuthorizationPorts,
  { id }: ParsedInput<'authorization.run'>,
): Promise<CallOutput<'authorization.run'>> {
  return readRun(context, id)
}

async function reveal(
  context: AuthorizationPorts,
  { runId, name }: ParsedInput<'authorization.reveal'>,
): Promise<CallOutput<'authorization.reveal'>> {
  const live = context.runs.get(runId)
  if (live) {
    const value = live.reveal(name)
    if (value !== null) return { value }
  } else {
    const { heldBack } = await readRun(context, runId)
    const sealed = heldBack.some((held) => held.name === name)
      ? await context.store.reader.call('runSecret', { runId, name })
      : null
    if (sealed) return { value: await unsealed(context, sealed) }
  }
  throw new AppError('not_found', 'The record holds nothing back under this name.')
}

function keepToken(
  context: AuthorizationPorts,
  { runId, label }: ParsedInput<'authorization.keepToken'>,
): Promise<CallOutput<'authorization.keepToken'>> {
  return keepRefused(context, runId, label ?? '', (sealed) => unsealed(context, sealed))
}

async function clearRuns(
  context: AuthorizationPorts,
  { integrationId }: ParsedInput<'authorization.clearRuns'>,
): Promise<CallOutput<'authorization.clearRuns'>> {
  context.integrations.view(integrationId)
  // The end of a run is told a moment before it is stored.
  const over = [...context.runs.values()].filter((live) => live.over)
  await Promise.all(over.map(({ settled }) => settled))
  await context.store.writer.call('clearRuns', {
    integrationId,
    upTo: Number.MAX_SAFE_INTEGER,
    except: [...context.runs.keys()],
  })
  return {}
}

function flowOf({ flows }: AuthorizationPorts, runId: number): Flow | undefined {
  return [...flows].find((flow) => flow.runId === runId)
}

async function unsealed({ ports }: AuthorizationPorts, sealed: Uint8Array): Promise<string> {
  try {
    return await ports.secrets.unseal(sealed)
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'This value was encrypted with a key that is no longer available.',
      { cause: error },
    )
  }
}
