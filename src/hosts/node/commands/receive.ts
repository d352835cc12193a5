import type { ReceiverFile } from '#engine/receiving/relay/files.ts'
import { AppError } from '#engine/platform/errors.ts'
import { systemCodeOf } from '#shared/text/errors.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { port } from '../command-line/values.ts'
import { io } from '../command-line/io.ts'
import { writeJson } from '../output/output.ts'
import { announce, failedListener } from '../session/running.ts'
import { expectStop } from '../session/stop.ts'

const withOptions = defineCommand(
  'receive',
  'Receive webhooks for a team, and store them in a relay that its desktops follow',
  [
    [
      'Receive for the endpoints of the file, behind a proxy on this computer',
      'receive --relay receiver-edge-1.json',
    ],
    [
      'In a container, with a line of figures every 10 seconds',
      'receive --relay /run/secrets/receiver.json --host 0.0.0.0 --json',
    ],
  ],
)
  .requiredOption('--relay <file>', 'Receiver file of "tabscope relay init"')
  .option('--host <address>', 'Address to listen on', '127.0.0.1')
  .option('--port <port>', 'Port to listen on (0: any free port)', port('--port'), 4780)
  .option('--allow-unsynced', 'Use a server that can lose what it acknowledged')

export const command = withOptions.action(action((values) => receive(values)))

type Values = ReturnType<typeof withOptions.opts>
const metricsMs = 10_000

async function receive(values: Values): Promise<ExitCode> {
  const target = await readTarget(values.relay)
  const { openReceiver } = await import('#engine/receiving/relay/receive/receiver.ts')
  let interrupted = false
  io.on('SIGINT', () => (interrupted = true))
  const stop = expectStop()
  const { host } = values
  /** After `ready`, which scripts wait for. */
  let early: string[] | null = []
  const receiver = await openReceiver({
    ...target,
    host,
    port: values.port,
    allowUnsynced: values.allowUnsynced ?? false,
    failing: (reason) => {
      const line =
        reason === null
          ? 'Deliveries are stored in the relay.'
          : `Warning: ${reason} Deliveries get 503 until they can be stored.`
      announce('storage', { failing: reason }, [line])
    },
    warn: (message) => {
      if (early === null) warn(message)
      else early.push(message)
    },
  }).catch((error: unknown) => listenerFailure(error, values))

  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${receiver.port}`
  const endpoints = target.endpoints.map(({ slug }) => `${origin}/hooks/${slug}`)
  const { connected } = receiver.metrics()
  const relay = [...target.servers]
  announce('ready', { receiver: target.receiver, listener: origin, endpoints, relay, connected }, [
    ...endpoints.map((url) => `Receiving webhooks at ${url}`),
    'Press Ctrl+C to stop.',
  ])
  for (const message of early) warn(message)
  early = null
  const printMetrics = (): void => {
    if (globals.json) writeJson('receiver', receiver.metrics())
  }
  const timer = setInterval(printMetrics, metricsMs)
  await stop.until(async () => {
    clearInterval(timer)
    await receiver.close()
    printMetrics()
  })
  return interrupted ? 130 : 0
}

function warn(message: string): void {
  announce('warning', { message }, [`Warning: ${message}`])
}

async function readTarget(file: string): Promise<ReceiverFile> {
  const [{ readInputFile }, { readReceiverFile }] = await Promise.all([
    import('../command-line/input-file.ts'),
    import('#engine/receiving/relay/files.ts'),
  ])
  const target = readReceiverFile(file, (await readInputFile(file)).toString('utf8'))
  for (const server of target.servers) {
    const url = URL.canParse(server) ? new URL(server) : null
    const isServer = url?.protocol === 'nats:' || url?.protocol === 'tls:'
    if (!url || !isServer || url.hostname === '') {
      throw new AppError(
        'bad_input',
        'The address of the relay must be such as tls://relay.example.com:4222, or nats://127.0.0.1:4222 on this computer.',
      )
    }
  }
  return target
}

/** With the program that has the port, and a port that is free. */
async function listenerFailure(error: unknown, { host, port: wanted }: Values): Promise<never> {
  const code = systemCodeOf(error)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    throw new AppError(
      'bad_input',
      `This computer has no address ${host}. Use --host 0.0.0.0 for all of its addresses.`,
    )
  }
  if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
  const { describeFailure } = await import('#engine/receiving/listener/listening/listening.ts')
  const failed = await describeFailure(wanted, error)
  const { code: reason } = failed
  throw new AppError(reason === 'internal' ? 'listener_down' : reason, await failedListener(failed))
}
