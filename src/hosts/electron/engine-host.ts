import { MessageChannelMain, utilityProcess, type MessagePortMain } from 'electron'
import type { UpdateState } from '#contract/desktop.ts'
import type { AuthorizationWindow, FileDialogs, Log, SecretBox } from '#engine/ports.ts'
import { FromEngine, type SystemWish, type ToEngine } from './engine-messages.ts'
import { lendWindow } from './lent-window.ts'

/** How long (ms) the engine may take to commit and close before it is ended. */
const CLOSE_MS = 5_000

export interface EngineHost {
  /** A new port to the engine, for one page. It may be used at once: frames wait until the engine is open. */
  openPort(): MessagePortMain
  /** Has the engine import these event logs: absolute paths. It may not be open yet. */
  importLogs(paths: readonly string[]): void
  updateChanged(state: UpdateState): void
  /** Ends the engine's process, by force after five seconds. */
  close(): Promise<void>
}

export interface EngineHostOptions {
  /** Path of the built entry of the engine's process. */
  readonly entry: string
  readonly init: Omit<Extract<ToEngine, { kind: 'init' }>, 'kind'>
  readonly secrets: SecretBox
  readonly authorizationWindow: AuthorizationWindow
  readonly openExternal: (url: string) => Promise<boolean>
  readonly dialogs: FileDialogs
  /** Does what only main can. Rejects with a sentence where it cannot. */
  readonly doSystem: (wish: SystemWish) => Promise<void>
  readonly log: Log
  /** The engine could not be opened or its process ended unasked; `message` is a sentence for people. */
  onGone(message: string): void
}

/** Starts the engine in a process of its own, so that no query blocks a window. Only after the app is ready. */
export function startEngine(options: EngineHostOptions): EngineHost {
  const { secrets, log } = options
  const child = utilityProcess.fork(options.entry, [], { serviceName: 'Tabscope engine' })
  const tell = (message: ToEngine, ports: MessagePortMain[] = []): void =>
    child.postMessage(message, ports)
  const windows = lendWindow(options.authorizationWindow, (id, event) =>
    tell({ kind: 'window-event', id, event }),
  )
  const exited = Promise.withResolvers<void>()
  let closing = false
  let failed = false

  child.on('message', (data: unknown) => {
    const message = FromEngine.parse(data)
    switch (message.kind) {
      case 'opened':
        log.info('The engine is open.')
        break
      case 'failed':
        failed = true
        options.onGone(message.message)
        break
      case 'seal':
        void answer(message.id, async () => {
          // Copied: a Buffer is a view into a pool, and the pool would be cloned with it.
          const sealed = new Uint8Array(await secrets.seal(message.clear))
          return { kind: 'sealed', id: message.id, sealed }
        })
        break
      case 'unseal':
        void answer(message.id, async () => {
          const clear = await secrets.unseal(message.sealed)
          return { kind: 'unsealed', id: message.id, clear }
        })
        break
      case 'open-external':
        void answer(message.id, async () => {
          const opened = await options.openExternal(message.url)
          return { kind: 'external-opened', id: message.id, opened }
        })
        break
      case 'ask-save':
        void choose(message.id, options.dialogs.save(message.name))
        break
      case 'ask-open':
        void choose(message.id, options.dialogs.open())
        break
      case 'open-window':
        windows.open(message.id, message)
        break
      case 'close-window':
        windows.close(message.id)
        break
      case 'ask-system':
        void answer(message.id, async () => {
          const refused = await options.doSystem(message.wish).then(
            () => null,
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          )
          return { kind: 'system-answered', id: message.id, answer: { refused } }
        })
        break
      case 'log':
        if (message.level === 'error') log.error(message.message, undefined)
        else log[message.level](message.message)
        break
    }
  })
  child.on('exit', (code) => {
    exited.resolve()
    windows.closeAll()
    if (closing || failed) return
    log.error(`The engine's process ended with code ${code}`, undefined)
    options.onGone(
      'The engine stopped unexpectedly. Start Tabscope again; what was received is kept.',
    )
  })

  async function answer(id: number, work: () => Promise<ToEngine>): Promise<void> {
    try {
      tell(await work())
    } catch (error) {
      tell({ kind: 'refused', id, message: error instanceof Error ? error.message : String(error) })
    }
  }

  async function choose(id: number, chosen: Promise<string | null>): Promise<void> {
    const path = await chosen.catch((error: unknown) => {
      log.error('A dialog could not be shown', error)
      return null
    })
    tell({ kind: 'file-chosen', id, path })
  }

  tell({ kind: 'init', ...options.init })

  return {
    openPort() {
      const { port1, port2 } = new MessageChannelMain()
      tell({ kind: 'connect' }, [port1])
      return port2
    },
    updateChanged: (state) => tell({ kind: 'update-changed', state }),
    importLogs: (paths) => tell({ kind: 'import-logs', paths: [...paths] }),
    async close() {
      closing = true
      tell({ kind: 'close' })
      const timer = setTimeout(() => {
        log.warn('The engine did not close in time and is ended.')
        child.kill()
        exited.resolve()
      }, CLOSE_MS)
      await exited.promise
      clearTimeout(timer)
    },
  }
}
