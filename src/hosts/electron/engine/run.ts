import { MessageChannelMain, utilityProcess, type MessagePortMain } from 'electron'
import type { ErrorCode } from '#contract/errors.ts'
import type { AuthorizationWindow, FileDialogs, Log } from '#engine/platform/ports.ts'
import type { SystemSecrets } from '../secrets.ts'
import { FromEngine, type SystemRequest, type ToEngine } from './messages.ts'
import { logLines } from './log-lines.ts'
import { createWindowHost } from '../authorization/window-host.ts'

/** How long (ms) the engine may take to commit and close before it is ended. */
const CLOSE_MS = 5_000

export type EngineInit = Omit<Extract<ToEngine, { kind: 'init' }>, 'kind'>

/** What main lends the engine's process. */
export interface EngineServices {
  readonly secrets: SystemSecrets
  readonly authorizationWindow: AuthorizationWindow
  readonly openExternal: (url: string) => Promise<boolean>
  readonly dialogs: FileDialogs
  /** Does what only main can. Rejects with a sentence where it cannot. */
  readonly doSystem: (wish: SystemRequest) => Promise<void>
  readonly log: Log
}

/** What becomes of one process. After `failed` it has ended by our own hand, after `died` by itself; one of them is told, once. */
export interface EngineRunEvents {
  opened(): void
  /** The engine could not be opened; `message` is a sentence for people. */
  failed(message: string, code: ErrorCode | null): void
  died(code: number): void
  /** The import of a file that was handed over has ended, well or not. */
  imported(path: string): void
  /** The user chose this file to be imported, when the process that had asked was gone. */
  chosenLate(path: string): void
}

/** One process of the engine, from its start to its end. */
export interface EngineRun {
  /** A new port to the engine. It may be used at once: frames wait until the engine is open. */
  openPort(): MessagePortMain
  tell(message: ToEngine): void
  /** Ends the process, by force after five seconds. Nothing is told of it. */
  close(): Promise<void>
}

/** Starts the engine in a process of its own, so that no query blocks a window. Only after the app is ready. */
export function runEngine(
  entry: string,
  init: EngineInit,
  loan: EngineServices,
  fate: EngineRunEvents,
): EngineRun {
  const { secrets, log } = loan
  // With this variable set, a utility process does not read what lies in app.asar: its own entry.
  const { ELECTRON_NO_ASAR: _, ...env } = process.env
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Tabscope engine',
    env,
    // The last words of a process that fails are on its stderr alone. `inherit` beside `pipe` ends main on Windows: Electron fills the other
    // handle from the standard handles, which a GUI process does not have, and Chromium's launcher checks that it is valid.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = logLines(child.stderr, log)
  const exited = Promise.withResolvers<void>()
  let state: 'running' | 'failed' | 'closing' | 'exited' = 'running'
  // Only the first message goes through `child.postMessage`, which crashes main when the process is about to end and `exit` has not been
  // emitted yet. A port that has closed drops what is posted to it.
  const { port1, port2: control } = new MessageChannelMain()
  const first: ToEngine = { kind: 'init', ...init }
  child.postMessage(first, [port1])
  let isControlOpen = true
  control.on('close', () => (isControlOpen = false))
  control.start()
  const tell = (message: ToEngine, ports: MessagePortMain[] = []): void =>
    control.postMessage(message, ports)
  const windows = createWindowHost(loan.authorizationWindow, (id, event) =>
    tell({ kind: 'window-event', id, event }),
  )

  child.on('message', (data: unknown) => {
    const message = FromEngine.parse(data)
    switch (message.kind) {
      case 'opened':
        log.info('The engine is open.')
        fate.opened()
        break
      case 'failed':
        if (state !== 'running') break
        state = 'failed'
        child.kill()
        fate.failed(message.message, message.code)
        break
      case 'log-imported':
        fate.imported(message.path)
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
          const opened = await loan.openExternal(message.url)
          return { kind: 'external-opened', id: message.id, opened }
        })
        break
      case 'ask-save':
        void choose(message.id, loan.dialogs.save(message.name))
        break
      case 'ask-open':
        void choose(message.id, loan.dialogs.open(), (path) => fate.chosenLate(path))
        break
      case 'open-window':
        windows.open(message.id, message)
        break
      case 'close-window':
        windows.close(message.id)
        break
      case 'ask-system':
        void answer(message.id, async () => {
          const refused = await loan.doSystem(message.wish).then(
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
  // Not listened to it would be an error of main itself. Its report is left out: it holds the environment.
  child.on('error', (type, location) => {
    log.error(`The engine's process has to end: ${type} at ${location}`, undefined)
  })
  child.on('exit', (code) => {
    const before = state
    state = 'exited'
    // Electron removes all listeners of the stream once those of this event have run.
    process.nextTick(() => stderr.listen())
    exited.resolve()
    windows.closeAll()
    if (before === 'running') fate.died(code)
  })

  async function answer(id: number, work: () => Promise<ToEngine>): Promise<void> {
    try {
      tell(await work())
    } catch (error) {
      tell({ kind: 'refused', id, message: error instanceof Error ? error.message : String(error) })
    }
  }

  async function choose(
    id: number,
    chosen: Promise<string | null>,
    late?: (path: string) => void,
  ): Promise<void> {
    const path = await chosen.catch((error: unknown) => {
      log.error('A dialog could not be shown', error)
      return null
    })
    if (state !== 'exited') return tell({ kind: 'file-chosen', id, path })
    if (path === null) return
    if (late === undefined) log.warn('A file was chosen, but the engine that asked has ended.')
    else late(path)
  }

  void secrets.protection.then(({ secure }) => tell({ kind: 'secrets-unlocked', secure }))

  return {
    openPort() {
      const { port1, port2 } = new MessageChannelMain()
      if (isControlOpen) tell({ kind: 'connect' }, [port1])
      // Not transferred it would stay open, and its user would wait for a reply for ever.
      else port1.close()
      return port2
    },
    tell,
    async close() {
      if (state === 'running') {
        state = 'closing'
        tell({ kind: 'close' })
      }
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
