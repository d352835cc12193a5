import type { Context } from '../context.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import { AppError } from '../../platform/errors.ts'
import { Flow } from '../../authorization/oauth/flow.ts'
import { readRun, readRuns } from '../../authorization/oauth/runs.ts'

export const authorizationRoutes = routes<Context>()({
  'authorization.start': start,

  'authorization.paste': async (context, { runId, address }) => {
    const flow = flowOf(context, runId)
    if (flow) return flow.paste(address)
    await readRun(context, runId)
    throw new AppError('run_over', 'This run has ended. Authorize again.')
  },

  'authorization.cancel': async (context, { runId }) => {
    await flowOf(context, runId)?.end('cancelled')
    return readRun(context, runId)
  },

  'authorization.runs': (context, input) => readRuns(context, input),
  'authorization.run': (context, { id }) => readRun(context, id),

  'authorization.reveal': async (context, { runId, name }) => {
    const live = context.runs.get(runId)
    if (live) {
      const value = live.reveal(name)
      if (value !== null) return { value }
    } else {
      const { maskedValues } = await readRun(context, runId)
      const sealed = maskedValues.some((held) => held.name === name)
        ? await context.store.reader.call('runSecret', { runId, name })
        : null
      if (sealed) return { value: await unsealed(context, sealed) }
    }
    throw new AppError('not_found', 'Unknown masked value.')
  },

  'authorization.clearRuns': async (context, { integrationId }) => {
    context.integrations.view(integrationId)
    // The end of a run is pushed shortly before it is stored.
    const ended = [...context.runs.values()].filter((live) => live.over)
    await Promise.all(ended.map(({ settled }) => settled))
    await context.store.writer.call('clearRuns', {
      integrationId,
      upTo: Number.MAX_SAFE_INTEGER,
      except: [...context.runs.keys()],
    })
    return {}
  },
})

async function start(
  context: Context,
  { label, replaces, ...options }: ParsedInput<'authorization.start'>,
): Promise<CallOutput<'authorization.start'>> {
  context.integrations.view(options.integrationId)
  if (options.agent === 'window' && !context.ports.authorizationWindow) {
    throw new AppError('bad_input', 'This host has no windows. Use the browser.', {
      details: { fields: ['agent'] },
    })
  }
  if (
    replaces !== undefined &&
    context.tokens.view(replaces).integrationId !== options.integrationId
  ) {
    throw new AppError('bad_input', `Token ${replaces} belongs to another integration.`, {
      details: { fields: ['replaces'] },
    })
  }
  // Nothing may be awaited before the new flow is in the set: of two simultaneous starts, one must supersede the other.
  const earlier = [...context.flows].filter(
    (flow) => flow.options.integrationId === options.integrationId,
  )
  const { integrationId, agent, redirectUrl, state, timeoutSeconds } = options
  const flow = new Flow(context, {
    integrationId,
    agent,
    redirectUrl,
    state,
    idleTimeout: timeoutSeconds,
    label: label ?? '',
    replaces: replaces ?? null,
  })
  context.flows.add(flow)
  for (const flow of earlier) void flow.endWaiting('superseded')
  return flow.begin(earlier.map(({ over }) => over))
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
      'This value was encrypted with a key that is no longer available.',
      { cause: error },
    )
  }
}
