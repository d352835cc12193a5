import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '#engine/errors.ts'
import { describeFailure } from '#engine/listening/listening.ts'
import { logFilesOf, mostFiles } from '../../log-files.ts'
import { openInterfaceServer, type OfferLink } from '../interface-server.ts'
import { openBrowser } from '../open-browser.ts'
import { assertReadable } from '../given-file.ts'
import { forwardOptions, forwardWish } from '../forwarding.ts'
import { parse, secretOf, secretOptions, wholeNumber } from '../options.ts'
import { say, writeJson } from '../output.ts'
import { UsageError } from '../usage-error.ts'
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
  const command = ['serve', args] as const
  const running = await startRunning({
    dataDir,
    port,
    secret,
    tunnel,
    opensBrowser: !(values['no-open'] ?? false),
    command,
  })
  await beginForwarding(running, forwarding, values.json ?? false, false)
  const folder = fileURLToPath(new URL('../renderer', import.meta.url))
  const offerLink: OfferLink = async ({ address, addressToOpen }, isSameUser) => {
    if (isSameUser && !values['no-open'] && (await openBrowser(addressToOpen()))) return 'opened'
    if (values.json) writeJson({ event: 'link', ui: address })
    else say(`A page requested a new link. If it was yours, open ${address}`)
    return 'printed'
  }
  const server = await openInterfaceServer(
    running.engine,
    folder,
    uiPort,
    offerLink,
    path.join(dataDir, 'interface.json'),
  ).catch(async (error) => {
    await running.engine.close()
    const failed = await describeFailure(uiPort, error)
    throw new AppError(failed.code, failedListener(failed, command, 'ui-port'), { cause: error })
  })
  const { listener, endpoint } = addresses(running)
  if (values.json) {
    writeJson({ event: 'ready', ui: server.address, listener, endpoint, dataDir })
  } else {
    say(`Tabscope is at ${server.address}`)
    if (endpoint) say(`Webhooks are received at ${endpoint}`)
    else if (running.listener.state === 'failed') say(failedListener(running.listener, command))
    if (values.ephemeral) say(`Data folder: ${dataDir} (removed when Tabscope stops)`)
    say('Ctrl+C stops it.')
  }
  warnWhileFailing(running, values.json ?? false)
  await beginTunnel(running, tunnel, values.json ?? false)
  // What is wrong with one stands in its import, where the page shows it.
  for (const file of files)
    await running.engine.call('logs.import', { from: { kind: 'path', path: file } })
  if (!values['no-open'] && !(await openBrowser(server.addressToOpen()))) {
    say(`No browser was found. Open ${server.address} in one.`)
  }
  await stop.until(async () => {
    await server.close()
    await running.engine.close()
  })
  return 0
}
