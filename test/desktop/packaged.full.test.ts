import { extractAll } from '@electron/asar'
import { Arch, build, Platform } from 'electron-builder'
import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { publicRequest } from '../support/public-request.ts'
import { stubElectron } from '../support/stub-electron.ts'
import { tunnelServer } from '../support/tunnel-server.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { connected, root, tempDir } from './harness.ts'
import { openPageClient, type PageClient } from './page-client.ts'

const folder = tempDir()
const installed = path.join(folder.path, 'dist', unpackedFolder())
const resources = path.join(installed, 'resources')
const app = path.join(resources, 'app.asar')
const data = path.join(folder.path, 'data')
const secret = 'secret of the endpoint'
/** How long to wait for a quick operation on a busy machine, in milliseconds. */
const WAIT_MS = 30_000

let desktop: Desktop
const appImage = path.join(folder.path, 'tabscope.AppImage')
/** Its parts are what the server offers, and what it says of these bytes. */
const release = { bytes: '', described: '' }
const releases = createServer((request, response) => {
  const url = `tabscope-99.0.0-linux-${process.arch}.AppImage`
  const sha512 = createHash('sha512').update(release.described).digest('base64')
  // JSON is YAML.
  const description = JSON.stringify({ version: '99.0.0', files: [{ url, sha512 }] })
  response.end(request.url === `/${url}` ? release.bytes : description)
})

function unpackedFolder(): string {
  return process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`
}

/** Packages the app for this processor as an AppImage and a deb, and replaces the archive with its files. */
async function installPackage(port: number): Promise<void> {
  const stub = path.join(folder.path, 'electron')
  stubElectron(stub)
  const arch = process.arch === 'x64' ? Arch.x64 : Arch.arm64
  await build({
    projectDir: root,
    publish: 'never',
    targets: Platform.LINUX.createTarget(['AppImage', 'deb'], arch),
    config: {
      electronDist: stub,
      directories: { output: path.join(folder.path, 'dist') },
      publish: [{ provider: 'generic', url: `http://127.0.0.1:${port}` }],
    },
    // The folder is complete by then; building the two files would require downloading tools.
    effectiveOptionComputed: () => Promise.resolve(true),
  })
  renameSync(app, path.join(folder.path, 'app.asar'))
  renameSync(`${app}.unpacked`, path.join(folder.path, 'app.asar.unpacked'))
  extractAll(path.join(folder.path, 'app.asar'), app)
}

