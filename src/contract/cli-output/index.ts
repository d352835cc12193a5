import { z } from 'zod'
import { authorizationOutputs } from './authorization.ts'
import { commonOutputs } from './common.ts'
import { deliveryOutputs } from './deliveries.ts'
import { eventLogOutputs } from './event-logs.ts'
import { rehearsalOutputs } from './rehearsal.ts'
import { sendingOutputs } from './sending.ts'
import { tunnelOutputs } from './tunnel.ts'

/** Every shape of a line of `--json`. */
export const cliOutputs = [
  ...commonOutputs,
  ...deliveryOutputs,
  ...sendingOutputs,
  ...authorizationOutputs,
  ...tunnelOutputs,
  ...eventLogOutputs,
  ...rehearsalOutputs,
] as const

/** One line of `--json`. */
export const CliOutput = z.union(cliOutputs)
export type CliOutput = z.infer<typeof CliOutput>
