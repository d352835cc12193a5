import '#kit/theme/tailwind.css'
import '#kit/theme/fonts.css'
import '#kit/theme/tokens.css'
import '#kit/theme/base.css'
import '#kit/theme/kit.css'
import '#kit/theme/components.css'
import '#kit/theme/contrast.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/v4/core'
import { startFeeds } from '#pages/deliveries/feed/feeds.ts'
import { documentVisibility } from '#pages/deliveries/feed.ts'
import { followAddress } from '#pages/deliveries/follow-address.ts'
import { followTheme } from '#client/system.ts'
import { followHostCommands } from '#app/GlobalCommands.tsx'
import { listenForKeys } from '#client/keys.ts'
import { Shell } from '#app/Shell.tsx'
import { reportRestarts } from '#app/Banners.tsx'
import { syncStores } from '#app/sync-stores.ts'
import { createClient } from '#client/client.ts'
import { messagePortTransport } from '#client/transports/message-port.ts'
import { webSocketTransport } from '#client/transports/web-socket.ts'
import { ClientContext } from '#client/use-client.ts'

declare global {
  interface Window {
    /** Set by a preload that will hand over a port. Read here and nowhere else. */
    readonly tabscopeHost?: 'electron'
  }
}

// Schemas try `eval` otherwise, which the policy of the page blocks and Firefox reports.
config({ jitless: true })

const transport =
  window.tabscopeHost === 'electron' ? messagePortTransport(window) : webSocketTransport(window)
const client = createClient(transport, Date.now)
syncStores(client)
reportRestarts(client, window)
followAddress(window)
startFeeds(client, documentVisibility(document))
followTheme(document.documentElement)
listenForKeys(window)
if (window.tabscopeHost !== undefined) followHostCommands(window)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <ClientContext value={client}>
      <Shell />
    </ClientContext>
  </StrictMode>,
)
