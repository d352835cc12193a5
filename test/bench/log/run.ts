// Exports and imports many deliveries with the built command line, compared with copying the same bytes with a stream: rows per second,
// ratio, and peak memory of the process, also with a tenth of the deliveries.
import { spawn } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { mib, print, root } from '../processes.ts'
import { memoryOf } from '../store/queries.ts'
import { storeOf } from '../store/store-of.ts'

const many = Number(process.env['DELIVERIES'] ?? 1_000_000)
const few = many / 10

interface Ran {
  readonly seconds: number
  /** Of the whole process, in bytes. */
  readonly memory: number
}

async function run(args: readonly string[]): Promise<Ran> {
  const began = performance.now()
  const child = spawn(process.execPath, [path.join(root, 'out/main/cli.js'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let memory = 0
  const look = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid ?? 0)?.most ?? 0)
  }, 100)
  const code = await new Promise((resolve) => child.on('exit', resolve))
  clearInterval(look)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return { seconds: (performance.now() - began) / 1000, memory }
}

/** Returns the seconds to copy a file with a stream, including flushing to disk. */
async function copy(file: string): Promise<number> {
  const began = performance.now()
  await pipeline(createReadStream(file), createWriteStream(`${file}.copy`))
  const handle = await open(`${file}.copy`)
  await handle.sync()
  await handle.close()
  const seconds = (performance.now() - began) / 1000
  rmSync(`${file}.copy`)
  return seconds
}

interface Line {
  readonly name: string
  readonly perSecond: number
  readonly ratio: number
  readonly memory: number
  readonly bytes: number
}

async function measure(count: number): Promise<Line[]> {
  const folder = storeOf(count, print)
  const parent = path.join(root, 'node_modules/.cache/bench')
  mkdirSync(parent, { recursive: true })
  const temp = mkdtempSync(path.join(parent, 'log-'))
  const lines: Line[] = []
  const take = (name: string, { seconds, memory }: Ran, copied: number, bytes: number): void => {
    lines.push({ name, perSecond: count / seconds, ratio: copied / seconds, memory, bytes })
  }
  try {
    // Exclude one-time work of opening the store.
    await run(['delivery', 'list', '--limit', '1', '--data', folder])
    for (const [name, options] of [
      ['export', ['--no-redact', '--yes']],
      ['export, redacted', []],
      ['export, redacted, gzip', ['--gzip']],
    ] as const) {
      const file = path.join(temp, `${name.replaceAll(/[, ]+/g, '-')}.ndjson`)
      const ran = await run(['export', '-o', file, '--data', folder, ...options])
      take(name, ran, await copy(file), statSync(file).size)
      if (name !== 'export') rmSync(file)
    }
    const file = path.join(temp, 'export.ndjson')
    const ran = await run(['import', file, '--data', path.join(temp, 'data')])
    take('import', ran, await copy(file), statSync(file).size)
    return lines
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

const small = await measure(few)
const large = await measure(many)
print(`log: ${many} deliveries, from the start of the command to its end; in brackets with ${few}`)
print(`  ${''.padEnd(24)} rows a second   of a copy   peak memory   file`)
for (const line of large) {
  const before = small.find(({ name }) => name === line.name)
  print(
    `  ${line.name.padEnd(24)} ${line.perSecond.toFixed(0).padStart(13)}   ${line.ratio.toFixed(3).padStart(9)}   ${mib(line.memory).padStart(11)} (${mib(before?.memory ?? 0)})   ${mib(line.bytes)}`,
  )
}
const secondsOf = (name: string): number => {
  const line = large.find((each) => each.name === name)
  return line === undefined ? Number.NaN : many / line.perSecond
}
const share = secondsOf('export') / secondsOf('export, redacted')
print(`  the redacted export has ${share.toFixed(2)} of the speed of the one that is not redacted`)
