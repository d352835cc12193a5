import * as z from 'zod'
import { UpdateState } from '#contract/desktop.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { Capabilities } from '#contract/host.ts'
import type { RpcPort } from '#engine/platform/rpc.ts'

/** The first message to the engine process, with a port for everything else. */
export const EngineInit = z.object({
  dataDir: z.string(),
  version: z.string(),
  capabilities: Capabilities,
  listenerPort: z.int().min(0).max(65535).optional(),
  system: z.object({
    versions: z.array(z.object({ name: z.string(), version: z.string() })),
    logFile: z.string(),
    update: UpdateState,
  }),
})
export type EngineInit = z.infer<typeof EngineInit>

/** The page's port is transferred with this message, which no call can do. */
export const CONNECT = 'connect'

/** As in `AuthorizationWindow` (`engine/platform/ports.ts`). */
export const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hop'), url: z.string() }),
  z.object({ kind: z.literal('returned'), url: z.string() }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>

/** The engine assigns `id`. */
export const WindowRequest = z.object({
  id: z.int(),
  url: z.string(),
  redirectUrl: z.string(),
  state: z.string(),
})
export type WindowRequest = z.infer<typeof WindowRequest>

export const LogEntry = z.object({ level: z.enum(['info', 'warn', 'error']), message: z.string() })

/** Only main has the log, `safeStorage`, windows, dialogs and the system's browser. */
export type MainApi = {
  opened(): void
  /** `message`: a sentence for the user. */
  failed(failure: { message: string; code: ErrorCode | null }): void
  imported(path: string): void
  log(entry: z.infer<typeof LogEntry>): void
  seal(clear: string): Promise<Uint8Array>
  unseal(sealed: Uint8Array): Promise<string>
  openExternal(url: string): Promise<boolean>
  resolveProxy(url: string): Promise<string>
  /** Absolute; null if canceled. */
  chooseSavePath(name: string): Promise<string | null>
  chooseOpenPath(): Promise<string | null>
  openWindow(request: WindowRequest): void
  closeWindow(id: number): void
  showLogs(): Promise<void>
  copyText(text: string): Promise<void>
  checkForUpdate(): Promise<void>
  downloadUpdate(): Promise<void>
}

export type EngineApi = {
  /** The secret store has responded. `isSecure`: it protects the key. */
  unlockSecrets(isSecure: boolean): void
  /** Absolute paths, passed to the app. */
  importLogs(paths: readonly string[]): void
  windowEvent(event: { id: number; event: WindowEvent }): void
  updateChanged(state: UpdateState): void
  woke(): void
  /** Also ends the process. */
  close(): void
}

/** `schema` checks the input of another process. */
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

export function rpcPort(port: ElectronPort): RpcPort {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }) => listener(data)),
    onEnd: (listener) => void port.on('close', () => listener(new Error('the process has ended'))),
  }
}
