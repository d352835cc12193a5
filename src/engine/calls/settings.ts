import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Settings } from '#contract/models.ts'
import type { Context } from '../context.ts'

export async function update(
  context: Context,
  given: ParsedInput<'settings.update'>,
): Promise<CallOutput<'settings.update'>> {
  const settings: Settings = {
    theme: given.theme ?? context.settings.theme,
    listenerPort: given.listenerPort ?? context.settings.listenerPort,
    bodyLimit: given.bodyLimit ?? context.settings.bodyLimit,
    keepDeliveries: given.keepDeliveries ?? context.settings.keepDeliveries,
    keepBytes: given.keepBytes ?? context.settings.keepBytes,
  }
  await context.store.writer.call('writeSettings', settings)
  context.settings = settings
  await context.store.writer.call('keep', {
    deliveries: settings.keepDeliveries,
    bytes: settings.keepBytes,
  })
  await context.configureThreads()
  context.bus.push('settings.changed', settings)
  return settings
}

/** A port that is given and works is remembered; one that does not work is not. */
export async function startListener(
  context: Context,
  { port }: ParsedInput<'listener.start'>,
): Promise<CallOutput<'listener.start'>> {
  const state = await context.listening.start(port ?? context.settings.listenerPort)
  if (state.state === 'listening' && port !== undefined) {
    await update(context, { listenerPort: port })
  }
  return state
}
