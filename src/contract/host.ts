import * as z from 'zod'
import { capabilityNames } from './constants.ts'
import { WireError } from './errors.ts'
import { commandsBound, commandWanted } from './host-messages.ts'

export const Capabilities = z.record(z.enum(capabilityNames), z.boolean())
export type Capabilities = z.infer<typeof Capabilities>
export type CapabilityName = (typeof capabilityNames)[number]

/**
 * Frames between interface and engine, the same for a MessagePort (structured clone) and a WebSocket (MessagePack).
 * A client starts with `hello`; `session` and `lastSeq` are those of its last connection, if any. Its `pushes` are the names of those it wants, to
 * which `subscribe` adds one; if absent, it gets all.
 */
export const ClientFrame = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hello'),
    session: z.string().nullable(),
    lastSeq: z.int().nonnegative(),
    pushes: z.array(z.string().max(100)).max(100).optional(),
  }),
  z.object({ kind: z.literal('subscribe'), push: z.string().max(100) }),
  z.object({ kind: z.literal('call'), id: z.int(), name: z.string(), input: z.unknown() }),
])
export type ClientFrame = z.infer<typeof ClientFrame>

/** From a page: the commands (`commands.ts`) that are currently available. */
export const CommandsBound = z.object({
  kind: z.literal(commandsBound),
  names: z.array(z.string().max(100)).max(500),
})
export type CommandsBound = z.infer<typeof CommandsBound>

/** To a page: run this command. */
export const CommandWanted = z.object({
  kind: z.literal(commandWanted),
  name: z.string().max(100),
})
export type CommandWanted = z.infer<typeof CommandWanted>

export const HostFrame = z.union([
  z.object({
    kind: z.literal('welcome'),
    session: z.string(),
    seq: z.int().nonnegative(),
    /** Missed pushes are not stored any more: request a new snapshot. Sent again to a client that read too slowly and was not sent some pushes. */
    reload: z.boolean(),
    version: z.string(),
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
