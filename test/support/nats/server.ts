import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import { jetstreamManager } from '@nats-io/jetstream'
import { wantedStreams } from '#engine/receiving/relay/admin/check.ts'
import { freePort } from '../free-port.ts'
import { ownedFolder } from '../temp-folder.ts'
import { until } from '../until.ts'
import { findNatsServer } from './find.mjs'

/** Null: tests of the relay are skipped. */
export const natsServer = findNatsServer()

export interface Nats extends AsyncDisposable {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly monitor: string
  readonly folder: string
  readonly child: () => ChildProcess
  /** With the signal, SIGTERM by default. Resolves when it has exited. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** With the same port and folder. Resolves when it accepts connections. */
  start(): Promise<void>
  connect(options?: ConnectionOptions): Promise<NatsConnection>
}

export interface NatsOptions {
  /** More lines of its configuration; `$FOLDER`, `$PORT` and `$MONITOR` are replaced. Replaces the default, which has file storage that syncs always. */
  readonly config?: string
  readonly folder?: string
  /** Words before those of the server, of a program that becomes it. */
  readonly inside?: readonly [string, ...string[]]
}

/** What the account of a desktop has by its imports. */
export const desktopMappings = `mappings {
  "relay.STREAM.INFO.*": "$JS.API.STREAM.INFO.$1"
  "relay.STREAM.NAMES": "$JS.API.STREAM.NAMES"
}`

const defaultConfig = `
listen: "127.0.0.1:$PORT"
http: "127.0.0.1:$MONITOR"
jetstream { store_dir: "$FOLDER/jetstream", sync_interval: always }
${desktopMappings}
`

/** A real nats-server on loopback, in a folder of its own that is deleted at the end. */
export async function openNats(options: NatsOptions = {}): Promise<Nats> {
  if (natsServer === null) throw new Error('nats-server not found')
  const program = natsServer
  const owned = options.folder === undefined ? ownedFolder() : null
  const folder = options.folder ?? owned?.path ?? ''
  const [port, monitor] = [await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'nats.conf')
  writeFileSync(
    file,
    (options.config ?? defaultConfig)
      .replaceAll('$FOLDER', folder)
      .replaceAll('$PORT', String(port))
      .replaceAll('$MONITOR', String(monitor)),
  )
  let child: ChildProcess | null = null
  const start = async (): Promise<void> => {
    const [first, ...words] = [...(options.inside ?? []), program, '-c', file]
    const started = spawn(first, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    let log = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text))
    await until('nats-server', () => {
      if (started.exitCode !== null) throw new Error(`nats-server exited: ${log}`)
      return log.includes('Server is ready')
    })
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    running.kill(signal)
    await once(running, 'exit')
  }
  await start()
  const url = `nats://127.0.0.1:${port}`
  return {
    url,
    port,
    monitor: `http://127.0.0.1:${monitor}`,
    folder,
    child: () => {
      if (!child) throw new Error('not started')
      return child
    },
    start,
    stop,
    connect: (more = {}) => connect({ servers: url, ...more }),
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
      await owned?.[Symbol.asyncDispose]()
    },
  }
}

/** As `tabscope relay check` creates them. */
export async function createStreams(
  connection: NatsConnection,
  endpoints: readonly string[] = ['sandbox', 'bar', 'terrace', 'pier', 'other', 'gone', '_'],
): Promise<void> {
  const manager = await jetstreamManager(connection)
  const wanted = wantedStreams({
    keepDays: 7,
    maxBytes: 4 * 1024 ** 3,
    replicas: 1,
    endpoints: [...endpoints],
  })
  for (const stream of wanted) await manager.streams.add(stream)
}
