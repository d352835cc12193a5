import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { cliLines } from '#contract/cli-output.ts'
import { quoted } from '#engine/platform/posix-quote.ts'
import type { CommandIo } from '#hosts/node/command-line/io.ts'
import { runCommand } from '#hosts/node/command-line/run-command.ts'
import { until } from './until.ts'

export const cliFile = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url))

export interface CliResult {
  /** Exit code; null: killed by a signal. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Runs a command in this process until it ends. One at a time; use `spawnCli` for a second one. */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  await using running = startCli(args, options)
  running.stdin.end(options.stdin ?? '')
  return await running.ended
}

/** The process that a command sees while it runs inside of this one. */
class TestIo extends EventEmitter implements CommandIo {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdin = new PassThrough()
  readonly stdout: Writable
  readonly stderr: Writable
  readonly pid = process.pid
  readonly ppid = process.ppid
  readonly written: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = {
    stdout: [],
    stderr: [],
  }
  /** Resolves with the exit code if the command ends its process. */
  readonly exited: Promise<number>
  readonly exit: (code: number) => void
  readonly #cwd: string
  readonly #startedAt = performance.now()

  constructor(args: readonly string[], { env, cwd = process.cwd() }: CliOptions) {
    super()
    this.argv = [process.execPath, cliFile, ...args]
    this.env = { ...process.env, ...environment, ...env }
    this.#cwd = cwd
    const { stdout, stderr } = this.written
    this.stdout = collecting(stdout)
    this.stderr = collecting(stderr)
    const exited = Promise.withResolvers<number>()
    this.exited = exited.promise
    this.exit = exited.resolve
  }

  cwd(): string {
    return this.#cwd
  }

  uptime(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  kill(_pid: number, signal: NodeJS.Signals): void {
    if (!this.emit(signal)) throw new Error(`${signal} would end the process`)
  }
}

function collecting(chunks: Buffer[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, written) => {
      chunks.push(chunk)
      written()
    },
  })
}

/** Of each command: no colors, whatever the terminal of the tests is. */
const environment = { NO_COLOR: '1', FORCE_COLOR: undefined }

export interface RunningCli extends AsyncDisposable {
  readonly stdin: Writable
  /** Resolves when it has ended and all output is received. */
  readonly ended: Promise<CliResult>
  readonly stdout: () => string
  readonly stderr: () => string
  /** Complete lines of stdout so far, as objects. */
  lines(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
}

/** Starts a command in this process. At the end of the test it gets SIGTERM if it is still running. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const io = new TestIo(args, options)
  const { stdout, stderr } = io.written
  let hasEnded = false
  const ended = Promise.race([runCommand(args, io), io.exited]).then((code): CliResult => {
    hasEnded = true
    io.emit('exit')
    return { code, stdout: Buffer.concat(stdout), stderr: textOf(stderr) }
  })
  return {
    stdin: io.stdin,
    ended,
    stdout: () => textOf(stdout),
    stderr: () => textOf(stderr),
    lines: () => completeLines(stdout),
    kill: (signal) => io.kill(io.pid, signal),
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded) io.kill(io.pid, 'SIGTERM')
      await ended
    },
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}

function completeLines(stdout: readonly Buffer[]): Record<string, unknown>[] {
  const all = Buffer.concat(stdout)
  return jsonLines(all.subarray(0, all.lastIndexOf('\n') + 1))
}

/** Parses each line of stdout as an object. Throws for other lines. */
export function jsonLines(stdout: Uint8Array): Record<string, unknown>[] {
  const text = Buffer.from(stdout).toString('utf8')
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error('the output does not end with a line break')
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => documented(z.record(z.string(), z.unknown()).parse(JSON.parse(line))))
}

const lines: ReadonlyMap<string, z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>> = new Map(
  Object.entries(cliLines),
)

/** Throws if a line is not as documented, or has keys that are not documented. */
function documented(line: Record<string, unknown>): Record<string, unknown> {
  const { event, ...value } = line
  const schema = lines.get(String(event))
  if (!schema) throw new Error(`Not documented: ${JSON.stringify(line)}`)
  const shapes = schema instanceof z.ZodUnion ? schema.options : [schema]
  const results = shapes.map((shape) => shape.safeParse(value))
  // Parsing removes unknown keys.
  if (results.some(({ data }) => isDeepStrictEqual(data, value))) return line
  const reasons = results.map(({ error, data }) =>
    error === undefined ? `Documented: ${JSON.stringify(data)}` : z.prettifyError(error),
  )
  throw new Error(`Not documented: ${JSON.stringify(line)}\n${reasons.join('\n')}`)
}

