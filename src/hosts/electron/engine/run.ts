import { MessageChannelMain, utilityProcess, type MessagePortMain } from 'electron'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod'
import { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { AuthorizationWindow, FileDialogs, Log } from '#engine/platform/ports.ts'
import { connectApi, serveApi, type ThreadClient } from '#engine/platform/rpc.ts'
import type { SystemSecrets } from '../secrets.ts'
import type { Updates } from '../updates.ts'
import {
  CONNECT,
  LogEntry,
  parsed,
  rpcPort,
  WindowRequest,
  type EngineApi,
  type EngineInit,
  type MainApi,
  type WindowEvent,
} from './messages.ts'
import { messageOf } from '#shared/text/errors.ts'

/** For the engine to commit and close. Then it is ended by force. */
const CLOSE_MS = 5_000

/** Calls that fail reject with a sentence for the user. */
export interface EngineServices {
  readonly secrets: SystemSecrets
  readonly authorizationWindow: AuthorizationWindow
  readonly openExternal: (url: string) => Promise<boolean>
  readonly resolveProxy: (url: string) => Promise<string>
  readonly dialogs: FileDialogs
  readonly showLogs: () => void
  readonly copyText: (text: string) => Promise<void>
  readonly updates: Pick<Updates, 'check' | 'download'>
  readonly log: Log
}

/** At most one of `failed` and `died`, once: `failed` after we ended the process, `died` after it ended by itself. */
export interface EngineRunEvents {
  opened(): void
  /** `message`: a sentence for the user. */
  failed(message: string, code: ErrorCode | null): void
  died(code: number): void
  imported(path: string): void
  /** The user selected a file after the process that asked had ended. */
  chosenLate(path: string): void
}

/** Separate from main so that queries do not block windows. */
export class EngineRun {
  readonly #services: EngineServices
  readonly #events: EngineRunEvents
  readonly #child: Electron.UtilityProcess
  readonly #control: MessagePortMain
  readonly #engine: ThreadClient<EngineApi>
  readonly #exited = Promise.withResolvers<void>()
  /** By the ID that the engine assigned. */
  readonly #windows = new Map<number, { close(): void }>()
  #state: 'running' | 'failed' | 'closing' | 'exited' = 'running'
  #isControlOpen = true

  /** `entry`: the built entry point. The app must be ready. */
  constructor(entry: string, init: EngineInit, services: EngineServices, events: EngineRunEvents) {
    this.#services = services
    this.#events = events
    // With this variable set, a utility process could not read its entry point, which is in app.asar.
    const { ELECTRON_NO_ASAR: _, ...env } = process.env
    this.#child = utilityProcess.fork(entry, [], {
      serviceName: 'Tabscope engine',
      env,
      // Only stderr has the final output of a process that fails. `inherit` beside `pipe` ends main on Windows: Electron fills the other handle from the standard
      // handles, which a GUI process does not have, and Chromium's launcher checks that it is valid.
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Only the first message uses `child.postMessage`, which crashes main if the process is ending and `exit` was not emitted yet. A closed port drops what is
    // posted to it.
    const { port1, port2 } = new MessageChannelMain()
    this.#child.postMessage(init, [port1])
    this.#control = port2
    const port = rpcPort(port2)
    this.#engine = connectApi<EngineApi>(port)
    serveApi(port, this.#api())
    port2.on('close', () => (this.#isControlOpen = false))
    port2.start()
    this.#followProcess()
    void services.secrets.protection.then(({ secure }) => this.notify('unlockSecrets', secure))
  }

  /** It can be used immediately: frames are queued until the engine is open. */
  openPort(): MessagePortMain {
    const { port1, port2 } = new MessageChannelMain()
    if (this.#isControlOpen) this.#control.postMessage(CONNECT, [port1])
    // An open port that was not transferred would leave its user waiting forever.
    else port1.close()
    return port2
  }

  /** Does nothing once the process is ending, which is reported by an event. */
  notify<N extends keyof EngineApi>(name: N, ...input: Parameters<EngineApi[N]>): void {
    this.#engine.call(name, ...input).catch(() => undefined)
  }

  /** By force after five seconds, without calling an event. */
  async close(): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'closing'
      this.notify('close')
    }
    const timer = setTimeout(() => {
      this.#services.log.warn('The engine did not close in time. Its process is ended.')
      this.#child.kill()
      this.#exited.resolve()
    }, CLOSE_MS)
    await this.#exited.promise
    clearTimeout(timer)
  }

  #followProcess(): void {
    const { log } = this.#services
    const stderr = logLines(this.#child.stderr, log)
    // Without a listener this would be an uncaught error in main. The report is not logged: it contains the environment.
    this.#child.on('error', (type, location) => {
      log.error(`The engine process has a fatal error: ${type} at ${location}`, undefined)
    })
    this.#child.on('exit', (code) => {
      const before = this.#state
      this.#state = 'exited'
      // Electron removes all listeners of the stream after the listeners of this event have run.
      process.nextTick(() => stderr.listen())
      this.#exited.resolve()
      for (const window of this.#windows.values()) window.close()
      this.#windows.clear()
      if (before === 'running') this.#events.died(code)
    })
  }

  #api(): MainApi {
    const { secrets, openExternal, resolveProxy, dialogs, showLogs, copyText, updates, log } =
      this.#services
    return {
      opened: () => {
        log.info('The engine is open.')
        this.#events.opened()
      },
      failed: parsed(
        z.object({ message: z.string(), code: ErrorCode.nullable() }),
        ({ message, code }) => {
          if (this.#state !== 'running') return
          this.#state = 'failed'
          this.#child.kill()
          this.#events.failed(message, code)
        },
      ),
      imported: parsed(z.string(), (path) => this.#events.imported(path)),
      log: parsed(LogEntry, ({ level, message }) => {
        if (level === 'error') log.error(message, undefined)
        else log[level](message)
      }),
      // Copied: a Buffer is a view into a pool, which would be cloned as a whole.
      seal: parsed(z.string(), async (clear) => new Uint8Array(await secrets.seal(clear))),
      unseal: parsed(z.instanceof(Uint8Array), async (sealed) => secrets.unseal(sealed)),
      openExternal: parsed(z.string(), async (url) => openExternal(url)),
      resolveProxy: parsed(z.string(), async (url) => resolveProxy(url)),
      chooseSavePath: parsed(z.string(), async (name) =>
        this.#selected(dialogs.save(name), () =>
          log.warn('A file was selected, but the engine that asked for it has ended.'),
        ),
      ),
      chooseOpenPath: async () =>
        this.#selected(dialogs.open(), (path) => this.#events.chosenLate(path)),
      openWindow: parsed(WindowRequest, (request) => this.#openWindow(request)),
      closeWindow: parsed(z.int(), (id) => {
        this.#windows.get(id)?.close()
        this.#windows.delete(id)
      }),
      showLogs: async () => orRefuse(async () => showLogs()),
      copyText: parsed(z.string(), async (text) => orRefuse(async () => copyText(text))),
      checkForUpdate: async () => orRefuse(async () => updates.check()),
      downloadUpdate: async () => orRefuse(async () => updates.download()),
    }
  }

  async #selected(
    selection: Promise<string | null>,
    onLate: (path: string) => void,
  ): Promise<string | null> {
    const path = await selection.catch((error: unknown) => {
      this.#services.log.error('A dialog could not be shown', error)
      return null
    })
    if (this.#state === 'exited' && path !== null) onLate(path)
    return path
  }

  #openWindow({ id, ...request }: WindowRequest): void {
    const send = (event: WindowEvent): void => this.notify('windowEvent', { id, event })
    const sendLast = (event: WindowEvent): void => {
      this.#windows.delete(id)
      send(event)
    }
    const window = this.#services.authorizationWindow.open(request, {
      hop: (url) => send({ kind: 'hop', url }),
      returned: (url) => sendLast({ kind: 'returned', url }),
      closed: () => sendLast({ kind: 'closed' }),
      failed: (message) => send({ kind: 'failed', message }),
    })
    this.#windows.set(id, window)
  }
}

/** The user sees only errors with a code. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new AppError('bad_input', messageOf(error))
  }
}

/** Of one process: one that floods stderr must not fill the log. */
const maxLines = 200
const maxLineLength = 16_384

export interface LoggedLines {
  /** Again, after all listeners of the stream were removed. */
  listen(): void
}

/** Null: the process has no output stream. */
export function logLines(stream: NodeJS.ReadableStream | null, log: Log): LoggedLines {
  if (stream === null) return { listen: () => undefined }
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  let lines = 0
  const logLine = (line: string): void => {
    lines += 1
    if (line.trim() === '' || lines > maxLines) return
    log.warn(`The engine process wrote: ${line}`)
    if (lines === maxLines) log.warn('Further output of the process is not logged.')
  }
  const read = (text: string): void => {
    const [first = '', ...rest] = text.split(/\r?\n/)
    unfinished = `${unfinished}${first}`.slice(0, maxLineLength)
    for (const next of rest) {
      logLine(unfinished)
      unfinished = next.slice(0, maxLineLength)
    }
  }
  const logged = {
    listen(): void {
      stream.on('data', (chunk: Buffer) => read(decoder.write(chunk)))
      stream.on('end', () => logLine(unfinished))
    },
  }
  logged.listen()
  return logged
}
