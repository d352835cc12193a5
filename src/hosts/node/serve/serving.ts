import { fileURLToPath } from 'node:url'
import { AppError } from '#engine/platform/errors.ts'
import { logFilesOf, maxLogFiles } from '../../data-dir.ts'
import { action, type Example } from '../command-line/command.ts'
import { port } from '../command-line/values.ts'
import { printMessage } from '../output/output.ts'
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
  type Running,
  type RunValues,
  damageLines,
} from '../session/running.ts'
import { expectStop } from '../session/stop.ts'
import { builtFile } from '../version.ts'
import { UsageError } from '../command-line/errors.ts'
import { io } from '../command-line/io.ts'

/** For a browser. Imports event logs like the desktop app. */
export function servingCommand(
  name: string,
  description: string,
  examples: readonly [Example, Example, ...Example[]],
) {
  return runningCommand(name, description, examples)
    .argument('[file...]', `Event logs to import, at most ${maxLogFiles}`)
    .option('--ui-port <port>', 'Port of the interface (0: any free port)', port('--ui-port'), 0)
    .option('--no-open', 'Do not open a browser')
    .action(action((files, values) => serve(files, values)))
}

interface ServeValues extends RunValues {
  readonly uiPort: number
  readonly open: boolean
}

async function serve(words: readonly string[], values: ServeValues): Promise<0> {
  const files = await eventLogsOf(words)
  const request = await runRequest(values)
  const { dataDir } = request
  const stop = expectStop()
  const running = await startRunning(request, 'serve', { opensBrowser: values.open })
  const { engine } = running
  await startForwarding(running, request.forwarding)
  const server = await openServer(running, values)
  const { listener, endpoint } = addresses(running)
  announce(
    'ready',
    { ui: server.address, listener, endpoint, dataDir, damagedFiles: running.damagedFiles },
    [
      ...damageLines(running.damagedFiles),
      `Tabscope is running at ${server.address}`,
      ...(endpoint ? [`Receiving webhooks at ${endpoint}`] : []),
      ...(endpoint === null && running.listener.state === 'failed'
        ? [await failedListener(running.listener)]
        : []),
      ...(values.ephemeral ? [`Data folder: ${dataDir} (deleted when Tabscope stops)`] : []),
      'Press Ctrl+C to stop.',
    ],
  )
  warnWhileFailing(running)
  await startTunnel(running, request.tunnel)
  for (const file of files) {
    await engine.call('logs.import', { from: { kind: 'path', path: file } })
  }
  if (values.open) {
    const { openBrowser } = await import('./open-browser.ts')
    if (!(await openBrowser(server.addressToOpen(), { env: io.env }))) {
      printMessage(`Could not open a browser. Open this URL: ${server.address}`)
    }
  }
  await stop.until(async () => {
    await server.close()
    await engine.close()
  })
  return 0
}

async function eventLogsOf(words: readonly string[]): Promise<string[]> {
  if (words.length > maxLogFiles) {
    throw new UsageError(`At most ${maxLogFiles} event logs can be opened at once.`)
  }
  const { assertReadable } = await import('../command-line/input-file.ts')
  const files = words.flatMap((word) => {
    const [file] = logFilesOf([word], io.cwd())
    if (file !== undefined) return [file]
    throw new UsageError(
      `Unexpected argument "${word}". Specify event logs as .tabscope, .ndjson or .har files.`,
    )
  })
  for (const file of files) await assertReadable(file)
  return files
}

async function openServer({ engine }: Running, { uiPort }: ServeValues) {
  const { openInterfaceServer } = await import('./interface-server.ts')
  const folder = fileURLToPath(builtFile('renderer'))
  try {
    return await openInterfaceServer(engine, folder, uiPort)
  } catch (error) {
    await engine.close()
    const { describeFailure } = await import('#engine/receiving/listener/listening/listening.ts')
    const failed = await describeFailure(uiPort, error)
    throw new AppError(failed.code, await failedListener(failed, '--ui-port'), { cause: error })
  }
}
