import { MessageChannelMain, utilityProcess, type MessagePortMain } from 'electron'
import type { ErrorCode } from '#contract/errors.ts'
import type { AuthorizationWindow, FileDialogs, Log } from '#engine/platform/ports.ts'
import type { SystemSecrets } from '../secrets.ts'
import { FromEngine, type SystemRequest, type ToEngine } from './messages.ts'
import { logLines } from './log-lines.ts'
import { createWindowHost } from '../authorization/window-host.ts'

/** Time limit for the engine to commit and close, in milliseconds. Then it is ended by force. */
const CLOSE_MS = 5_000

export type EngineInit = Omit<Extract<ToEngine, { kind: 'init' }>, 'kind'>

/** What main provides to the engine process. */
export interface EngineServices {
  readonly secrets: SystemSecrets
  readonly authorizationWindow: AuthorizationWindow
  readonly openExternal: (url: string) => Promise<boolean>
  readonly dialogs: FileDialogs
  /** Runs a request that only main can. Rejects with a sentence if it cannot. */
  readonly callSystem: (request: SystemRequest) => Promise<void>
  readonly log: Log
}

/** Events of one process. At most one of `failed` and `died` is called, once: `failed` after we ended the process, `died` after it ended by itself. */
export interface EngineRunEvents {
  opened(): void
  /** The engine could not be opened. `message` is a sentence for the user. */
  failed(message: string, code: ErrorCode | null): void
  died(code: number): void
  /** The import of a file that was passed to the app has ended, successfully or not. */
  imported(path: string): void
  /** The user selected this file for import after the process that asked had ended. */
  chosenLate(path: string): void
}

/** One engine process. */
export interface EngineRun {
  /** Opens a new port to the engine. It can be used immediately: frames are queued until the engine is open. */
  openPort(): MessagePortMain
  send(message: ToEngine): void
  /** Ends the process, by force after five seconds, without calling an event. */
  close(): Promise<void>
}

/** Starts the engine in a separate process, so that queries do not block windows. The app must be ready. */
export function runEngine(
  entry: string,
  init: EngineInit,
  services: EngineServices,
  events: EngineRunEvents,
): EngineRun {
  const { secrets, log } = services
  // With this variable set, a utility process could not read its entry point, which is in app.asar.
  const { ELECTRON_NO_ASAR: _, ...env } = process.env
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Tabscope engine',
    env,
    // Only stderr has the final output of a process that fails. `inherit` beside `pipe` ends main on Windows: Electron fills the other handle from the standard
    // handles, which a GUI process does not have, and Chromium's launcher checks that it is valid.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = logLines(child.stderr, log)
  const exited = Promise.withResolvers<void>()
  let state: 'running' | 'failed' | 'closing' | 'exited' = 'running'
  // Only the first message uses `child.postMessage`, which crashes main if the process is ending and `exit` was not emitted yet. A closed port drops what is
  // posted to it.
  const { port1, port2: control } = new MessageChannelMain()
  const first: ToEngine = { kind: 'init', ...init }
  child.postMessage(first, [port1])
  let isControlOpen = true
  control.on('close', () => (isControlOpen = false))
  control.start()
  const send = (message: ToEngine, ports: MessagePortMain[] = []): void =>
    control.postMessage(message, ports)
  const windows = createWindowHost(services.authorizationWindow, (id, event) =>
    send({ kind: 'window-event', id, event }),
  )

  child.on('message', (data: unknown) => {
    const message = FromEngine.parse(data)
    switch (message.kind) {
      case 'opened':
        log.info('The engine is open.')
        events.opened()
        break
      case 'failed':
        if (state !== 'running') break
        state = 'failed'
        child.kill()
        events.failed(message.message, message.code)
        break
      case 'log-imported':
        events.imported(message.path)
        break
      case 'seal':
        void reply(message.id, async () => {
          // Copied: a Buffer is a view into a pool, which would be cloned as a whole.
          const sealed = new Uint8Array(await secrets.seal(message.clear))
          return { kind: 'sealed', id: message.id, sealed }
        })
        break
      case 'unseal':
        void reply(message.id, async () => {
          const clear = await secrets.unseal(message.sealed)
          return { kind: 'unsealed', id: message.id, clear }
        })
        break
      case 'open-external':
        void reply(message.id, async () => {
          const opened = await services.openExternal(message.url)
          return { kind: 'external-opened', id: message.id, opened }
        })
        break
      case 'choose-save-path':
        void replyWithFile(message.id, services.dialogs.save(message.name))
        break
      case 'choose-open-path':
        void replyWithFile(message.id, services.dialogs.open(), (path) => events.chosenLate(path))
        break
      case 'open-window':
        windows.open(message.id, message)
        break
      case 'close-window':
        windows.close(message.id)
        break
      case 'call-system':
        void reply(message.id, async () => {
          const refused = await services.callSystem(message.request).then(
            () => null,
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          )
          return { kind: 'system-result', id: message.id, result: { refused } }
        })
        break
      case 'log':
        if (message.level === 'error') log.error(message.message, undefined)
        else log[message.level](message.message)
        break
    }
  })
  // Without a listener this would be an uncaught error in main. The report is not logged: it contains the environment.
  child.on('error', (type, location) => {
    log.error(`The engine process has a fatal error: ${type} at ${location}`, undefined)
  })
  child.on('exit', (code) => {
    const before = state
    state = 'exited'
    // Electron removes all listeners of the stream after the listeners of this event have run.
    process.nextTick(() => stderr.listen())
    exited.resolve()
    windows.closeAll()
    if (before === 'running') events.died(code)
  })

  async function reply(id: number, work: () => Promise<ToEngine>): Promise<void> {
    try {
      send(await work())
    } catch (error) {
      send({ kind: 'refused', id, message: error instanceof Error ? error.message : String(error) })
    }
  }

  async function replyWithFile(
    id: number,
    selection: Promise<string | null>,
    onLate?: (path: string) => void,
  ): Promise<void> {
    const path = await selection.catch((error: unknown) => {
      log.error('A dialog could not be shown', error)
      return null
    })
    if (state !== 'exited') return send({ kind: 'file-chosen', id, path })
    if (path === null) return
    if (onLate === undefined)
      log.warn('A file was selected, but the engine that asked for it has ended.')
    else onLate(path)
  }

  void secrets.protection.then(({ secure }) => send({ kind: 'secrets-unlocked', secure }))

  return {
    openPort() {
      const { port1, port2 } = new MessageChannelMain()
      if (isControlOpen) send({ kind: 'connect' }, [port1])
      // An open port that was not transferred would leave its user waiting forever.
      else port1.close()
      return port2
    },
    send,
    async close() {
      if (state === 'running') {
        state = 'closing'
        send({ kind: 'close' })
      }
      const timer = setTimeout(() => {
        log.warn('The engine did not close in time. Its process is ended.')
        child.kill()
        exited.resolve()
      }, CLOSE_MS)
      await exited.promise
      clearTimeout(timer)
    },
  }
}
