import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { receiverFile } from '#test/support/nats/receiving.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { runCli, runSpawnedCli, type CliResult } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

// What a command loads, opens and starts, which determines its startup time. `npm run bench -- command` measures the times.

const watcher = new URL('../../support/record-startup.mjs', import.meta.url).href
const Watched = z.object({ loaded: z.array(z.string()), started: z.array(z.string()) })
const SourceMap = z.object({ sources: z.array(z.string()) })

interface WatchedResult extends CliResult {
  /** Paths of the loaded sources, from the source maps of the built files, and URLs of modules without one. */
  readonly sources: readonly string[]
  /** Files of the started threads. */
  readonly threads: readonly string[]
}

const folder = ownedFolder()
const dataDir = (): string => path.join(folder.path, 'data')

/** A data folder with one indexed delivery, and no holder. */
beforeAll(async () => {
  await using tab = await openTabscope(dataDir())
  await tab.receive(post(tab.path, goodBody))
  const indexed = await runCli(['delivery', 'list', '--filter', 'tab', '--data', dataDir()])
  expect(indexed.code).toBe(0)
})

afterAll(() => folder[Symbol.asyncDispose]())

function watchedHere(args: readonly string[]): Promise<WatchedResult> {
  return watched([...args, '--data', dataDir()])
}

async function watched(args: readonly string[]): Promise<WatchedResult> {
  const file = path.join(folder.path, 'watched.json')
  const env = { NODE_OPTIONS: `--import=${watcher}`, RECORD_STARTUP: file }
  const result = await runSpawnedCli(args, { env })
  const { loaded, started } = Watched.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { ...result, sources: loaded.flatMap(sourcesOf), threads: started }
}

const sourcesByUrl = new Map<string, string[]>()

function sourcesOf(url: string): string[] {
  const known = sourcesByUrl.get(url)
  if (known) return known
  const sources = readSources(url)
  sourcesByUrl.set(url, sources)
  return sources
}

function readSources(url: string): string[] {
  const map = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
  if (!existsSync(map)) return [url]
  return SourceMap.parse(JSON.parse(readFileSync(map, 'utf8'))).sources
}

function builtFile(name: string): string {
  return fileURLToPath(new URL(`../../../out/main/${name}`, import.meta.url))
}

const zod = /\/node_modules\/zod\//
const protocol = /\/@modelcontextprotocol\//
const nats = /\/node_modules\/@nats-io\//
const sqlite = /\/better-sqlite3\//
const engine = /\/src\/engine\/app\/(engine|open-context|dispatch)\.ts$/
const writer = /\/src\/engine\/(store\/(writer|lock)|deliveries\/ingest)/

test('sources are detected: a command that opens the engine for writing loads them all', async () => {
  const { code, sources, threads } = await watchedHere(['delivery', 'annotate', '1', '--pin'])
  expect(code).toBe(0)
  for (const part of [zod, sqlite, engine, /\/store\/lock\.ts$/]) {
    expect(
      sources.some((source) => part.test(source)),
      String(part),
    ).toBe(true)
  }
  expect(threads.map((file) => path.basename(file))).toContain('writer-thread.js')
})

/** The sources in a built file and in the files that it imports statically, from their source maps. */
function sourcesIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imported = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*"(\.\/.+)";$/gm)]
  return [
    ...sourcesOf(pathToFileURL(file).href),
    ...imported.flatMap(([, name = '']) => sourcesIn(path.join(path.dirname(file), name), seen)),
  ]
}

test.for(['capture', 'writer', 'reader', 'sender'])('the %s thread loads no schema', (name) => {
  const sources = sourcesIn(builtFile(`${name}-thread.js`))
  expect(sources.some((source) => source.endsWith('/engine/platform/rpc.ts'))).toBe(true)
  expect(sources.filter((source) => zod.test(source))).toEqual([])
  // Another thread does, so the schemas are detected.
  const others = sourcesIn(builtFile('import-thread.js'))
  expect(others.some((source) => zod.test(source))).toBe(true)
})

test('only the script thread loads the interpreter of scripts, and it loads no schema', () => {
  const chunks = readdirSync(builtFile('')).filter((name) =>
    /^(?:cli|[a-z]+-[a-z]+)\.js$/.test(name),
  )
  const own = chunks.filter((name) =>
    sourcesIn(builtFile(name)).some((source) => source.includes('/quickjs-emscripten-core/')),
  )
  expect(own).toEqual(['script-thread.js'])
  const sources = sourcesIn(builtFile('script-thread.js'))
  expect(sources.filter((source) => zod.test(source))).toEqual([])
})

test('a receiver loads NATS, but neither SQLite nor an engine, and starts no thread', async () => {
  // It fails only when it listens.
  const args = ['receive', '--relay', receiverFile({}), '--host', '192.0.2.1']
  const { code, sources, threads, stderr } = await watched(args)
  expect(stderr).toContain('--host 0.0.0.0')
  expect(code).toBe(2)
  expect(threads).toEqual([])
  for (const part of [sqlite, engine, writer])
    expect(sources.filter((source) => part.test(source))).toEqual([])
  expect(sources.some((source) => nats.test(source))).toBe(true)
})

