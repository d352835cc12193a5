import { z } from 'zod'
import { TunnelCause, TunnelStateName, TunnelWarning } from '#contract/tunnel.ts'
import { spawnListening, type Listening, type SpawnedCli, type SpawnOptions } from './run-cli.ts'
import { until } from './until.ts'

/** A line about the tunnel. */
const TunnelLine = z.object({
  event: z.literal('tunnel'),
  state: TunnelStateName,
  url: z.string().nullable(),
  cause: TunnelCause,
  reason: z.string(),
  since: z.number(),
  nextTryAt: z.number().nullable(),
  failures: z.number(),
  warnings: z.array(TunnelWarning),
})
export type TunnelLine = z.infer<typeof TunnelLine>

/** A line about a delivery. */
const DeliveryLine = z.object({
  event: z.literal('delivery'),
  method: z.string(),
  path: z.string(),
  type: z.string().nullable(),
  verdict: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  status: z.number().nullable(),
  findings: z.array(z.string()),
})
export type DeliveryLine = z.infer<typeof DeliveryLine>

export interface Tunnelled extends Listening, SpawnedCli {
  /** Lines about the tunnel so far. */
  states(): TunnelLine[]
  deliveries(): DeliveryLine[]
  /** Waits for a matching line after the first `from` lines. */
  tells(
    what: string,
    fits: (line: TunnelLine) => boolean,
    options?: { readonly from?: number; readonly ms?: number },
  ): Promise<TunnelLine>
  /** Waits until the tunnel is online. Returns the public origin. */
  online(from?: number): Promise<string>
}

/** Starts `listen` (or `args`) with `--tunnel`, unless that is null, and waits until the listener is ready. */
export async function startTunnelled(
  dataDir: string,
  tunnel: string | null,
  args: readonly string[] = ['listen'],
  options: SpawnOptions = {},
): Promise<Tunnelled> {
  const [command = 'listen', ...rest] = args
  const tunnelOption = tunnel === null ? [] : ['--tunnel', tunnel]
  const listening = await spawnListening(dataDir, [command, ...tunnelOption, ...rest], options)
  const states = (): TunnelLine[] =>
    listening
      .lines()
      .flatMap((line) => (line['event'] === 'tunnel' ? [TunnelLine.parse(line)] : []))
  const tells: Tunnelled['tells'] = async (what, fits, { from = 0, ms = 10_000 } = {}) => {
    try {
      return await until(what, () => states().slice(from).find(fits), ms)
    } catch (error) {
      const seen = states().map((line) => `${line.state} (${line.cause}): ${line.reason}`)
      throw new Error([String(error), ...seen, listening.stderr()].join('\n'), { cause: error })
    }
  }
  return {
    ...listening,
    states,
    tells,
    deliveries: () =>
      listening
        .lines()
        .flatMap((line) => (line['event'] === 'delivery' ? [DeliveryLine.parse(line)] : [])),
    online: async (from = 0) => {
      const { url } = await tells('the tunnel to be online', ({ state }) => state === 'online', {
        from,
        ms: 15_000,
      })
      if (url === null) throw new Error('online without an address')
      return url
    },
  }
}
