import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { Settings } from '#contract/models.ts'
import type { Context } from '../context.ts'

export async function update(
  context: Context,
  given: ParsedInput<'settings.update'>,
): Promise<CallOutput<'settings.update'>> {
  // What is absent may also be there as undefined: it is no change.
  const changes = Object.entries(given).filter(([, value]) => value !== undefined)
  const settings = Settings.parse({ ...context.settings, ...Object.fromEntries(changes) })
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
