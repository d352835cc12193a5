import type { Client } from '../platform/client.ts'
import { say } from '../platform/toasts.ts'

/** By this main marks the address of a page that it had to load again. */
const restarted = '?restarted'

/**
 * Says what was started again while somebody looked, since what they see goes on as if nothing had happened: the engine beneath the page, or
 * the page itself. The host in a browser starts nothing again by itself, and is not spoken of.
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
  // A reload by hand is none of ours.
  page.history.replaceState(null, '', pathname + hash)
  say('valid', 'The window stopped and was restarted. No received delivery is lost.')
}
