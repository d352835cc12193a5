import { z } from 'zod'

/**
 * `off`: nobody wants one; `opening`: the first try; `online`: the last self-probe came through; `degraded`: it is open, but something is wrong
 * with it; `offline`: there is none, and the next try waits, or nothing can be tried; `reconnecting`: a new one is being opened in its place.
 */
export const tunnelStates = [
  'off',
  'opening',
  'online',
  'degraded',
  'offline',
  'reconnecting',
] as const
export const TunnelStateName = z.enum(tunnelStates)
export type TunnelStateName = z.infer<typeof TunnelStateName>

/** Why a tunnel is in its state. Stable: scripts and the interface branch on it; the sentence beside it is for people. */
export const tunnelCauses = [
  /** The user opened or closed it, or it was wanted when Tabscope was last closed. */
  'asked',
  'stopped',
  'probe_ok',
  'probe_failed',
  /** The address is answered, but not by this Tabscope. */
  'other_answer',
  /** Its server cannot be reached, cannot be found, or said nothing in time. */
  'server_down',
  'server_unresolved',
  'open_timeout',
  /** Its server answered something that is no tunnel. */
  'server_answer',
  /** Its server refused. */
  'server_refused',
  /** It was open, and ended from the other side, or its connections did. */
  'ended',
  'program_missing',
  'program_failed',
  /** The listener does not listen: there is nothing to lead to. */
  'listener_down',
  'woke',
  'network_changed',
  'bad_options',
  'internal',
] as const
export const TunnelCause = z.enum(tunnelCauses)
export type TunnelCause = z.infer<typeof TunnelCause>

/** What makes the listener reachable, and with what: options by the name of the provider's fields; a field left out has its default. */
export const TunnelSetup = z.object({
  /** `id` of a provider. */
  provider: z.string().max(40),
  options: z.record(z.string().max(40), z.string().max(2000)),
})
export type TunnelSetup = z.infer<typeof TunnelSetup>

/** A setting of a provider, drawn by the interface as it stands. */
export const TunnelField = z.object({
  name: z.string(),
  label: z.string(),
  placeholder: z.string(),
  /** What it does, as a sentence. */
  hint: z.string(),
  required: z.boolean(),
})
export type TunnelField = z.infer<typeof TunnelField>

export const TunnelProviderView = z.object({
  id: z.string(),
  label: z.string(),
  /** One line: what it is. */
  about: z.string(),
  fields: z.array(TunnelField),
  /** What is to be known before it is relied on, a sentence each. */
  notes: z.array(z.string()),
  /** Null: it can be used; else why not, and what to do. */
  missing: z.string().nullable(),
  /** The program that it starts, as found; null: none is needed, or none was found. */
  program: z.string().nullable(),
})
export type TunnelProviderView = z.infer<typeof TunnelProviderView>

/** One self-probe: a signed request of ours through the public address. */
export const TunnelProbe = z.object({
  at: z.number(),
  ok: z.boolean(),
  /** Milliseconds until the answer, or until it was given up. */
  ms: z.number(),
  /** What went wrong, as a sentence; null: nothing. */
  reason: z.string().nullable(),
})
export type TunnelProbe = z.infer<typeof TunnelProbe>

/** What does not go away by itself. Each kind stands at most once. */
export const TunnelWarning = z.discriminatedUnion('kind', [
  /** Another address was assigned than was asked for. */
  z.object({
    kind: z.literal('assigned'),
    asked: z.string(),
    got: z.string(),
    /** Asked for by the user, or since it was ours the last time. */
    by: z.enum(['user', 'last_time']),
    at: z.number(),
  }),
  /** It is another address than the user last copied: the dashboard still has the old one. */
  z.object({
    kind: z.literal('address_changed'),
    old: z.string(),
    now: z.string(),
    at: z.number(),
  }),
])
export type TunnelWarning = z.infer<typeof TunnelWarning>

/**
 * One body sent through the tunnel to see whether it lets it through. `passed`: it came as it was sent; `refused`: something on the way answered
 * instead; `changed`: other bytes came; `failed`: there was no response.
 */
export const SizeStep = z.object({
  bytes: z.int(),
  outcome: z.enum(['passed', 'refused', 'changed', 'failed']),
  status: z.int().nullable(),
  ms: z.number(),
  /** As a sentence; null where it passed. */
  reason: z.string().nullable(),
  /** Where it came through and Tabscope itself refused it: the largest body that its listener takes, in bytes. */
  ownLimit: z.int().nullable(),
})
export type SizeStep = z.infer<typeof SizeStep>

