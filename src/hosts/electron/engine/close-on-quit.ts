import { app } from 'electron'
import type { EngineHost } from './host.ts'

/**
 * Before the app goes, the engine commits what it holds. A second request to quit does not wait a second time. `last` is called when nothing is
 * left to be done.
 */
export function closeOnQuit(
  engine: Pick<EngineHost, 'close'>,
  last: () => void,
): { now(): Promise<void> } {
  let closing: Promise<void> | null = null
  let closed = false
  let willQuit = false
  const close = async (): Promise<void> => {
    try {
      await engine.close()
    } finally {
      closed = true
    }
  }
  app.on('will-quit', (event) => {
    if (closed) return last()
    event.preventDefault()
    // A prevented quit is forgotten: without another one the app would stay, also where the engine was closed for another reason.
    if (willQuit) return
    willQuit = true
    closing ??= close()
    closing.catch(() => undefined).finally(() => app.quit())
  })
  return { now: () => (closing ??= close()) }
}
