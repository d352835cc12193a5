import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { tlsOptions } from '#engine/receiving/relay/connection.ts'
import { decodeInvitation, type Invitation } from '#engine/receiving/relay/files.ts'
import { desktopApi, streamOf } from '#engine/receiving/relay/format.ts'
import { readAdminFile, readRelay } from '#engine/receiving/relay/admin/folder.ts'
import { monitorOffset } from '#engine/receiving/relay/admin/state.ts'
import { freePort } from '../free-port.ts'
import { runCli, type CliResult } from '../run-cli.ts'
import { ownedFolder } from '../temp-folder.ts'
import { until } from '../until.ts'
import { natsServer } from './server.ts'

/** A relay as `tabscope relay init` writes it, with a real nats-server that runs in its folder. */
export interface AdministeredRelay extends AsyncDisposable {
  readonly folder: string
  /** `tabscope relay <words> --relay <folder>` */
  relay(...words: readonly string[]): Promise<CliResult>
  /** Runs `relay invite`. Throws if it fails. */
  invite(...words: readonly string[]): Promise<Invitation>
  asAdmin(): Promise<NatsConnection>
  asReceiver(name: string): Promise<NatsConnection>
  as(invitation: Invitation): Promise<NatsConnection>
  stop(): Promise<void>
  start(): Promise<void>
}

export async function openAdministered(
  host = '127.0.0.1',
  ...options: readonly string[]
): Promise<AdministeredRelay> {
  const owned = ownedFolder()
  const folder = path.join(owned.path, 'relay')
  const port = String(await portWithMonitor())
  const args = ['--host', host, '--port', port, '--endpoint', 'bar', '--endpoint', 'terrace']
  await succeeded(runCli(['relay', 'init', '-o', folder, ...args, ...options]))
  let server: ChildProcess | null = null
  const start = async (): Promise<void> => {
    server = await startNats(folder)
  }
  const stop = async (): Promise<void> => {
    if (server !== null) await stopNats(server)
  }
  await start()
  const relay = (...words: readonly string[]): Promise<CliResult> =>
    runCli(['relay', ...words, '--relay', folder])
  const connected = (seed: string | null): Promise<NatsConnection> => {
    const { servers, ca } = readAdminFile(folder)
    return connect({
      servers,
      tls: ca === null ? null : tlsOptions({ servers, ca }),
      reconnect: false,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed ?? '')),
    })
  }
  const answers = async ({ seed, endpoints }: Invitation): Promise<boolean> => {
    const slug = endpoints.find((each) => each !== '*') ?? ''
    try {
      const connection = await connected(seed)
      const api = await jetstreamManager(connection, { checkAPI: false, apiPrefix: desktopApi })
      await api.streams.info(streamOf(slug)).finally(() => connection.close())
      return true
    } catch (error) {
      return error instanceof JetStreamApiError
    }
  }
  return {
    folder,
    relay,
    invite: async (...words) => {
      const { stdout } = await succeeded(relay('invite', ...words))
      const invitation = decodeInvitation(stdout.toString())
      // A new account has nothing before the second reload.
      if (server?.exitCode === null && server.signalCode === null)
        await until('the key', () => answers(invitation))
      return invitation
    },
    asAdmin: () => connected(readAdminFile(folder).seed),
    asReceiver: (name) =>
      connected(
        readRelay(folder).receivers.find((receiver) => receiver.name === name)?.seed ?? null,
      ),
    as: ({ seed }) => connected(seed),
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await owned[Symbol.asyncDispose]()
    },
  }
}

async function succeeded(running: Promise<CliResult>): Promise<CliResult> {
  const result = await running
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stderr}`)
  return result
}

export async function stopNats(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGKILL')
  await once(server, 'exit')
}

/** As the next steps of `relay init` say. */
export async function startNats(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const child = spawn(natsServer ?? '', ['-c', 'nats.conf'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  await until('nats-server', () => {
    if (child.exitCode !== null) throw new Error(`nats-server exited: ${log}`)
    return log.includes('Server is ready')
  })
  return child
}

/** Its monitoring port is free, too. */
export async function portWithMonitor(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port + monitorOffset < 65_536 && (await isFree(port + monitorOffset))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ])
  server.close()
  return free
}
