import { z } from 'zod'
import { TunnelCause, TunnelStateName } from '../tunnel.ts'
import { Duration, Time } from './common.ts'

/** The state of the tunnel. */
export const TunnelOutput = z.strictObject({
  event: z.literal('tunnel'),
  state: TunnelStateName,
  /** The public origin. */
  url: z.string().nullable(),
  /** The public webhook URL of the default endpoint. */
  endpoint: z.string().nullable(),
  cause: TunnelCause,
  reason: z.string(),
  since: Time,
  nextTryAt: Time.nullable(),
  failures: z.int().nonnegative(),
  provider: z.string().nullable(),
  /** What a browser gets at this address: `ours`, or a page of the tunnel's server. Null: not known. */
  browser: z.enum(['ours', 'interstitial']).nullable(),
  warnings: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('assigned'),
        asked: z.string(),
        got: z.string(),
        by: z.enum(['user', 'last_time']),
        at: Time,
      }),
      z.strictObject({
        kind: z.literal('address_changed'),
        old: z.string(),
        now: z.string(),
        at: Time,
      }),
    ]),
  ),
})
export type TunnelOutput = z.infer<typeof TunnelOutput>

/** A body that was sent through the tunnel. */
export const TunnelSizeOutput = z.strictObject({
  event: z.literal('tunnel_size'),
  bytes: z.int(),
  /**
   * `passed`: received as sent. `refused`: something on the way responded instead. `changed`: other bytes were received. `failed`: no response.
   */
  result: z.enum(['passed', 'refused', 'changed', 'failed']),
  status: z.int().nullable(),
  durationMs: Duration,
  /** Null: it passed. */
  reason: z.string().nullable(),
  /** Only where Tabscope itself refused it: the largest body that the listener takes. */
  listenerLimitBytes: z.int().nullable(),
})
export type TunnelSizeOutput = z.infer<typeof TunnelSizeOutput>

/** The largest body that passes through the tunnel. Follows all `tunnel_size` lines. */
export const TunnelSizesOutput = z.strictObject({
  event: z.literal('tunnel_sizes'),
  url: z.string(),
  startedAt: Time,
  /** Null: none passed. */
  largestPassedBytes: z.int().nullable(),
  /** Null: all passed. */
  smallestFailedBytes: z.int().nullable(),
})

/** A period in which the tunnel was in one state. */
export const TunnelPeriodOutput = z.strictObject({
  event: z.literal('tunnel_period'),
  id: z.int(),
  startedAt: Time,
  /** The end, or the last time at which this state is known. */
  endedAt: Time,
  state: TunnelStateName,
  cause: TunnelCause,
  reason: z.string(),
  url: z.string().nullable(),
  provider: z.string(),
})
export type TunnelPeriodOutput = z.infer<typeof TunnelPeriodOutput>

/** A way to open a tunnel. */
export const TunnelProviderOutput = z.strictObject({
  event: z.literal('tunnel_provider'),
  /** As `tunnel open` takes it. */
  name: z.string(),
  label: z.string(),
  description: z.string(),
  available: z.boolean(),
  /** Why it is not available, and what to do. */
  reason: z.string().nullable(),
  /** The program that it starts, where it is installed. */
  program: z.string().nullable(),
  options: z.array(
    z.strictObject({
      name: z.string(),
      label: z.string(),
      description: z.string(),
      placeholder: z.string(),
      required: z.boolean(),
    }),
  ),
  notes: z.array(z.string()),
})
export type TunnelProviderOutput = z.infer<typeof TunnelProviderOutput>

export const tunnelOutputs = [
  TunnelOutput,
  TunnelSizeOutput,
  TunnelSizesOutput,
  TunnelPeriodOutput,
  TunnelProviderOutput,
] as const
