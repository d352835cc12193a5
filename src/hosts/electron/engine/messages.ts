import { z } from 'zod'
import { UpdateState } from '#contract/desktop.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { Capabilities } from '#contract/host.ts'
import type { RpcPort } from '#engine/platform/rpc.ts'

/** The first message to the engine process. It brings the port for everything else. */
export const EngineInit = z.object({
  dataDir: z.string(),
  version: z.string(),
  capabilities: Capabilities,
  listenerPort: z.int().min(0).max(65535).optional(),
  system: z.object({
    versions: z.array(z.object({ name: z.string(), version: z.string() })),
    /** Absolute path. */
    logFile: z.string(),
    update: UpdateState,
  }),
})
export type EngineInit = z.infer<typeof EngineInit>

/** Asks the engine process to connect a page. The page's port is transferred with this message, which no call can do. */
export const CONNECT = 'connect'

/** An event of an authorization window, as in `AuthorizationWindow` (`engine/platform/ports.ts`). */
export const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hop'), url: z.string() }),
  z.object({ kind: z.literal('returned'), url: z.string() }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>

/** A window that the engine opens. `id` is assigned by the engine. */
export const WindowRequest = z.object({
  id: z.int(),
  url: z.string(),
  redirectUrl: z.string(),
  state: z.string(),
})
export type WindowRequest = z.infer<typeof WindowRequest>

export const LogEntry = z.object({ level: z.enum(['info', 'warn', 'error']), message: z.string() })

/** What main does for the engine process: only main has the log, `safeStorage`, windows, dialogs and the system's browser. */
export type MainApi = {
  opened(): void
  /** The engine could not be opened. `message` is a sentence for the user. */
  failed(failure: { message: string; code: ErrorCode | null }): void
  /** The import of an event log that was passed to the app has ended, successfully or not. */
  imported(path: string): void
  log(entry: z.infer<typeof LogEntry>): void
  seal(clear: string): Promise<Uint8Array>
  unseal(sealed: Uint8Array): Promise<string>
  openExternal(url: string): Promise<boolean>
  /** Absolute path of the file that the user selected; null if canceled. */
  chooseSavePath(name: string): Promise<string | null>
  chooseOpenPath(): Promise<string | null>
  openWindow(request: WindowRequest): void
  closeWindow(id: number): void
  showLogs(): Promise<void>
  copyText(text: string): Promise<void>
  checkForUpdate(): Promise<void>
  downloadUpdate(): Promise<void>
  installUpdate(): Promise<void>
}

/** What the engine process does for main. */
export type EngineApi = {
  /** The system's secret store has responded. `isSecure`: it protects the key. */
  unlockSecrets(isSecure: boolean): void
  /** Imports event logs that were passed to the app, given as absolute paths. */
  importLogs(paths: readonly string[]): void
  windowEvent(event: { id: number; event: WindowEvent }): void
  updateChanged(state: UpdateState): void
  woke(): void
  /** Closes the engine and ends the process. */
  close(): void
}

/** `run` for calls of another process, whose input is checked by `schema`. */
export function parsed<S extends z.ZodType, R>(
  schema: S,
  run: (input: z.output<S>) => R,
): (input: unknown) => R {
  return (input) => run(schema.parse(input))
}

interface ElectronPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

/** A `MessagePortMain` as a port for calls. Its owner starts it. */
export function rpcPort(port: ElectronPort): RpcPort {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }) => listener(data)),
    onEnd: (listener) => void port.on('close', () => listener(new Error('the process has ended'))),
  }
}
