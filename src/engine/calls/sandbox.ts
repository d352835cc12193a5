import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { SandboxTarget } from '../ports.ts'
import { ensureSecret } from './endpoints.ts'
import { inWords } from './sandbox-words.ts'

export async function send(
  context: Context,
  { endpointId, types }: ParsedInput<'sandbox.send'>,
): Promise<CallOutput<'sandbox.send'>> {
  const unknown = types.find((type) => !eventTypeOf(type))
  if (unknown !== undefined) {
    throw new AppError('bad_input', `The document has no event type "${unknown}".`)
  }
  await ensureSecret(context, endpointId)
  return inWords(() => context.ports.sandbox.send(target(context, endpointId), types))
}

export async function evening(
  context: Context,
  { endpointId, rate, seed }: ParsedInput<'sandbox.evening'>,
): Promise<CallOutput<'sandbox.evening'>> {
  await ensureSecret(context, endpointId)
  return inWords(() =>
    context.ports.sandbox.startEvening(target(context, endpointId), { rate, seed }),
  )
}

export async function stop({ ports }: Context): Promise<CallOutput<'sandbox.stop'>> {
  return ports.sandbox.stop()
}

function target(context: Context, endpointId: number): SandboxTarget {
  const { registry, listening, integrations } = context
  return registry.sandboxTarget(endpointId, listening.origin(), (id) => integrations.brandOf(id))
}
