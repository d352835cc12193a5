import { causeTitle } from '#catalogue/cause-titles.ts'
import type { AssistantCall } from '#contract/assistants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { deliveryColumns, deliveryPrinter } from '../delivery-line.ts'
import { confirms, Interrupted, outputDrained, printError, printMessage } from '../output.ts'
import {
  addresses,
  announce,
  failedListener,
  runningCommand,
  runRequest,
  startForwarding,
  startRunning,
  startTunnel,
  warnWhileFailing,
  type RunValues,
  damageLines,
} from '../running.ts'
import { expectStop } from '../stop.ts'
import { Table } from '../table.ts'
import { io } from '../io.ts'

export const command = runningCommand(
  'listen',
  'Receive webhooks and print a line for each delivery, without the interface',
  [
    ['Receive and verify webhooks', 'listen --secret-env HOOK_SECRET'],
    [
      'Receive them from the internet, and forward them to a handler',
      'listen --tunnel localtunnel --forward-to http://127.0.0.1:3000/hooks',
    ],
    ['One JSON object for each delivery, for a script', 'listen --ephemeral --port 0 --json'],
  ],
).action(action((values) => listen(values)))

async function listen(values: RunValues): Promise<ExitCode> {
  const request = await runRequest(values)
  const stop = expectStop()
  const running = await startRunning(request)
  const { engine } = running
  const { listener, endpoint } = addresses(running)
  if (running.listener.state === 'failed') {
    await engine.close()
    throw new AppError('listener_down', await failedListener(running.listener))
  }
  await startForwarding(running, request.forwarding, { prints: true })
  const { dataDir } = request
  announce('ready', { listener, endpoint, dataDir, damagedFiles: running.damagedFiles }, [
    ...damageLines(running.damagedFiles),
    `Receiving webhooks at ${endpoint ?? listener ?? ''}`,
    ...(values.ephemeral ? [`Data folder: ${dataDir} (deleted when Tabscope stops)`] : []),
    'Press Ctrl+C to stop.',
  ])
  warnWhileFailing(running)
  await startTunnel(running, request.tunnel)
  if (!globals.json) printMessage(new Table(deliveryColumns, []).header())
  const { stats } = await engine.call('app.snapshot', {})
  const follower = follow(engine, stats.newestId, await deliveryPrinter())
  const unask = askInTerminal(engine)
  await stop.until(async () => {
    unask()
    await engine.stopListening()
    try {
      await engine.catchUp()
      await follower.finish()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      printMessage(error.message)
    } finally {
      await engine.close()
    }
  })
  return 0
}

function askInTerminal(engine: Engine): () => void {
  if (globals.json || !io.stdin.isTTY) return () => undefined
  const open = new Map<number, AbortController>()
  // One question at a time.
  let last = Promise.resolve()
  const ask = async ({ id, client, request }: AssistantCall): Promise<void> => {
    const controller = open.get(id)
    if (!controller || !request) return
    const { target, title, details } = request
    await engine.call('assistants.shown', { id })
    // Also with --quiet: a question without them could not be answered.
    printError(escapeControls(`The coding assistant ${client} asks: ${title}`))
    printError(details)
    try {
      const question = `Allow to send it to ${target.url} once?`
      const allowed = await confirms(question, controller.signal)
      if (!controller.signal.aborted) await engine.call('assistants.decide', { id, allowed })
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      await engine.call('assistants.decide', { id, allowed: false })
      // The terminal sent Ctrl+C to the question only.
      io.kill(io.pid, 'SIGINT')
    }
  }
  return engine.on('assistants.called', (call) => {
    if (call.outcome === 'waiting') {
      open.set(call.id, new AbortController())
      last = last.then(() => ask(call))
      return
    }
    // Decided here, elsewhere, or too late.
    open.get(call.id)?.abort()
    open.delete(call.id)
  })
}

/** Reads the store instead of the pushes: under a flood a push may leave out rows, and none may be missing here. */
function follow(
  engine: Engine,
  after: number,
  printRow: (row: DeliverySummary) => void,
): { finish(): Promise<void> } {
  let cursor = after
  /** Responses are known up to this delivery. */
  let upTo = after
  /** Printed without a cause. */
  const undiagnosed = new Set<number>()
  let running: Promise<void> | null = null
  let again = false
  const pull = async (): Promise<void> => {
    do {
      again = false
      for (;;) {
        const stored = await engine.call('deliveries.since', { after: cursor, limit: 500 })
        const rows = stored.filter(({ id }) => id <= upTo)
        for (const row of rows) {
          printRow(row)
          if (row.causes === null) undiagnosed.add(row.id)
        }
        cursor = rows.at(-1)?.id ?? cursor
        if (rows.length < 500) break
        await outputDrained()
      }
    } while (again)
    // In the same turn as the check of `again`, so that a later push starts another pull.
    running = null
  }
  const requestPull = (): Promise<void> => {
    again = true
    return (running ??= pull())
  }
  let reported: string | null = null
  /** A store that cannot be read must not end the process: it still receives. */
  const pullOrReport = async (): Promise<void> => {
    try {
      await requestPull()
      reported = null
    } catch (error) {
      running = null
      if (!(error instanceof AppError)) throw error
      if (error.message !== reported) printMessage(escapeControls(error.message))
      reported = error.message
    }
  }
  const unlisten = [
    engine.on('deliveries.arrived', ({ rows }) => {
      upTo = Math.max(upTo, rows.at(-1)?.id ?? 0)
      void pullOrReport()
    }),
    engine.on('deliveries.changed', ({ rows }) => {
      for (const { id, causes } of rows) {
        if (causes === null && id > after && id <= cursor) undiagnosed.add(id)
        if (causes === null || !undiagnosed.delete(id)) continue
        const [cause] = causes
        if (cause) printMessage(escapeControls(`${id}: ${causeTitle(cause.code)}.`))
      }
    }),
  ]
  return {
    finish: () => {
      // The store is closed after this.
      for (const stop of unlisten) stop()
      upTo = Number.POSITIVE_INFINITY
      return requestPull()
    },
  }
}
