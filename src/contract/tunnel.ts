import * as z from 'zod'
import { None } from './models.ts'
import { tunnelCauses, tunnelStates } from './constants.ts'

export const TunnelStateName = z.enum(tunnelStates)
export type TunnelStateName = z.infer<typeof TunnelStateName>

export const TunnelCause = z.enum(tunnelCauses)
export type TunnelCause = z.infer<typeof TunnelCause>

/** Options are keyed by the provider's field names; omitted fields have their defaults. */
export const TunnelSetup = z.object({
  provider: z.string().max(40),
  options: z.record(z.string().max(40), z.string().max(2000)),
})
export type TunnelSetup = z.infer<typeof TunnelSetup>

export const TunnelField = z.object({
  name: z.string(),
  label: z.string(),
  placeholder: z.string(),
  hint: z.string(),
  required: z.boolean(),
})
export type TunnelField = z.infer<typeof TunnelField>

export const TunnelProviderView = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  fields: z.array(TunnelField),
  notes: z.array(z.string()),
  /** Why it is not available, and what to do. */
  missing: z.string().nullable(),
  /** Null: none required, or not found. */
  program: z.string().nullable(),
})
export type TunnelProviderView = z.infer<typeof TunnelProviderView>

/** A signed request that Tabscope sends to itself through the public URL. */
export const TunnelProbe = z.object({
  at: z.number(),
  ok: z.boolean(),
  /** Until the response or the timeout. */
  durationMs: z.number(),
  reason: z.string().nullable(),
})
export type TunnelProbe = z.infer<typeof TunnelProbe>

/** Stays until it is dismissed. At most one of each kind. */
export const TunnelWarning = z.discriminatedUnion('kind', [
  /** The server assigned a different URL than requested. */
  z.object({
    kind: z.literal('assigned'),
    requested: z.string(),
    assigned: z.string(),
    /** Requested by the user, or because it was used last time. */
    by: z.enum(['user', 'last_time']),
    at: z.number(),
  }),
  /** The URL differs from the one that the user last copied, so the dashboard probably still has the old one. */
  z.object({
    kind: z.literal('address_changed'),
    old: z.string(),
    now: z.string(),
    at: z.number(),
  }),
])
export type TunnelWarning = z.infer<typeof TunnelWarning>

export const TunnelView = z.object({
  state: TunnelStateName,
  /** `offline` and `reconnecting` count as one state: the time since the tunnel is not open. */
  since: z.number(),
  cause: TunnelCause,
  reason: z.string(),
  url: z.string().nullable(),
  nextTryAt: z.number().nullable(),
  failures: z.int().nonnegative(),
  /** Stored, and used when no other is given. */
  setup: TunnelSetup,
  /** Of the open or opening tunnel. */
  using: TunnelSetup.nullable(),
  /** Opened by the command line until Tabscope ends. */
  temporary: z.boolean(),
  probe: TunnelProbe.nullable(),
  nextProbeAt: z.number().nullable(),
  /** To the tunnel's server. Null: not applicable to the provider. */
  connections: z.object({ open: z.int(), max: z.int() }).nullable(),
  warnings: z.array(TunnelWarning),
})
export type TunnelView = z.infer<typeof TunnelView>

export const defaultTunnelSetup: TunnelSetup = { provider: 'localtunnel', options: {} }

export const tunnelCalls = {
  /**
   * Opens a tunnel and replaces an open one. Without `setup`, the stored setup is used. The given setup is stored unless it is `temporary`, and
   * the tunnel is opened again when Tabscope restarts. Throws `bad_input` for an unknown provider or invalid options, and
   * `server_unconfirmed` with `details.server` before a public server run by volunteers is used for the first time: `acceptServer`
   * confirms it, and is stored unless `temporary`. Returns immediately; `tunnel.changed` reports the progress.
   */
  'tunnel.open': {
    input: z.object({
      setup: TunnelSetup.optional(),
      temporary: z.boolean().default(false),
      acceptServer: z.boolean().default(false),
    }),
    output: TunnelView,
  },
  /** The tunnel stays closed after a restart. Resolves when it is closed. */
  'tunnel.close': { input: None, output: TunnelView },
  /** Resolves when the probe has finished, or the next attempt has started. */
  'tunnel.check': { input: None, output: TunnelView },
  /** Opens nothing. Throws `bad_input`. */
  'tunnel.configure': { input: z.object({ setup: TunnelSetup }), output: TunnelView },
  /** And whether their programs are installed. */
  'tunnel.providers': { input: None, output: z.array(TunnelProviderView) },
  /** The user copied this public URL, so it is assumed to be on the dashboard. */
  'tunnel.copied': { input: z.object({ url: z.string().max(2000) }), output: TunnelView },
  'tunnel.dismiss': {
    input: z.object({ kind: z.enum(['assigned', 'address_changed']) }),
    output: TunnelView,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
