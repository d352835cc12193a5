import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { SandboxRoute } from '#contract/models.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { SandboxTarget } from '../ports.ts'
import { ensureSecret } from './endpoints.ts'
import { withSandboxErrors } from './sandbox-errors.ts'

export async function send(
  context: Context,
  { endpointId, types, through }: ParsedInput<'sandbox.send'>,
): Promise<CallOutput<'sandbox.send'>> {
  const unknown = types.find((type) => !eventTypeOf(type))
  if (unknown !== undefined) {
    throw new AppError('bad_input', `The document has no event type "${unknown}".`)
  }
  await ensureSecret(context, endpointId)
  return withSandboxErrors(() =>
    context.ports.sandbox.send(target(context, endpointId, through), types),
  )
}

export async function evening(
  context: Context,
  { endpointId, rate, seed, through }: ParsedInput<'sandbox.evening'>,
): Promise<CallOutput<'sandbox.evening'>> {
  await ensureSecret(context, endpointId)
  return withSandboxErrors(() =>
    context.ports.sandbox.startEvening(target(context, endpointId, through), { rate, seed }),
  )
}

export async function stop({ ports }: Context): Promise<CallOutput<'sandbox.stop'>> {
  return ports.sandbox.stop()
}

function target(context: Context, endpointId: number, through: SandboxRoute): SandboxTarget {
  const { registry, integrations } = context
  const origin = originFor(context, through)
  return registry.sandboxTarget(endpointId, origin, (id) => integrations.brandOf(id))
}

function originFor({ listening, tunnel }: Context, through: SandboxRoute): string {
  switch (through) {
    case 'listener':
      return listening.origin()
    case 'tunnel': {
      const { url } = tunnel.view()
      if (url !== null) return url
      throw new AppError(
        'bad_input',
        'No tunnel is open now, so nothing can be sent through it. Open one, or send straight to the listener.',
      )
    }
  }
}
