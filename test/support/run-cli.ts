import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { cliOutputs } from '#contract/cli-output/index.ts'
import { quoted } from '#engine/platform/posix-quote.ts'
import { until } from './until.ts'

/** The built command line. */
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
  /** The current folder of the command. */
  readonly cwd?: string
  /** Program and first arguments to run instead of the built command line. */
  readonly program?: readonly [string, ...string[]]
}

/** Runs a command until it exits. */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  await using running = startCli(args, options)
  running.child.stdin?.end(options.stdin ?? '')
  return await running.ended
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

/** Throws if a line matches no documented schema, with the errors of the schemas of the same event. */
function documented(line: Record<string, unknown>): Record<string, unknown> {
  const shapes = cliOutputs.filter(({ shape }) => shape.event.value === line['event'])
  const results = shapes.map((shape) => shape.safeParse(line))
  if (results.some(({ success }) => success)) return line
  const reasons = results.map(({ error }) => (error === undefined ? '' : z.prettifyError(error)))
  throw new Error(`Not documented: ${JSON.stringify(line)}\n${reasons.join('\n')}`)
}

export interface RunningCli extends AsyncDisposable {
  readonly child: ChildProcess
  /** Resolves when it has exited and all output is received. */
  readonly ended: Promise<CliResult>
  readonly stderr: () => string
  /** Complete lines of stdout so far, as objects. */
  lines(): Record<string, unknown>[]
}

/** Starts a long-running command. It is killed at the end of the test if it is still running. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const [file, ...first] = options.program ?? [process.execPath, cliFile]
  const child = spawn(file, [...first, ...args], {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // A command that does not read its input may exit before the input is written.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close').then((): CliResult => ({
    code: child.exitCode,
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr).toString('utf8'),
  }))
  return {
    child,
    ended,
    stderr: () => Buffer.concat(stderr).toString('utf8'),
    lines: () => {
      const all = Buffer.concat(stdout)
      return jsonLines(all.subarray(0, all.lastIndexOf('\n') + 1))
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

/** Whether `startInTerminal` works here: it needs `script` of util-linux. */
export function hasTerminal(): boolean {
  return spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
}

export interface RunningInTerminal extends RunningCli {
  /** Everything that the terminal showed so far. */
  readonly shown: () => string
}

/** Starts a command in a terminal. Keys are written to its stdin; Ctrl+C is `\u0003`. */
export function startInTerminal(...args: readonly string[]): RunningInTerminal {
  const words = [process.execPath, cliFile, ...args].map(quoted)
  // With `exec`, since dash would end itself with 130 on Ctrl+C, whatever the exit code of the command is.
  const program = ['script', '-qec', `exec ${words.join(' ')}`, '/dev/null'] as const
  const running = startCli([], { program })
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

export interface Listening extends RunningCli {
  readonly ready: z.infer<typeof Ready>
  readonly port: number
  /** Path of the first endpoint. */
  readonly path: string
}

/** Starts `listen` or `serve` with `--json` on a free port, and waits until it is ready. */
export async function startListening(
  dataDir: string,
  args: readonly string[] = ['listen'],
  options: CliOptions = {},
): Promise<Listening> {
  const [command = 'listen', ...rest] = args
  const running = startCli([command, '--port', '0', '--data', dataDir, '--json', ...rest], {
    // As in the test configuration: less garbage collection when the threads start.
    program: [process.execPath, '--min-semi-space-size=16', cliFile],
    ...options,
  })
  let ended = false
  void running.ended.then(() => (ended = true))
  const line = await until(`${command} to be ready`, () => {
    const [first] = running.lines()
    if (!first && ended) throw new Error(`${command} ended: ${running.stderr()}`)
    return first
  })
  const ready = Ready.parse(line)
  const { port, pathname } = new URL(ready.endpoint)
  return { ...running, ready, port: Number(port), path: pathname }
}