/** What the tunnel lets through: bodies from 1 KiB to 10 MiB. */
export const SizeProbe = z.object({
  at: z.number(),
  running: z.boolean(),
  /** The public origin that it was asked of. */
  url: z.string(),
  /** In the order in which they were tried; each size once, though what did not pass was tried twice. */
  steps: z.array(SizeStep),
  /** The largest that passed, in bytes; null: none has. */
  largest: z.int().nullable(),
  /** The smallest that did not, in bytes; null: all have. */
  stopsAt: z.int().nullable(),
})
export type SizeProbe = z.infer<typeof SizeProbe>

/** All that is known of the tunnel. */
export const TunnelView = z.object({
  state: TunnelStateName,
  /** When it came into this state, in milliseconds since the epoch. `offline` and `reconnecting` count as one: since when it is not open. */
  since: z.number(),
  cause: TunnelCause,
  /** Why it is in this state, as a sentence. */
  reason: z.string(),
  /** The public origin ("https://pier9.loca.lt"), while there is one. */
  url: z.string().nullable(),
  /** When the next try begins; null: none is waited for. */
  nextTryAt: z.number().nullable(),
  /** Tries in a row that failed. */
  failures: z.int().nonnegative(),
  /** What is used when it is opened without another word. */
  setup: TunnelSetup,
  /** What is open, or being opened; null: nothing. */
  using: TunnelSetup.nullable(),
  /** Asked for on the command line, for as long as Tabscope runs. */
  temporary: z.boolean(),
  /** The last self-probe of this tunnel; null: there was none yet. */
  probe: TunnelProbe.nullable(),
  /** When the next one begins. */
  nextProbeAt: z.number().nullable(),
  /** What a browser gets at this address: `ours`, or a page of the tunnel's server in between. Null: not known. */
  browser: z.enum(['ours', 'interstitial']).nullable(),
  /** Connections to the tunnel's server: open now, and as many as there should be. Null: the provider has none of its own. */
  connections: z.object({ open: z.int(), most: z.int() }).nullable(),
  warnings: z.array(TunnelWarning),
  /** The last one of this run of Tabscope. */
  sizes: SizeProbe.nullable(),
})
export type TunnelView = z.infer<typeof TunnelView>

/** A stretch of time in one state. */
export const TunnelSpan = z.object({
  id: z.int(),
  from: z.number(),
  /** The end, or how far it is known to have lasted: Tabscope may have ended without a word. */
  to: z.number(),
  state: TunnelStateName,
  cause: TunnelCause,
  reason: z.string(),
  url: z.string().nullable(),
  provider: z.string(),
})
export type TunnelSpan = z.infer<typeof TunnelSpan>

export const defaultTunnelSetup: TunnelSetup = { provider: 'localtunnel', options: {} }

const None = z.object({})

export const tunnelCalls = {
  /**
   * Opens a tunnel, in place of one that is open; without `wish` by the stored setup. A wish is stored, unless it is `temporary`, and so is
   * that there is to be one: it opens again when Tabscope is started again. Throws `bad_input` for an unknown provider and options that cannot
   * be, and `server_unconfirmed`, with `details.server`, before a public server run by volunteers is used for the first time: `acceptServer`
   * confirms it, and is stored unless the wish is `temporary`. Returns at once: what comes of it is told by `tunnel.changed`.
   */
  'tunnel.open': {
    input: z.object({
      wish: TunnelSetup.optional(),
      temporary: z.boolean().default(false),
      acceptServer: z.boolean().default(false),
    }),
    output: TunnelView,
  },
  /** Closes it, and does not open it again. Returns when it is closed. */
  'tunnel.close': { input: None, output: TunnelView },
  /** Tries now what would be tried later: the next try, or the next self-probe. Returns when the probe is over, or the try has begun. */
  'tunnel.check': { input: None, output: TunnelView },
  /** Stores the setup without opening anything. Throws `bad_input`. */
  'tunnel.configure': { input: z.object({ setup: TunnelSetup }), output: TunnelView },
  /** What there is to choose from, and whether its program is there now. */
  'tunnel.providers': { input: None, output: z.array(TunnelProviderView) },
  /** The user has copied this public address: it is what the dashboard has from now on. */
  'tunnel.copied': { input: z.object({ url: z.string().max(2000) }), output: TunnelView },
  /** The user has seen the warning. */
  'tunnel.dismiss': {
    input: z.object({ kind: z.enum(['assigned', 'address_changed']) }),
    output: TunnelView,
  },
  /** Begins to try what sizes of body come through; a run that goes on is returned as it is. Throws `bad_input` when there is no tunnel. */
  'tunnel.probeSizes': { input: None, output: TunnelView },
  'tunnel.stopSizes': { input: None, output: TunnelView },
  /** Stretches that end after `since` (milliseconds since the epoch), oldest first; the newest `limit` of them. */
  'tunnel.history': {
    input: z.object({ since: z.number(), limit: z.int().min(1).max(5000).default(1000) }),
    output: z.array(TunnelSpan),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
