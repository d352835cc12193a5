import type { AssistantCall } from '#contract/assistants.ts'
import type { Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { printDeliveryHeader, follow } from '../session/follow.ts'
import { confirms, Interrupted, printError, printMessage } from '../output/output.ts'
import {
  addresses,
  announce,
  failedListener,
  reportHeld,
  runningCommand,
  runRequest,
  startForwarding,
  startRunning,
  startTunnel,
  warnWhileFailing,
  type RunValues,
  damageLines,
} from '../session/running.ts'
import { expectStop } from '../session/stop.ts'
import { io } from '../command-line/io.ts'

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
  const running = await startRunning(request, 'listen')
  const { engine } = running
  const { listener, endpoint } = addresses(running)
  if (running.listener.state === 'failed') {
    await engine.close()
    throw new AppError('listener_down', await failedListener(running.listener))
  }
  await startForwarding(running, request.forwarding)
  const { stats } = await engine.call('app.snapshot', {})
  const begun = Promise.withResolvers<void>()
  const following = follow(engine, {
    after: stats.newestId,
    filter: '',
    begun: begun.promise,
  })
  const { dataDir } = request
  announce('ready', { listener, endpoint, dataDir, damagedFiles: running.damagedFiles }, [
    ...damageLines(running.damagedFiles),
    `Receiving webhooks at ${endpoint ?? listener ?? ''}`,
    ...(values.ephemeral ? [`Data folder: ${dataDir} (deleted when Tabscope stops)`] : []),
    'Press Ctrl+C to stop.',
  ])
  warnWhileFailing(running)
  await reportHeld(running)
  await startTunnel(running, request.tunnel)
  printDeliveryHeader()
  begun.resolve()
  const follower = await following
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
