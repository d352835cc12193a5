import type { Engine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import { deliveryOutput, deliveryLine } from '../delivery-line.ts'
import { forwardOptions, forwardWish } from '../forwarding.ts'
import { parse, secretOf, secretOptions, wholeNumber } from '../options.ts'
import { outputTaken, say, writeJson, writeLine } from '../output.ts'
import { expectStop } from '../stop.ts'
import { tunnelOptions, tunnelWish } from '../tunnel-option.ts'
import {
  addresses,
  beginForwarding,
  beginTunnel,
  failedListener,
  runFolder,
  startRunning,
  warnWhileFailing,
} from './running.ts'

/** `listen`: the listener alone; each delivery is a line. */
export async function listen(args: string[]): Promise<number> {
  const { values } = parse(args, {
    ...secretOptions,
    ...forwardOptions,
    ...tunnelOptions,
    port: { type: 'string' },
    ephemeral: { type: 'boolean' },
  })
  const port = wholeNumber('port', values.port, 0, 65535)
  const forwarding = forwardWish(values)
  const tunnel = tunnelWish(values.tunnel)
  const secret = secretOf(values)
  const dataDir = runFolder(values)
  const stop = expectStop()
  const command = ['listen', args] as const
  const running = await startRunning({ dataDir, port, secret, tunnel, command })
  const { listener, endpoint } = addresses(running)
  if (running.listener.state === 'failed') {
    await running.engine.close()
    throw new AppError('listener_down', failedListener(running.listener, command))
  }
  await beginForwarding(running, forwarding, values.json ?? false)
  if (values.json) writeJson({ event: 'ready', listener, endpoint, dataDir })
  else {
    say(`Webhooks are received at ${endpoint ?? listener ?? ''}`)
    if (values.ephemeral) say(`Data folder: ${dataDir} (removed when Tabscope stops)`)
    say('Ctrl+C stops it.')
  }
  warnWhileFailing(running, values.json ?? false)
  await beginTunnel(running, tunnel, values.json ?? false)
  const { stats } = await running.engine.call('app.snapshot', {})
  const follower = follow(running.engine, stats.newestId, (row) =>
    values.json ? writeJson(deliveryOutput(row)) : writeLine(deliveryLine(row)),
  )
  await stop.until(async () => {
    await running.engine.stopListening()
    try {
      await running.engine.level()
      await follower.finish()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      say(`${error.message} What was received is on the disk, and is listed after the next start.`)
    } finally {
      await running.engine.close()
    }
  })
  return 0
}

type Row = Parameters<typeof deliveryOutput>[0]

/**
 * Prints every delivery after `after`, in order. It follows the store and not the pushes: a push may leave rows out under a flood,
 * and none may be missing here.
 */
function follow(
  engine: Engine,
  after: number,
  print: (row: Row) => void,
): { finish(): Promise<void> } {
  let cursor = after
  let running: Promise<void> | null = null
  let again = false
  const pull = async (): Promise<void> => {
    do {
      again = false
      for (;;) {
        const rows = await engine.call('deliveries.since', { after: cursor, limit: 500 })
        for (const row of rows) print(row)
        cursor = rows.at(-1)?.id ?? cursor
        if (rows.length < 500) break
        await outputTaken()
      }
    } while (again)
    // In the same turn as the look at `again`: whoever kicks after it must begin anew.
    running = null
  }
  const kick = (): Promise<void> => {
    again = true
    return (running ??= pull())
  }
  const unlisten = engine.on('deliveries.arrived', () => void kick())
  return {
    finish: () => {
      // A push that comes later would find the store closed.
      unlisten()
      return kick()
    },
  }
}
