import './no-eval.ts'
import './fonts.css'
import '#renderer/theme/tokens.css'
import '#renderer/theme/base.css'
import '#renderer/theme/contrast.css'
import type { ClientFrame } from '#contract/host.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppError } from '#engine/platform/errors.ts'
import {
  startFeeds,
  documentVisibility,
  followAddress,
} from '#renderer/features/deliveries/index.ts'
import { dayOf } from '#renderer/ui/text/time.ts'
import { followTheme } from '#renderer/platform/theme.ts'
import { listenForKeys } from '#renderer/platform/keys.ts'
import {
  createClient,
  type Client,
  type Transport,
  type TransportEvents,
} from '#renderer/platform/client.ts'
import { ClientContext } from '#renderer/platform/use-client.ts'
import { createHandlers, type HandleCall } from './handlers/handlers.ts'
import { blocksIn } from './log/content.ts'
import { openLog, type PageLog } from './log/log.ts'
import { storedTheme, Unreadable, ViewerShell } from './shell/ViewerShell.tsx'
import { useSettings } from '#renderer/state/settings.ts'
import { showSnapshot, useShell } from '#renderer/state/app.ts'
import { messageOf } from '#renderer/platform/call-error.ts'
import './shell/Opening.css'

const place = document.getElementById('root')
if (!place) throw new Error('viewer.html has no element with the id "root".')
const root = createRoot(place)

function show(log: PageLog): void {
  document.title = `Event log of ${dayOf(Date.parse(log.head.exportedAt))} - Tabscope`
  const client = createClient(pageTransport(createHandlers(log, Date.now, storedTheme())), Date.now)
  loadSnapshot(client)
  followAddress(window)
  startFeeds(client, documentVisibility(document))
  followTheme(document.documentElement)
  listenForKeys(window)
  root.render(
    <StrictMode>
      <ClientContext value={client}>
        <ViewerShell log={log} />
      </ClientContext>
    </StrictMode>,
  )
}

try {
  show(openLog(blocksIn(document)))
} catch (error) {
  const message = error instanceof AppError ? error.message : 'This file is damaged.'
  root.render(<Unreadable message={message} />)
}

/** Loads the only snapshot. The stores for data of a running Tabscope stay empty. */
export function loadSnapshot(client: Client): void {
  client.onConnection((connection) => useShell.setState({ connection }))
  client.onReload(() => {
    client.call('app.snapshot', {}).then(
      (snapshot) => {
        useSettings.setState({ settings: snapshot.settings })
        showSnapshot(snapshot)
      },
      (error: unknown) => useShell.setState({ failure: messageOf(error) }),
    )
  })
}

/** A transport to the call handlers of this page. It is always connected, and never pushes. */
function pageTransport(handle: HandleCall): Transport {
  return (events) => {
    setTimeout(() => events.opened((frame) => void handleFrame(events, handle, frame)))
    return () => undefined
  }
}

async function handleFrame(
  events: TransportEvents,
  handle: HandleCall,
  frame: ClientFrame,
): Promise<void> {
  // Yield first, so that the page can render between two steps of a long search.
  await new Promise((resolve) => setTimeout(resolve))
  switch (frame.kind) {
    case 'hello':
      return events.received({
        kind: 'welcome',
        session: 'page',
        seq: 0,
        reload: true,
        version: '',
      })
    case 'subscribe':
      // Nothing is pushed to an exported page.
      return
    case 'call': {
      const { id } = frame
      try {
        const output = await handle(frame.name, frame.input)
        events.received({ kind: 'reply', id, ok: true, output })
      } catch (error) {
        events.received({ kind: 'reply', id, ok: false, error: asAppError(error).toWire() })
      }
    }
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'This page could not handle the request.')
}
