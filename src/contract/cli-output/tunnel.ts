import { z } from 'zod'
import { TunnelCause, TunnelStateName } from '../tunnel.ts'
import { Time } from './common.ts'

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

export const tunnelOutputs = [TunnelOutput, TunnelPeriodOutput, TunnelProviderOutput] as const
