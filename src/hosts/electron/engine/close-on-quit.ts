import { app } from 'electron'
import type { EngineHost } from './host.ts'

/**
 * Closes the engine before the app quits, so that it commits its data. A second quit request does not close it again. `onClosed` is called when nothing is left
 * to do.
 */
export function closeOnQuit(
  engine: Pick<EngineHost, 'close'>,
  onClosed: () => void,
): { now(): Promise<void> } {
  let closing: Promise<void> | null = null
  let isClosed = false
  let willQuit = false
  const close = async (): Promise<void> => {
    try {
      await engine.close()
    } finally {
      isClosed = true
    }
  }
  app.on('will-quit', (event) => {
    if (isClosed) return onClosed()
    event.preventDefault()
    // A prevented quit is dropped, so `app.quit` is called again after closing, even if the engine was closed for another reason.
    if (willQuit) return
    willQuit = true
    closing ??= close()
    closing.catch(() => undefined).finally(() => app.quit())
  })
  return { now: () => (closing ??= close()) }
}
