import { fileURLToPath } from 'node:url'
import { AppError } from '#engine/errors.ts'
import { describeFailure } from '#engine/listening/listening.ts'
import { logFilesOf, mostFiles } from '../../log-files.ts'
import { openInterfaceServer } from '../interface-server.ts'
import { openBrowser } from '../open-browser.ts'
import { assertReadable } from '../given-file.ts'
import { forwardOptions, forwardWish } from '../forwarding.ts'
import { parse, secretOf, secretOptions, wholeNumber } from '../options.ts'
import { say, writeJson } from '../output.ts'
import { UsageError } from '../usage.ts'
import { expectStop } from '../stop.ts'
import { tunnelOptions, tunnelWish } from '../tunnel-option.ts'
import {
  addresses,
  beginForwarding,
  beginTunnel,
  runFolder,
  startRunning,
  warnWhileFailing,
} from './running.ts'

/** `serve`: the interface in a browser, and the listener. Event logs that are named are imported, as by the desktop app. */
export async function serve(args: string[]): Promise<number> {
  const options = {
    ...secretOptions,
    ...forwardOptions,
    ...tunnelOptions,
    port: { type: 'string' },
    'ui-port': { type: 'string' },
    'no-open': { type: 'boolean' },
    ephemeral: { type: 'boolean' },
  } as const
  const { values, positionals } = parse(args, options, mostFiles)
  const files = positionals.flatMap((word) => {
    const [file] = logFilesOf([word], process.cwd())
    if (file === undefined) throw new UsageError(`"${word}" is one word too many.`)
    return [file]
  })
  for (const file of files) await assertReadable(file)
  const port = wholeNumber('port', values.port, 0, 65535)
  const uiPort = wholeNumber('ui-port', values['ui-port'], 0, 65535) ?? 0
  const forwarding = forwardWish(values)
  const tunnel = tunnelWish(values.tunnel)
  const secret = secretOf(values)
  const dataDir = runFolder(values)
  const stop = expectStop()
  const running = await startRunning({ dataDir, port, secret, tunnel })
  await beginForwarding(running, forwarding, values.json ?? false, false)
  const folder = fileURLToPath(new URL('../renderer', import.meta.url))
  const server = await openInterfaceServer(running.engine, folder, uiPort).catch(async (error) => {
    await running.engine.close()
    const { code, message } = await describeFailure(uiPort, error)
    throw new AppError(code, message, { cause: error })
  })
  const { listener, endpoint } = addresses(running)
  if (values.json) {
    writeJson({ event: 'ready', ui: server.address, listener, endpoint, dataDir })
  } else {
    say(`Tabscope is at ${server.address}`)
    if (endpoint) say(`Webhooks are received at ${endpoint}`)
    else if (running.listener.state === 'failed') say(running.listener.message)
    if (values.ephemeral) say(`Data folder: ${dataDir} (removed when Tabscope stops)`)
    say('Ctrl+C stops it.')
  }
  warnWhileFailing(running, values.json ?? false)
  await beginTunnel(running, tunnel, values.json ?? false)
  // What is wrong with one stands in its import, where the page shows it.
  for (const path of files)
    await running.engine.call('logs.import', { from: { kind: 'path', path } })
  if (!values['no-open'] && !(await openBrowser(server.addressToOpen()))) {
    say(`No browser was found. Open ${server.address} in one.`)
  }
  await stop.until(async () => {
    await server.close()
    await running.engine.close()
  })
  return 0
}
