import type { Context } from '../context.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import { Settings } from '#contract/models.ts'
import { assertProxySetting, readCertificates } from '../../platform/settings/network.ts'

export const settingsRoutes = routes<Context>()({
  'settings.update': update,

  /** A given port is stored in the settings only if it works. */
  'listener.start': async (context, { port }) => {
    const state = await context.listening.start(port ?? context.settings.listenerPort)
    if (state.state === 'listening' && port !== undefined) {
      await update(context, { listenerPort: port })
    }
    return state
  },
})

async function update(
  context: Context,
  given: ParsedInput<'settings.update'>,
): Promise<CallOutput<'settings.update'>> {
  // Absent values may also be present as undefined: both mean no change.
  const changes = Object.entries(given).filter(([, value]) => value !== undefined)
  const settings = Settings.parse({ ...context.settings, ...Object.fromEntries(changes) })
  assertProxySetting(settings.proxy)
  const { caFile } = given
  const certificates =
    caFile === undefined ? context.network.certificates : await readCertificates(caFile)
  await context.store.writer.call('writeSettings', settings)
  context.settings = settings
  if (caFile !== undefined) context.caFileProblem = null
  if (caFile !== undefined || given.proxy !== undefined) {
    context.network.configure({ proxy: settings.proxy, certificates })
  }
  await context.store.writer.call('keep', {
    deliveries: settings.keepDeliveries,
    bytes: settings.keepBytes,
    days: settings.keepDays,
  })
  await context.configureThreads()
  context.bus.push('settings.changed', settings)
  return settings
}
