import { z } from 'zod'
import { UpdateState } from '#contract/desktop.ts'
import { ErrorCode } from '#contract/errors.ts'
import { Capabilities } from '#contract/host.ts'

/** Events of an authorization window, as in `AuthorizationWindow` (`engine/platform/ports.ts`). */
const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hop'), url: z.string() }),
  z.object({ kind: z.literal('returned'), url: z.string() }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>

/** Facts about the system that main passes to the engine process. */
export const SystemFacts = z.object({
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Absolute path. */
  logFile: z.string(),
  update: UpdateState,
})
export type SystemFacts = z.infer<typeof SystemFacts>

const SystemRequest = z.union([
  z.enum(['show-logs', 'check-update', 'download-update', 'install-update']),
  z.object({ copy: z.string() }),
])
export type SystemRequest = z.infer<typeof SystemRequest>

/** `refused` is a sentence with the reason if the request failed, else null. */
const SystemResult = z.object({ refused: z.string().nullable() })
export type SystemResult = z.infer<typeof SystemResult>

/** Messages from main to the engine process. Ports are transferred with a `connect` message, not in it. */
export const ToEngine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('init'),
    dataDir: z.string(),
    version: z.string(),
    capabilities: Capabilities,
    listenerPort: z.int().min(0).max(65535).optional(),
    system: SystemFacts,
  }),
  z.object({ kind: z.literal('connect') }),
  z.object({ kind: z.literal('sealed'), id: z.int(), sealed: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('unsealed'), id: z.int(), clear: z.string() }),
  z.object({ kind: z.literal('refused'), id: z.int(), message: z.string() }),
  /** The system's secret store has responded. `secure`: it protects the key. */
  z.object({ kind: z.literal('secrets-unlocked'), secure: z.boolean() }),
  z.object({ kind: z.literal('external-opened'), id: z.int(), opened: z.boolean() }),
  /** The file that the user selected in a dialog; null if canceled. */
  z.object({ kind: z.literal('file-chosen'), id: z.int(), path: z.string().nullable() }),
  /** Absolute paths of event logs that were passed to the app. */
  z.object({ kind: z.literal('import-logs'), paths: z.array(z.string()) }),
  /** An event of the authorization window with this ID. */
  z.object({ kind: z.literal('window-event'), id: z.int(), event: WindowEvent }),
  z.object({ kind: z.literal('system-result'), id: z.int(), result: SystemResult }),
  z.object({ kind: z.literal('update-changed'), state: UpdateState }),
  /** The computer woke from sleep. */
  z.object({ kind: z.literal('woke') }),
  z.object({ kind: z.literal('close') }),
])
export type ToEngine = z.infer<typeof ToEngine>

/** Messages from the engine process to main, including requests: only main has `safeStorage`, windows, dialogs and the system's browser. */
export const FromEngine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened') }),
  /** The engine could not be opened. `message` is a sentence for the user. */
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    code: ErrorCode.nullable(),
  }),
  /** The import of an event log that was passed to the app has ended, successfully or not. */
  z.object({ kind: z.literal('log-imported'), path: z.string() }),
  z.object({ kind: z.literal('seal'), id: z.int(), clear: z.string() }),
  z.object({ kind: z.literal('unseal'), id: z.int(), sealed: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('open-external'), id: z.int(), url: z.string() }),
  z.object({ kind: z.literal('choose-save-path'), id: z.int(), name: z.string() }),
  z.object({ kind: z.literal('choose-open-path'), id: z.int() }),
  z.object({
    kind: z.literal('open-window'),
    id: z.int(),
    url: z.string(),
    redirectUrl: z.string(),
    state: z.string(),
  }),
  z.object({ kind: z.literal('close-window'), id: z.int() }),
  z.object({ kind: z.literal('call-system'), id: z.int(), request: SystemRequest }),
  z.object({
    kind: z.literal('log'),
    level: z.enum(['info', 'warn', 'error']),
    message: z.string(),
  }),
])
export type FromEngine = z.infer<typeof FromEngine>
