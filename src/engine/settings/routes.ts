import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { Settings } from '#contract/models.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Store } from '../store/store.ts'
import type { Listening } from '../capture/listening/listening.ts'

/** What the calls of settings and the listener use. */
export interface SettingsPorts {
  readonly bus: Bus
  readonly store: Store
  readonly listening: Listening
  settings: Settings
  /** Hands routes, secrets, rules and limits to the capture thread and to the sender; done when they have them. */
  configureThreads(): Promise<void>
}

/** The calls of settings and the listener, by name. */
export function settingsRoutes(ports: SettingsPorts) {
  return {
    'settings.update': (input: ParsedInput<'settings.update'>) => update(ports, input),
    'listener.start': (input: ParsedInput<'listener.start'>) => startListener(ports, input),
  } satisfies Partial<Handlers>
}

async function update(
  context: SettingsPorts,
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
async function startListener(
  context: SettingsPorts,
  { port }: ParsedInput<'listener.start'>,
): Promise<CallOutput<'listener.start'>> {
  const state = await context.listening.start(port ?? context.settings.listenerPort)
  if (state.state === 'listening' && port !== undefined) {
    await update(context, { listenerPort: port })
  }
  return state
}
