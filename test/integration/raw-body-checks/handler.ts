import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import type { Command, Runtime } from './runtimes.ts'

export const modules = path.resolve(import.meta.dirname, '../../../node_modules')

interface Written extends Disposable {
  readonly folder: string
  readonly file: string
}

/** Writes the code of a check to its own folder. */
export function written(check: RawBodyCheck, brand: string): Written {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-check-'))
  const file = path.join(folder, check.fileName)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, check.code(brand))
  symlinkSync(modules, path.join(folder, 'node_modules'), 'junction')
  return {
    folder,
    file,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Handler extends AsyncDisposable {
  readonly url: string
  /** False if it has ended. */
  alive(): boolean
  output(): string
}

/** Runs the code of a check as shown. Without a secret, the variable is not set. */
export async function startHandler(
  check: RawBodyCheck,
  runtime: Runtime,
  brand: string,
  secret: string | null,
): Promise<Handler> {
  const port = await freePort()
  const code = written(check, brand)
  const { folder } = code
  if (runtime.build) run(runtime.build, folder)
  const handler = await startCommand(runtime.start(code.file, port), {
    folder,
    port,
    environment: { PORT: `${port}`, ...(secret === null ? {} : { WEBHOOK_SECRET: secret }) },
  })
  return {
    ...handler,
    [Symbol.asyncDispose]: async () => {
      await handler[Symbol.asyncDispose]()
      code[Symbol.dispose]()
    },
  }
}

/** Runs a command to its end. Throws what it printed if it fails. */
export function run([command, ...args]: Command, cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
}

/** Returns once something listens on the port, or the command has ended. */
export async function startCommand(
  [command, ...args]: Command,
  {
    folder,
    port,
    environment,
  }: {
    readonly folder: string
    readonly port: number
    readonly environment: Readonly<Record<string, string>>
  },
): Promise<Handler> {
  const { WEBHOOK_SECRET: _none, ...inherited } = process.env
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  const alive = (): boolean => child.exitCode === null && child.signalCode === null
  await until(`${command} to listen`, async () => !alive() || (await listens(port)))
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    alive,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (alive()) child.kill()
      await ended
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
