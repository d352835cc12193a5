import * as z from 'zod'
import { Id, None } from './models.ts'

/** `replaced`: a stream was created anew, so that its position means nothing. `refused`: the key, the certificate, the version or the format. */
export const relayStates = [
  'paused',
  'connecting',
  'live',
  'offline',
  'refused',
  'replaced',
] as const

export const RelayView = z.object({
  id: Id,
  name: z.string(),
  /** Of the key: the person to whom the invitation was given. */
  user: z.string(),
  /** `tls://relay.example.com:4222` */
  servers: z.array(z.string()),
  /** Slugs that the key may read; `*`: all. */
  endpoints: z.array(z.string()),
  /** False: the connection is paused. */
  enabled: z.boolean(),
  /** Sends what arrives from now on to the forward targets of its endpoint. Never a backlog. */
  forward: z.boolean(),
  state: z.enum(relayStates),
  /** Of the state, in milliseconds since the epoch. */
  since: z.number(),
  /** A sentence; null: nothing to explain. */
  reason: z.string().nullable(),
  /** While it waits to connect again. */
  nextTryAt: z.number().nullable(),
  /** Stored here: the sum of the positions in the streams of its endpoints. */
  position: z.int().nonnegative(),
  /** Messages in its streams that are not stored here yet, when it was last connected; each holds one delivery or a group. Null: unknown. */
  behind: z.int().nonnegative().nullable(),
  /** When the oldest of them was received; null: none, or unknown. */
  behindSince: z.number().nullable(),
  /** When the relay deletes the oldest of them unread. */
  expiresAt: z.number().nullable(),
  /** Stored deliveries from this relay. */
  deliveries: z.int().nonnegative(),
  /** Messages that could not be read: of another format, or damaged. `reason` has the last one. */
  skipped: z.int().nonnegative(),
  /** When the relay got its last message, of any endpoint; null: none, or unknown. */
  lastReceivedAt: z.number().nullable(),
})
export type RelayView = z.infer<typeof RelayView>

/** One line, as `tabscope relay invite` prints it. It has a key: never returned, logged or shown. */
const Invitation = z.string().max(20_000)

export const relayCalls = {
  'relay.list': { input: None, output: z.array(RelayView) },
  /** What an invitation is for, without connecting. Throws `bad_input`. */
  'relay.read': {
    input: z.object({ invitation: Invitation }),
    output: z.object({
      name: z.string(),
      user: z.string(),
      servers: z.array(z.string()),
      endpoints: z.array(z.string()),
      /** Of these, without an endpoint here. */
      missing: z.array(z.string()),
      /** The relay whose servers, user and key it replaces. */
      replaces: Id.nullable(),
      /** True: only the address says that it is the same relay, so `relay.add` replaces it only with `replace`. */
      confirm: z.boolean(),
    }),
  },
  /**
   * Connects, then stores it, with endpoints for the missing paths if `createEndpoints`. An invitation of a relay that is there already, by its CA or confirmed
   * by `replace`, replaces its servers, user and key and keeps its position. It keeps `forward` only with the same CA and servers. Throws `bad_input`,
   * `relay_failed`.
   */
  'relay.add': {
    input: z.object({
      invitation: Invitation,
      createEndpoints: z.boolean().default(true),
      /** `replaces` of `relay.read`, if the user confirmed it. Null: another relay is added. */
      replace: Id.nullable().default(null),
    }),
    output: RelayView,
  },
  /** Throws `not_found`, `name_taken`. */
  'relay.update': {
    input: z.object({
      id: Id,
      name: z.string().trim().min(1).max(80).optional(),
      enabled: z.boolean().optional(),
      forward: z.boolean().optional(),
    }),
    output: RelayView,
  },
  /** Connects again now. In the state `replaced`, reads the new stream from its start. Throws `not_found`. */
  'relay.connect': { input: z.object({ id: Id }), output: RelayView },
  /** With `deliveries`, deletes those that came from it. Throws `not_found`. */
  'relay.forget': {
    input: z.object({ id: Id, deliveries: z.boolean().default(false) }),
    output: z.object({ deleted: z.int().nonnegative() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
