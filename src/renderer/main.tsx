import './theme/tailwind.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/kit.css'
import './theme/contrast.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startFeeds, documentVisibility, followAddress } from './features/deliveries/index.ts'
import { followTheme } from './platform/theme.ts'
import { followHostCommands } from './app/GlobalCommands.tsx'
import { listenForKeys } from './platform/keys.ts'
import { Shell } from './app/Shell.tsx'
import { reportRestarts } from './app/LostBanner.tsx'
import { syncStores } from './app/sync-stores.ts'
import { createClient } from './platform/client.ts'
import { messagePortTransport } from './platform/transports/message-port.ts'
import { webSocketTransport } from './platform/transports/web-socket.ts'
import { ClientContext } from './platform/use-client.ts'

declare global {
  interface Window {
    /** Set by a preload that will hand over a port. Read here and nowhere else. */
    readonly tabscopeHost?: 'electron'
  }
}

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
