import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sign } from '#test/support/requests.ts'
import { jsonLines, runSpawnedCli, spawnCli } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

// The package as npm packs and installs it. Its dependency is linked to the one of the checkout, so that no registry is needed.

const root = path.resolve(import.meta.dirname, '../../..')
const isWindows = process.platform === 'win32'
const Packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
])

let folder: OwnedFolder
let packed: z.infer<typeof Packed>[0]
/** As the user starts it: a link of npm, which Windows has not. */
let command: string
let home: string
let env: Record<string, string>

async function npm(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder.path, shell: isWindows })
  return stdout
}

beforeAll(async () => {
  folder = ownedFolder()
  home = path.join(folder.path, 'home')
  mkdirSync(home)
  // Empty: as if it were not set.
  const unset = ['TABSCOPE_DATA', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME']
  env = {
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    HOME: home,
    USERPROFILE: home,
    APPDATA: path.join(home, 'AppData'),
  }
  const to = ['--pack-destination', folder.path]
  ;[packed] = Packed.parse(JSON.parse(await npm('pack', root, '--ignore-scripts', '--json', ...to)))
  const prefix = path.join(folder.path, 'prefix')
  const cache = path.join(folder.path, 'cache')
  const sqlite = path.join(root, 'node_modules/better-sqlite3')
  const offline = ['--offline', '--no-update-notifier', '--cache', cache]
  const install = ['install', '--global', ...offline, '--prefix', prefix]
  await npm(...install, path.join(folder.path, packed.filename), sqlite)
  command = isWindows
    ? path.join(prefix, 'node_modules/tabscope/src/hosts/node/launch.mjs')
    : path.join(prefix, 'bin/tabscope')
}, 120_000)
afterAll(async () => folder[Symbol.asyncDispose]())

const options = () => ({ env, cwd: home, program: [process.execPath, command] as const })

async function tabscope(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSpawnedCli(args, options())
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout.toString()
}

test('holds what runs, the skills and the guide, in less than 4 MB', () => {
  expect(packed.size).toBeLessThan(4_000_000)
  const files = packed.files.map((file) => file.path)
  expect(files).toContain('resources/docs/getting-started.md')
  expect(files).toContain('resources/skills/tabscope/SKILL.md')
  expect(
    files.filter(
      (file) =>
        !/^(?:out\/(?:main|renderer)|resources\/(?:docs|skills))\//.test(file) ||
        file.endsWith('.map'),
    ),
  ).toEqual(['LICENSE', 'README.md', 'package.json', 'src/hosts/node/launch.mjs'])
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    dependencies: { 'better-sqlite3': expect.any(String) },
    engines: { node: '^22.15 || >=23.10' },
  })
})

test('receives, verifies, waits, exports and serves an assistant in an empty home folder', async () => {
  expect(await tabscope('version')).toMatch(/^tabscope \d+\.\d+\.\d+\n$/)
  await using listening = spawnCli(
    ['listen', '--port', '0', '--secret', 'secret', '--json'],
    options(),
  )
  await until('the listener', () => listening.lines()[0])
  await using waiting = spawnCli(['wait', '--type', 'ORDER_PLACED', '--since', '1m'], options())
  await tabscope('trigger', 'ORDER_PLACED')
  expect((await waiting.ended).code).toBe(0)
  const [delivery] = jsonLines(Buffer.from(await tabscope('deliveries', 'list', '--json')))
  expect(delivery).toMatchObject({ type: 'ORDER_PLACED', verdict: 'valid' })

  writeFileSync(path.join(home, 'body.json'), '{}')
  const signature = sign(Buffer.from('{}'), 'secret')
  await tabscope('verify', '--secret', 'secret', '--signature', signature, 'body.json')

  await tabscope('export', '-o', 'log.html', '--format', 'html')
  expect(readFileSync(path.join(home, 'log.html'), 'utf8')).toMatch(/^<!doctype html>/i)

  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env }),
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_deliveries')
  await client.close()
})

test('serves the interface for a browser, also as the command start', async () => {
  for (const word of ['serve', 'start']) {
    const args = [word, '--no-open', '--port', '0', '--json', '--ephemeral']
    await using serving = spawnCli(args, options())
    const ready = await until('the interface', () => serving.lines()[0])
    const { ui } = z.object({ ui: z.string() }).parse(ready)
    const page = await (await fetch(ui)).text()
    const script = /<script [^>]*src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await fetch(new URL(script, ui))).headers.get('Content-Type')).toContain('javascript')
    expect(serving.stderr()).toBe('')
  }
})

test('says in one sentence that Node is too old', async () => {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const old = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]
  const program = [process.execPath, ...old, command] as const
  expect(await runSpawnedCli(['listen'], { ...options(), program })).toMatchObject({
    code: 2,
    stderr: 'Tabscope requires Node 22.15 or later, and this is 20.20.2.\n',
  })
})

// Only root may start a process of another user.
test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'works for another user than the one who installed it',
  async () => {
    const nobody = 65_534
    const own = path.join(home, 'nobody')
    mkdirSync(own)
    chownSync(own, nobody, nobody)
    await promisify(execFile)('chmod', ['755', folder.path])
    const args = [command, 'endpoint', 'add', 'bar', '--secret', 'x']
    await promisify(execFile)(process.execPath, args, {
      uid: nobody,
      gid: nobody,
      cwd: own,
      env: { ...env, HOME: own },
      timeout: 30_000,
    })
    expect(existsSync(path.join(own, '.local/share/tabscope/tabscope.db'))).toBe(true)
  },
)

test('with npm run in a checkout, files of the user are relative to their own folder', async () => {
  const run = ['--prefix', root, 'run', '-s', 'tabscope', '--']
  await npm(...run, 'mcp', 'install', 'claude-code', '--yes')
  const configuration: unknown = JSON.parse(
    readFileSync(path.join(folder.path, '.mcp.json'), 'utf8'),
  )
  expect(configuration).toMatchObject({
    mcpServers: { tabscope: { args: [path.join(root, 'src/hosts/node/launch.mjs'), 'mcp'] } },
  })
})
