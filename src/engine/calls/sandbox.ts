import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { SandboxTarget } from '../ports.ts'
import { ensureSecret } from './endpoints.ts'

export async function send(
  context: Context,
  { endpointId, types }: ParsedInput<'sandbox.send'>,
): Promise<CallOutput<'sandbox.send'>> {
  const unknown = types.find((type) => !eventTypeOf(type))
  if (unknown !== undefined) {
    throw new AppError('bad_input', `The document has no event type "${unknown}".`)
  }
  await ensureSecret(context, endpointId)
  return inWords(context.ports.sandbox.send(target(context, endpointId), types))
}

export async function evening(
  context: Context,
  { endpointId, rate, seed }: ParsedInput<'sandbox.evening'>,
): Promise<CallOutput<'sandbox.evening'>> {
  await ensureSecret(context, endpointId)
  return inWords(context.ports.sandbox.startEvening(target(context, endpointId), { rate, seed }))
}

export async function stop({ ports }: Context): Promise<CallOutput<'sandbox.stop'>> {
  return ports.sandbox.stop()
}

/** What the sandbox cannot do it says in a sentence for people, which is passed on; the words of any other error are not for them. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SandboxError') throw error
    throw new AppError('sandbox_failed', error.message, { retry: 'later', cause: error })
  }
}

function target(context: Context, endpointId: number): SandboxTarget {
  const { registry, listening, integrations } = context
  return registry.sandboxTarget(endpointId, listening.origin(), (id) => integrations.brandOf(id))
}
