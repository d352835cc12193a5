import { z } from 'zod'
import { WireError } from './errors.ts'

/** What a host can do. The interface asks `can('...')`; nobody asks which host it is. */
export const capabilityNames = [
  /** The authorization page opens in a window of our own. */
  'embeddedAuthWindow',
  /** Save and open through the system's dialogs. */
  'nativeDialogs',
  /** Secrets are sealed by the operating system's store. */
  'osSecretStore',
  /** Deliveries can be received, annotated, sent and deleted; false in an exported page, which only shows. */
  'editing',
  /** Goes on capturing without a window, with its state in the system's tray. */
  'background',
  /** Tells by the system's notifications. */
  'notifications',
  /** Can be started when the user logs in. */
  'loginItem',
  /** `tabscope:` links lead to it. */
  'links',
  /** Brings itself up to date. */
  'updates',
] as const
export const Capabilities = z.record(z.enum(capabilityNames), z.boolean())
export type Capabilities = z.infer<typeof Capabilities>
export type CapabilityName = (typeof capabilityNames)[number]

/**
 * Frames between interface and engine, the same over a MessagePort (structured clone) and a WebSocket (MessagePack).
 * A client begins with `hello`; `session` and `lastSeq` are those of its last connection, if it had one.
 */
export const ClientFrame = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hello'),
    session: z.string().nullable(),
    lastSeq: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('call'), id: z.int(), name: z.string(), input: z.unknown() }),
])
export type ClientFrame = z.infer<typeof ClientFrame>

export const HostFrame = z.union([
  z.object({
    kind: z.literal('welcome'),
    session: z.string(),
    seq: z.int().nonnegative(),
    /** True when what was missed is no longer kept: take a new snapshot. Else the missed pushes follow. */
    reload: z.boolean(),
    /** Of the application that runs the engine. Earlier versions do not send it. */
    version: z.string().optional(),
  }),
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(true), output: z.unknown() }),
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(false), error: WireError }),
  z.object({
    kind: z.literal('push'),
    seq: z.int().positive(),
    name: z.string(),
    payload: z.unknown(),
  }),
])
export type HostFrame = z.infer<typeof HostFrame>
