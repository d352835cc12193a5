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
  const close = async (): Promise<void> => {
    await engine.close()
    closed = true
  }
  app.on('will-quit', (event) => {
    if (closed) return last()
    event.preventDefault()
    if (closing !== null) return
    closing = close()
    void closing.finally(() => app.quit())
  })
  return { now: () => (closing ??= close()) }
}