function stateOfPackage(): string[] {
  return globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`)
    .sort()
}

const home = path.join(folder.path, 'home')

/** Starts it from an unrelated folder, as an AppImage. */
function launch(args: readonly string[]): DoubleApp {
  const cwd = home
  mkdirSync(cwd, { recursive: true })
  // A login shell forgets the PATH of the test.
  writeFileSync(path.join(home, '.profile'), `PATH="${path.dirname(process.execPath)}:$PATH"\n`)
  return desktop.start({
    root: app,
    args,
    env: {
      DOUBLE_PACKAGED: '1',
      DOUBLE_CWD: cwd,
      DOUBLE_RESOURCES: resources,
      APPDIR: installed,
      APPIMAGE: appImage,
      HOME: home,
      SHELL: '/bin/sh',
      XDG_DATA_HOME: path.join(home, 'share'),
      XDG_CACHE_HOME: path.join(folder.path, 'cache'),
      // Nothing may be found in a folder that only this environment names.
      NODE_PATH: '',
    },
  })
}

interface Started {
  readonly running: DoubleApp
  readonly wire: PageClient
  readonly page: Page
}

async function start(port: number): Promise<Started> {
  const running = launch(['--data', data, '--port', String(port)])
  const page = await running.window()
  await connected(page)
  return { running, wire: await openPageClient(page), page }
}

async function quit({ running }: Started): Promise<void> {
  running.simulate({ kind: 'quit' })
  expect(await running.exited).toBe(0)
  expect(running.output()).not.toMatch(
    /ERR_MODULE_NOT_FOUND|Cannot find (module|package)|\[error box\]/,
  )
}

function signed(body: string): { body: string; headers: Record<string, string> } {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { body, headers: { 'content-type': 'application/json', 'x-service-signature': signature } }
}

async function rows(wire: PageClient) {
  return (await wire.call('deliveries.page', { log: null, upTo: null, offset: 0, limit: 50 })).rows
}

describe.runIf(process.platform === 'linux')('what is packaged', () => {
  beforeAll(async () => {
    const port = await freePort()
    releases.listen(port, '127.0.0.1')
    await installPackage(port)
    desktop = await openDesktop()
  })
  afterAll(async () => {
    await desktop.close()
    releases.close()
    releases.closeAllConnections()
    folder[Symbol.dispose]()
  })

  it('contains no path to the checkout that it could load from', () => {
    const files = globSync('**/*.{js,cjs,json,html,css}', { cwd: app })
    expect(files.length).toBeGreaterThan(100)
    for (const file of files)
      expect(readFileSync(path.join(app, file), 'utf8').includes(root), file).toBe(false)
    expect(globSync('**/node_modules/*', { cwd: installed })).toEqual([
      'resources/app.asar/node_modules/better-sqlite3',
    ])
  })

  it('captures, tunnels, authorizes, exports, updates on quit, and keeps everything after a restart', async () => {
    const before = stateOfPackage()
    const port = await freePort()
    const first = await start(port)
    const { wire } = first
    const { integrations } = await wire.call('app.snapshot', {})
    const integration = integrations.find(({ kind }) => kind === 'sandbox')
    const integrationId = integration?.id ?? -1
    await wire.call('endpoints.create', {
      name: 'Packaged',
      integrationId,
      slug: 'packaged',
      secret,
      applicationId: '',
      customHeaders: [],
    })

    const direct = signed('{"type":"DIRECT"}')
    const address = `http://127.0.0.1:${port}/hooks/packaged`
    expect((await fetch(address, { method: 'POST', ...direct })).status).toBe(200)

    await using server = await tunnelServer()
    await wire.call('tunnel.open', {
      setup: { provider: 'localtunnel', options: { host: server.host } },
      temporary: true,
    })
    const tunnel = await until(
      'the tunnel',
      async () => {
        const view = (await wire.call('app.snapshot', {})).tunnel
        return view.state === 'online' ? view : null
      },
      WAIT_MS,
    )
    const through = `${tunnel.url}/hooks/packaged`
    expect((await publicRequest(through, signed('{"type":"TUNNEL_USED"}'))).status).toBe(200)
    await wire.call('tunnel.close', {})
    const captured = await until(
      'both deliveries',
      async () => {
        const found = await rows(wire)
        return found.length === 2 ? found : null
      },
      WAIT_MS,
    )
    expect(captured.map(({ verdict }) => verdict)).toEqual(['valid', 'valid'])

    const next = desktop.nextPage()
    await wire.call('sandboxService.start', {})
    const run = await wire.call('authorization.start', { integrationId, agent: 'window' })
    await (await next).getByRole('button', { name: 'Approve' }).dispatchEvent('click')
    const over = await until(
      'the end of the authorization',
      async () => {
        const read = await wire.call('authorization.run', { id: run.id })
        return read.endedAt === null ? null : read
      },
      WAIT_MS,
    )
    expect(over).toMatchObject({ state: 'succeeded', failure: null })

    for (const format of ['ndjson', 'html']) {
      const file = path.join(folder.path, `export.${format}`)
      const { export: begun } = await wire.call('logs.export', {
        format,
        to: { kind: 'file', path: file },
      })
      const ended = await until(
        'the end of the export',
        async () => {
          const { exports } = await wire.call('logs.list', {})
          return exports.find(({ id, state }) => id === begun.id && state !== 'running')
        },
        WAIT_MS,
      )
      expect(ended).toMatchObject({ state: 'done', deliveries: 2 })
      expect(readFileSync(file, 'utf8')).toContain('TUNNEL_USED')
    }
    const file = path.join(folder.path, 'export.ndjson')
    const { id } = await wire.call('logs.import', { from: { kind: 'path', path: file } })
    expect(await wire.call('logs.imported', { id })).toMatchObject({
      state: 'done',
      deliveries: 2,
    })
    const [newest] = captured
    const { status } = await wire.call('deliveries.resend', { id: newest?.id ?? -1 })
    expect(status).toBe(200)

    writeFileSync(appImage, 'the version before')
    release.described = '#!/bin/sh\n[ "$APPIMAGE_EXIT_AFTER_INSTALL" = true ]\n'
    const available = { state: 'available', version: '99.0.0' }
    expect(await wire.call('updates.check', {})).toEqual(available)
    release.bytes = 'something else'
    expect(await wire.call('updates.download', {})).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('sha512 checksum mismatch'),
    })
    release.bytes = release.described
    expect(await wire.call('updates.check', {})).toEqual(available)
    expect(await wire.call('updates.download', {})).toEqual({ ...available, state: 'ready' })
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')
    const tokens = await wire.call('tokens.list', { integrationId })
    expect(tokens.map(({ id }) => id)).toEqual([over.tokenId])
    const stored = await rows(wire)
    await quit(first)
    expect(readFileSync(appImage, 'utf8')).toBe(release.bytes)

    const second = await start(port)
    expect(await rows(second.wire)).toEqual(stored)
    expect(await second.wire.call('tokens.list', { integrationId })).toEqual(tokens)
    // Sealed by the first start.
    const body = '{"type":"AFTERWARDS"}'
    expect((await fetch(address, { method: 'POST', ...signed(body) })).status).toBe(200)
    await until(
      'the third delivery',
      async () => {
        const [latest, ...others] = await rows(second.wire)
        return others.length === stored.length && latest?.verdict === 'valid'
      },
      WAIT_MS,
    )
    await quit(second)
    // The archive of an installed app is not writable.
    expect(stateOfPackage()).toEqual(before)
  })

  it('passes the self-check that the workflows run on it', async () => {
    const report = path.join(folder.path, 'report')
    const running = launch(['self-check', '--report', report])
    const code = await running.exited
    const lines = readFileSync(path.join(report, 'self-check.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.filter((line) => line.includes('"status":"failed"'))).toEqual([])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ verdict: 'passed', packaged: true })
    expect(code).toBe(0)
    expect(readdirSync(report).sort()).toEqual(['self-check.jsonl', 'tabscope.log', 'window.png'])
  })
})
