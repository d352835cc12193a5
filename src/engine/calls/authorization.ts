import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { Flow } from '../oauth/flow.ts'
import { keepRefused } from '../oauth/refused-grant.ts'
import { readRun, readRuns } from '../oauth/runs.ts'

export async function start(
  context: Context,
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

export async function paste(
  context: Context,
  { runId, address }: ParsedInput<'authorization.paste'>,
): Promise<CallOutput<'authorization.paste'>> {
  const flow = flowOf(context, runId)
  if (flow) return flow.paste(address)
  await readRun(context, runId)
  throw new AppError('run_over', 'This run is over. Authorize again.')
}

export async function cancel(
  context: Context,
  { runId }: ParsedInput<'authorization.cancel'>,
): Promise<CallOutput<'authorization.cancel'>> {
  await flowOf(context, runId)?.end('cancelled')
  return readRun(context, runId)
}

export function runs(
  context: Context,
  input: ParsedInput<'authorization.runs'>,
): Promise<CallOutput<'authorization.runs'>> {
  return readRuns(context, input)
}

export function run(
  context: Context,
  { id }: ParsedInput<'authorization.run'>,
): Promise<CallOutput<'authorization.run'>> {
  return readRun(context, id)
}

export async function reveal(
  context: Context,
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

export function keepToken(
  context: Context,
  { runId, label }: ParsedInput<'authorization.keepToken'>,
): Promise<CallOutput<'authorization.keepToken'>> {
  return keepRefused(context, runId, label ?? '', (sealed) => unsealed(context, sealed))
}

export async function clearRuns(
  context: Context,
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

function flowOf({ flows }: Context, runId: number): Flow | undefined {
  return [...flows].find((flow) => flow.runId === runId)
}

async function unsealed({ ports }: Context, sealed: Uint8Array): Promise<string> {
  try {
    return await ports.secrets.unseal(sealed)
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'This value was sealed with a key that is not here any more.',
      { cause: error },
    )
  }
}
