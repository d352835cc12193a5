import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
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
import type { BodyApi } from './features/body/body-model.ts'
import { readLargeBodiesIn } from './features/body/use-body.ts'
import type { DiffApi } from './features/diff/diff-model.ts'
import { compareBodiesIn } from './features/diff/use-body-diff.ts'
import { callWorker } from './platform/worker-calls.ts'

declare global {
  interface Window {
    /** Set by a preload that will hand over a port. Read here and nowhere else. */
    readonly tabscopeHost?: 'electron'
  }
}

startWorkers()
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

/** Parses and compares large bodies in workers. */
export function startWorkers(): void {
  readLargeBodiesIn(() =>
    callWorker<BodyApi>(
      new Worker(new URL('./workers/body-worker.ts', import.meta.url), { type: 'module' }),
    ),
  )
  compareBodiesIn(() =>
    callWorker<DiffApi>(
      new Worker(new URL('./workers/diff-worker.ts', import.meta.url), { type: 'module' }),
    ),
  )
}
