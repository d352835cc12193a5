import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import type { Runtime } from './runtimes.ts'

const modules = path.resolve(import.meta.dirname, '../../../node_modules')

interface Written extends Disposable {
  readonly folder: string
  readonly file: string
}

/** Writes the code of a check to its own folder, with a different port. */
export function written(check: RawBodyCheck, brand: string, port = 3000): Written {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-check-'))
  const file = path.join(folder, check.fileName)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, check.code(brand).replaceAll('3000', `${port}`))
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
  const code = written(check, brand, port)
  if (runtime.build) {
    const [command, ...args] = runtime.build
    const { status, stderr } = spawnSync(command, args, { cwd: code.folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  const [command, ...args] = runtime.start(code.file, port)
  const { WEBHOOK_SECRET: _none, ...inherited } = process.env
  const child = spawn(command, args, {
    cwd: code.folder,
    env: { ...inherited, ...(secret === null ? {} : { WEBHOOK_SECRET: secret }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  const alive = (): boolean => child.exitCode === null && child.signalCode === null
  await until(`${check.label} to listen`, async () => !alive() || (await listens(port)))
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    alive,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (alive()) child.kill()
      await ended
      code[Symbol.dispose]()
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