test.for([
  ['help'],
  ['generate', 'types', '--language', 'typescript'],
  ...(full ? [['event-log', '--help']] : []),
])('%s loads neither schemas nor SQLite', async (args) => {
  const { code, sources } = await watched(args)
  expect(code).toBe(0)
  expect(sources.filter((source) => zod.test(source) || sqlite.test(source))).toEqual([])
})

test('the version is the same line for every form, and loads no command module', async () => {
  const { stdout } = await runCli(['--utc', 'version'])
  expect(stdout.toString()).toMatch(/^tabscope \d+\.\d+\.\d+\S*\n$/)
  const launcher = fileURLToPath(new URL('../../../src/hosts/node/launch.mjs', import.meta.url))
  const program = [process.execPath, launcher] as const
  for (const word of full ? ['--version', '-V', 'version'] : ['--version']) {
    const { sources, ...direct } = await watched([word])
    expect(direct.stdout).toEqual(stdout)
    const commands = /hosts\/node\/cli\.ts$|\/commander\//
    expect(sources.filter((source) => commands.test(source))).toEqual([])
    if (full) expect((await runSpawnedCli([word], { program })).stdout).toEqual(stdout)
  }
})

test('while Tabscope runs, deliveries are requested from it, without schemas, SQLite or an engine', async () => {
  await using _ = await openTabscope(dataDir())
  const { code, stdout, sources, threads } = await watchedHere(['delivery', 'list', '--json'])
  expect(code).toBe(0)
  expect(stdout.toString().split('\n')).toHaveLength(2)
  for (const part of [zod, sqlite, engine, writer])
    expect(sources.filter((source) => part.test(source))).toEqual([])
  expect(sources.some((source) => source.endsWith('/hosts/control/client.ts'))).toBe(true)
  expect(threads).toEqual([])
})

function contents(): Record<string, string> {
  const names = readdirSync(dataDir(), { recursive: true, encoding: 'utf8' })
  // For reading, SQLite leaves an empty WAL and its index.
  const files = names.filter((name) => {
    const stats = statSync(path.join(dataDir(), name))
    return stats.isFile() && !name.endsWith('-shm') && !(name.endsWith('-wal') && stats.size === 0)
  })
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(path.join(dataDir(), name), 'base64')]),
  )
}

describe('without a running Tabscope', () => {
  test.for([
    ['delivery', 'list'],
    ['status'],
    ...(full
      ? [
          ['endpoint', 'list'],
          ['token', 'list'],
          ['attempt', 'list'],
          ['attempt', 'list', '--delivery', '1'],
          ['conformance'],
          ['delivery', 'list', '--filter', 'type:OPEN_TAB tab'],
          ['forward', 'list'],
          ['integration', 'list'],
          ['integration', 'show', 'Sandbox service'],
          ['job', 'list'],
          ['respond', 'list'],
        ]
      : []),
  ])('%j loads SQLite, but neither schemas nor an engine, and writes nothing', async (args) => {
    const before = contents()
    const { code, sources, threads } = await watchedHere(args)
    expect(code).toBe(0)
    expect(threads).toEqual([])
    expect(contents()).toEqual(before)
    for (const part of [zod, engine, writer, protocol, nats])
      expect(sources.filter((source) => part.test(source))).toEqual([])
    expect(sources.some((source) => sqlite.test(source))).toBe(true)
  })

  test.runIf(full).for([
    ['delivery', 'diagnose', '1'],
    ['delivery', 'show', '1'],
    ['delivery', 'trace', '1'],
    ['event-log', 'list'],
    ['rehearse', 'runs'],
    ['settings', 'get'],
    ['tunnel', 'status'],
  ])('%j loads no engine, takes no lock and writes nothing', async (args) => {
    const before = contents()
    const { code, sources, threads } = await watchedHere(args)
    expect(code).toBe(0)
    expect(threads).toEqual([])
    expect(contents()).toEqual(before)
    for (const part of [engine, writer])
      expect(sources.filter((source) => part.test(source))).toEqual([])
  })

  test('it ignores the lock of another process', async () => {
    const lock = path.join(dataDir(), 'lock.db')
    const held = readFileSync(lock)
    writeFileSync(lock, 'locked by nobody, and no database')
    try {
      expect((await runCli(['delivery', 'list', '--data', dataDir()])).code).toBe(0)
      expect((await runCli(['token', 'list', '--data', dataDir()])).code).toBe(0)
      // The lock blocks only commands that write.
      expect((await runCli(['delivery', 'annotate', '1', '--pin', '--data', dataDir()])).code).toBe(
        1,
      )
    } finally {
      writeFileSync(lock, held)
    }
  })
})

test('a relay on loopback is created without certificates, a connection or an engine', async () => {
  const target = ['--host', '127.0.0.1', '--endpoint', 'bar']
  const created = await watched(['relay', 'init', ...target, '-o', path.join(folder.path, 'relay')])
  expect(created.code).toBe(0)
  const unused = /\/@peculiar\/|\/@nats-io\/(transport-node|jetstream)\/|\/better-sqlite3\//
  for (const part of [unused, engine, writer])
    expect(created.sources.filter((source) => part.test(source))).toEqual([])
  // They are detected: this needs a certificate.
  const other = ['--host', 'relay.example.com', '--endpoint', 'bar']
  const certified = await watched(['relay', 'init', ...other, '-o', path.join(folder.path, 'tls')])
  expect(certified.sources.some((source) => source.includes('/@peculiar/x509/'))).toBe(true)
})
