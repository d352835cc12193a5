import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import type { Command, Runtime } from './runtimes.ts'

const execFileAsync = promisify(execFile)

export interface Handler extends AsyncDisposable {
  readonly url: string
  /** False if it has ended. */
  alive(): boolean
  output(): string
}

/** Builds and starts a project by the commands in its README, without those that install packages. */
export async function startProject(
  folder: string,
  { interpreter = '', start }: Runtime,
  environment: Readonly<Record<string, string>>,
): Promise<Handler> {
  const port = await freePort()
  const commands = commandsOf(folder).map(([program = '', ...args]): Command => [
    path.basename(interpreter).startsWith(path.basename(program)) ? interpreter : program,
    ...args.map((each) => each.replace('3000', `${port}`)),
  ])
  const own = start?.(folder, port)
  const command = own ?? commands.pop()
  if (!command) throw new Error('README.md has no command.')
  if (!own) for (const each of commands) await run(each, folder)
  return startCommand(command, folder, port, { ...environment, PORT: `${port}` })
}

function commandsOf(folder: string): string[][] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  const [, block = ''] = read('README.md').split('```')
  return block
    .split('\n')
    .slice(1, -1)
    .filter((line) => !/install|venv \.venv/.test(line))
    .map((line) => line.replace('WEBHOOK_SECRET=… ', '').replace(' 2>&1 | tee handler.log', ''))
    .map((line) => (line === 'npm start' ? JSON.parse(read('package.json')).scripts.start : line))
    .map((line: string) => line.split(' '))
}

/** Runs a command to its end. Throws what it printed if it fails. */
export async function run([command, ...args]: Command, cwd: string): Promise<void> {
  await execFileAsync(command, args, { cwd }).catch((error) => {
    const { stdout, stderr } = error
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  })
}

/** Returns once something listens on the port, or the command has ended. */
async function startCommand(
  [command, ...args]: Command,
  folder: string,
  port: number,
  environment: Readonly<Record<string, string>>,
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
