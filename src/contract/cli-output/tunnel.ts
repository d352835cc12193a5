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
  browser: z.string().nullable(),
  warnings: z.array(z.looseObject({ kind: z.string(), at: Time })),
})

export const tunnelOutputs = [TunnelOutput] as const
