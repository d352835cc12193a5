import type { Client } from '../platform/client.ts'
import { say } from '../platform/toasts.ts'

/** The query with which the main process marks a page that it had to reload. */
const restarted = '?restarted'

/**
 * Shows a message when the engine or the page was restarted, because the page otherwise continues as if nothing had happened. In a browser, the
 * host restarts nothing, so there is no message.
 */
export function reportRestarts(
  client: Pick<Client, 'onConnection'>,
  page: {
    readonly location: Pick<Location, 'search' | 'pathname' | 'hash'>
    readonly history: Pick<History, 'replaceState'>
  },
): void {
  let lostEngine = false
  client.onConnection((state) => {
    if (state.phase === 'lost') lostEngine = state.retryAt === null
    if (state.phase !== 'connected') return
    if (lostEngine && state.again) {
      say('valid', 'The engine stopped and was restarted. No received delivery is lost.', {
        about: 'engine',
      })
    }
    lostEngine = false
  })
  const { search, pathname, hash } = page.location
  if (search !== restarted) return
  // A later manual reload must not show the message again.
  page.history.replaceState(null, '', pathname + hash)
  say('valid', 'The window stopped and was restarted. No received delivery is lost.')
}
