import type { ClientFrame } from '#contract/host.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Transport, TransportEvents } from '#renderer/platform/client.ts'
import type { HandleCall } from './handlers/handlers.ts'

/** A transport to the call handlers of this page. It is always connected, and never pushes. */
export function pageTransport(handle: HandleCall): Transport {
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
