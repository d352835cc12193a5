import { execFileSync, spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quoted } from '#engine/platform/posix-quote.ts'
import { generatedFiles } from '#build/reference/files.ts'
import { guidePages } from '#client/addresses/guide.ts'
import { freePort } from '#test/support/free-port.ts'
import { correctSteps, serveHandler, type RunningHandler } from '#test/support/rehearsal/handler.ts'
import { identity } from '#test/support/rehearsal/rehearse.ts'

// The shell blocks of the guide, run as a reader runs them: page by page, in order, in a folder of their own. What follows `sh` says how:
//   sh background       runs until the end of the page; the next block starts when it has printed something
//   sh exits 1          ends with this code instead of 0
//   sh needs jq          is skipped where jq is not installed
//   sh not run: REASON
const root = path.resolve(import.meta.dirname, '../../..')

/** Its output is read. */
type Running = ChildProcessByStdio<null, Readable, Readable>

interface Block {
  readonly name: string
  readonly text: string
  readonly how: string
}

const pages = ['README.md', 'resources/skills/tabscope/SKILL.md']
  .concat(guidePages.map(({ name }) => `resources/docs/${name}.md`))
  // The examples of the reference are checked against the parser by test/unit/hosts/node/definitions.test.ts.
  .filter((file) => !Object.hasOwn(generatedFiles, file))
  .map((file) => ({ file, blocks: blocksOf(file) }))
  .filter(({ blocks }) => blocks.length > 0)

function blocksOf(file: string): Block[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return Array.from(
    text.matchAll(/^(?<indent> *)```sh(?<how>[^\n]*)\n(?<body>[\s\S]*?)^ *```$/gm),
    ({ groups, index }) => ({
      name: `line ${text.slice(0, index).split('\n').length}`,
      how: groups?.['how']?.trim() ?? '',
      text: groups?.['body']?.replaceAll(new RegExp(`^${groups['indent'] ?? ''}`, 'gm'), '') ?? '',
    }),
  )
}

const hasJq = spawnSync('jq', ['--version']).status === 0

/** Ports of the guide, and those that stand for them here. */
const ports = new Map<string, number>()
let folder = ''
let handler: RunningHandler | undefined
let pageFolder = ''
const background: Running[] = []

beforeAll(async () => {
  if (process.platform === 'win32') return
  folder = mkdtempSync(path.join(tmpdir(), 'tabscope-guide-'))
  for (const port of ['4780', '4781', '4790', '8080']) ports.set(port, await freePort())
  handler = await serveHandler({
    async receive(request, response) {
      // The observer of the guide.
      if (request.url === '/orders/count') response.end(String(this.effects))
      else await correctSteps.receive.call(this, request, response)
    },
  })
  ports.set('3000', Number(new URL(handler.url).port))
  mkdirSync(path.join(folder, 'bin'))
  program(
    'tabscope',
    `exec ${quoted(process.execPath)} ${quoted(path.join(root, 'out/main/cli.js'))} "$@"`,
  )
  program(
    'psql',
    // It is run hundreds of times.
    `exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/${ports.get('3000')}; printf "GET /orders/count HTTP/1.0\\r\\n\\r\\n" >&3; tail -n 1 <&3'`,
  )
  // What a reader has at the beginning of each page: deliveries, an endpoint, two rehearsals, files of the examples, and a project with a test.
  const start = path.join(folder, 'start')
  const prepared = run(
    `
    tabscope settings set port 4780
    tabscope endpoint add bar --secret-env HOOK_SECRET
    tabscope endpoint set-secret sandbox --secret-env HOOK_SECRET
    tabscope listen > listen.txt 2>&1 &
    until grep -q Receiving listen.txt; do sleep 0.1; done
    tabscope trigger all
    kill $!
    wait $! || true
    for run in 1 2; do
      tabscope rehearse --to http://127.0.0.1:3000/webhooks --only S1 --secret-env HOOK_SECRET
    done
    tabscope export --format har -o capture.har --no-redact --yes
    printf '%s' '{"type":"ORDER_PLACED","data":{"total":42.5,"items":[{"price":42.5}]}}' > order.json
    printf '%s' '{"scripts":{"test":"tabscope trigger ORDER_PLACED"}}' > package.json
    printf '%s' "curl http://127.0.0.1:3000/hooks -d '{\\"type\\":\\"OPEN_TAB\\",\\"data\\":{\\"total\\":1}}'" > command.txt
    `,
    start,
  )
  expect(await finished(prepared)).toBe(0)
})

afterAll(async () => {
  await handler?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function program(name: string, text: string): void {
  const file = path.join(folder, 'bin', name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}

function run(text: string, cwd: string): Running {
  mkdirSync(path.join(cwd, 'home'), { recursive: true })
  const replaced = text.replaceAll(/\b\d{4}\b/g, (port) => String(ports.get(port) ?? port))
  return spawn('bash', ['-euo', 'pipefail', '-c', replaced], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: path.join(cwd, 'home'),
      XDG_DATA_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
      XDG_STATE_HOME: undefined,
      TABSCOPE_DATA: undefined,
      NO_COLOR: '1',
      HOOK_SECRET: identity.secret,
      WEBHOOK_SECRET: identity.secret,
      HARBOUR_SECRET: identity.accessSecret,
      ACCESS_SECRET: identity.accessSecret,
    },
  })
}

async function finished(child: Running): Promise<number | null> {
  let output = ''
  const hanging = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 100_000)
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code]: unknown[] = await once(child, 'close')
  clearTimeout(hanging)
  // Shown with the failure.
  if (code !== 0) process.stderr.write(output)
  return typeof code === 'number' ? code : null
}

// The blocks are for a POSIX shell.
describe.skipIf(process.platform === 'win32').each(pages)('$file', ({ blocks }) => {
  beforeAll(() => {
    pageFolder = mkdtempSync(path.join(folder, 'page-'))
    execFileSync('cp', ['-a', `${path.join(folder, 'start')}/.`, pageFolder])
  })

  afterAll(async () => {
    for (const child of background.splice(0)) {
      if (child.exitCode !== null || child.pid === undefined) continue
      process.kill(-child.pid, 'SIGTERM')
      if (child.exitCode === null) await once(child, 'close')
    }
  })

  test.for(blocks)('$name $how', async ({ text, how }, { skip }) => {
    skip(how.startsWith('not run: '))
    skip(how === 'needs jq' && !hasJq)
    const child = run(text, pageFolder)
    if (how === 'background') {
      background.push(child)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
      child.stdout.resume()
      child.stderr.resume()
      return
    }
    const code = /exits (?<code>\d)$/.exec(how)?.groups?.['code'] ?? '0'
    expect(how).toMatch(/^(?:exits \d|needs jq|)$/)
    expect(await finished(child)).toBe(Number(code))
  })
})