export interface SpawnedCli extends RunningCli {
  readonly child: ChildProcess
}

export interface SpawnOptions extends CliOptions {
  /** Program and first arguments to run instead of the built command line. */
  readonly program?: readonly [string, ...string[]]
}

/** In a process of its own, for signals, terminals, startup, and several processes on a folder. */
export function spawnCli(args: readonly string[], options: SpawnOptions = {}): SpawnedCli {
  const [file, ...first] = options.program ?? [process.execPath, cliFile]
  const child = spawn(file, [...first, ...args], {
    env: { ...process.env, ...environment, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // A command that does not read its input may exit before the input is written.
  child.stdin.on('error', () => undefined)
  if (options.stdin !== undefined) child.stdin.end(options.stdin)
  const ended = once(child, 'close').then((): CliResult => ({
    code: child.exitCode,
    stdout: Buffer.concat(stdout),
    stderr: textOf(stderr),
  }))
  return {
    child,
    stdin: child.stdin,
    ended,
    stdout: () => textOf(stdout),
    stderr: () => textOf(stderr),
    lines: () => completeLines(stdout),
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs the built command line in a process of its own until it ends. */
export async function runSpawnedCli(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<CliResult> {
  await using running = spawnCli(args, { stdin: '', ...options })
  return await running.ended
}

/** Whether `startInTerminal` works here: it needs `script` of util-linux. */
export function hasTerminal(): boolean {
  return spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
}

export interface RunningInTerminal extends SpawnedCli {
  readonly shown: () => string
}

/** Starts a command in a terminal. Keys are written to its stdin; Ctrl+C is `\u0003`. */
export function startInTerminal(...args: readonly string[]): RunningInTerminal {
  const words = [process.execPath, cliFile, ...args].map(quoted)
  // With `exec`, since dash would end itself with 130 on Ctrl+C, whatever the exit code of the command is.
  const program = ['script', '-qec', `exec ${words.join(' ')}`, '/dev/null'] as const
  const running = spawnCli([], { program })
  let shown = ''
  running.child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  return { ...running, shown: () => shown }
}

const Ready = z.object({
  event: z.literal('ready'),
  ui: z.string().optional(),
  listener: z.string(),
  endpoint: z.string(),
  dataDir: z.string(),
})

/** `listen` or `serve` that is ready. */
export interface Listening extends RunningCli {
  readonly ready: z.infer<typeof Ready>
  readonly port: number
  /** Path of the first endpoint. */
  readonly path: string
}

/** For tests of `listen` and `serve`; others use `openTabscope`, which commands can join. */
export function startListening(
  dataDir: string,
  args: readonly string[] = ['listen'],
  options: CliOptions = {},
): Promise<Listening> {
  return untilReady(startCli(listeningArgs(dataDir, args), options))
}

/** Like `startListening`, in a process of its own. */
export function spawnListening(
  dataDir: string,
  args: readonly string[] = ['listen'],
  options: SpawnOptions = {},
): Promise<Listening & SpawnedCli> {
  // As in the test configuration: less garbage collection when the threads start.
  const program = [process.execPath, '--min-semi-space-size=16', cliFile] as const
  return untilReady(spawnCli(listeningArgs(dataDir, args), { program, ...options }))
}

/** With `--json`, on a free port. */
function listeningArgs(
  dataDir: string,
  [command = 'listen', ...rest]: readonly string[],
): string[] {
  return [command, '--port', '0', '--data', dataDir, '--json', ...rest]
}

async function untilReady<R extends RunningCli>(running: R): Promise<R & Listening> {
  let ended = false
  void running.ended.then(() => (ended = true))
  const line = await until('the listener', () => {
    const [first] = running.lines()
    if (!first && ended) throw new Error(`it ended: ${running.stderr()}`)
    return first
  })
  const ready = Ready.parse(line)
  const { port, pathname } = new URL(ready.endpoint)
  return { ...running, ready, port: Number(port), path: pathname }
}
