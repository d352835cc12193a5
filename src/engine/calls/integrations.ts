import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function update(
  context: Context,
  { id, ...given }: ParsedInput<'integrations.update'>,
): Promise<CallOutput<'integrations.update'>> {
  const before = context.integrations.find((integration) => integration.id === id)
  if (!before) throw new AppError('not_found', `There is no integration ${id}.`)
  const after = {
    id,
    name: given.name ?? before.name,
    brand: given.brand ?? before.brand,
    baseUrl: given.baseUrl ?? before.baseUrl,
  }
  await context.store.writer.call('updateIntegration', after)
  context.integrations = context.integrations.map((integration) =>
    integration.id === id ? after : integration,
  )
  await context.configureCapture()
  context.bus.push('integrations.changed', [...context.integrations])
  return after
}
