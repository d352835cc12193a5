import { z } from 'zod'
import { UpdateState } from '#contract/desktop.ts'
import { ErrorCode } from '#contract/errors.ts'
import { Capabilities } from '#contract/host.ts'

/** What an authorization window tells, as `AuthorizationWindow` does (`engine/ports.ts`). */
const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hop'), url: z.string() }),
  z.object({ kind: z.literal('returned'), url: z.string() }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>

/** What main knows of the system, as the engine's process needs it. */
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

/** `refused`: why it could not be done, as a sentence. */
const SystemAnswer = z.object({ refused: z.string().nullable() })
export type SystemAnswer = z.infer<typeof SystemAnswer>

/** What main tells the engine's process. Ports come beside a `connect`, not in it. */
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
  /** The system's store for secrets has answered. `secure`: it guards their key. */
  z.object({ kind: z.literal('secrets-unlocked'), secure: z.boolean() }),
  z.object({ kind: z.literal('external-opened'), id: z.int(), opened: z.boolean() }),
  /** What the user chose in a dialog; null: nothing. */
  z.object({ kind: z.literal('file-chosen'), id: z.int(), path: z.string().nullable() }),
  /** Absolute paths of event logs that were handed to the app. */
  z.object({ kind: z.literal('import-logs'), paths: z.array(z.string()) }),
  /** What became of the authorization window that was opened under this id. */
  z.object({ kind: z.literal('window-event'), id: z.int(), event: WindowEvent }),
  z.object({ kind: z.literal('system-answered'), id: z.int(), answer: SystemAnswer }),
  z.object({ kind: z.literal('update-changed'), state: UpdateState }),
  /** The computer was asleep. */
  z.object({ kind: z.literal('woke') }),
  z.object({ kind: z.literal('close') }),
])
export type ToEngine = z.infer<typeof ToEngine>

/** What the engine's process tells main, and asks of it: only main has `safeStorage`, windows, dialogs and the system's browser. */
export const FromEngine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened') }),
  /** The engine could not be opened; `message` is a sentence for people. */
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    code: ErrorCode.nullable(),
  }),
  /** The import of an event log that was handed over has ended, well or not. */
  z.object({ kind: z.literal('log-imported'), path: z.string() }),
  z.object({ kind: z.literal('seal'), id: z.int(), clear: z.string() }),
  z.object({ kind: z.literal('unseal'), id: z.int(), sealed: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('open-external'), id: z.int(), url: z.string() }),
  z.object({ kind: z.literal('ask-save'), id: z.int(), name: z.string() }),
  z.object({ kind: z.literal('ask-open'), id: z.int() }),
  z.object({
    kind: z.literal('open-window'),
    id: z.int(),
    url: z.string(),
    redirectUrl: z.string(),
    state: z.string(),
  }),
  z.object({ kind: z.literal('close-window'), id: z.int() }),
  z.object({ kind: z.literal('ask-system'), id: z.int(), wish: SystemRequest }),
  z.object({
    kind: z.literal('log'),
    level: z.enum(['info', 'warn', 'error']),
    message: z.string(),
  }),
])
export type FromEngine = z.infer<typeof FromEngine>
