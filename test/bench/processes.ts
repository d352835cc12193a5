import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Load, LoadResult } from './generator.ts'

export const root = path.resolve(import.meta.dirname, '../..')

/** The secret of the endpoint of every Tabscope. */
export const secret = 'whsec_bench_0123456789abcdef'
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The mockttp version of the measurements in the README. */
const mockttpVersion = '4.6.5'

/** Runs one load in a separate process. */
export function load(options: Load): Promise<LoadResult> {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('message', (result: LoadResult) => resolve(result))
    child.send(options)
  })
}

export interface Running extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** The data folder of a Tabscope. */
  readonly dataDir: string | null
}

export interface Served extends Running {
  /** For `noting`: the signatures received since the last call. */
  noted(): Promise<string[]>
}

export async function startServer(
  kind: 'empty' | 'durable' | 'noting' | 'mockttp',
  port: number,
): Promise<Served> {
  const entry = kind === 'mockttp' ? [mockttpEntry()] : []
  const child = fork(path.join(import.meta.dirname, 'servers.ts'), [kind, String(port), ...entry])
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', reject)
  })
  return {
    ...running(child, port),
    noted: () =>
      new Promise((resolve) => {
        child.once('message', (received: string[]) => resolve(received))
        child.send('tell')
      }),
  }
}

const Ready = z.object({
  event: z.literal('ready'),
  ui: z.string(),
  listener: z.string(),
  endpoint: z.string(),
})

export interface Tabscope extends Running {
  readonly dataDir: string
  readonly ui: string
}

/** Starts the product as built in `checkout`, with its own data folder, which is removed with it. The folder is on the disk of the project, because /tmp may be in memory. */
export async function startTabscope(checkout = root): Promise<Tabscope> {
  const parent = path.join(root, 'node_modules/.cache/bench')
  mkdirSync(parent, { recursive: true })
  const dataDir = mkdtempSync(path.join(parent, 'data-'))
  const cli = path.join(checkout, 'out/main/cli.js')
  const args = [
    'serve',
    '--no-open',
    '--json',
    '--port',
    '0',
    '--data',
    dataDir,
    '--secret',
    secret,
  ]
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', reject)
  })
  const ready = Ready.parse(JSON.parse(line))
  const port = Number(new URL(ready.listener).port)
  const base = running(child, port)
  return {
    ...base,
    dataDir,
    ui: ready.ui,
    [Symbol.asyncDispose]: async () => {
      await base[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the resident memory of a process in bytes; null on unsupported systems. */
export function resident(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? null : Number(kib) * 1024
  } catch {
    return null
  }
}

/** Returns the used processor time of a process in seconds; null on unsupported systems. */
export function processorTime(pid: number): number | null {
  try {
    // After the name, which may contain any characters: user and system time in ticks of 10 ms.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return null
  }
}

export function printLoad(name: string, { p50, p99, max, perSecond }: LoadResult): void {
  print(
    `  ${name.padEnd(9)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  max ${max.toFixed(1)} ms  (${Math.round(perSecond)}/s)`,
  )
}

export const mib = (bytes: number | null): string =>
  bytes === null ? 'unknown' : `${(bytes / 1024 / 1024).toFixed(0)} MiB`

function running(child: ChildProcess, port: number): Running {
  return {
    port,
    pid: child.pid ?? 0,
    dataDir: null,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Installs mockttp in the cache folder: 43 MB that only this benchmark needs. */
function mockttpEntry(): string {
  const folder = path.join(root, 'node_modules/.cache/bench-mockttp')
  const entry = path.join(folder, 'node_modules/mockttp/dist/main.js')
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true })
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    spawnSync(npm, ['install', '--no-save', '--prefix', folder, `mockttp@${mockttpVersion}`], {
      stdio: 'inherit',
    })
  }
  return entry
}
