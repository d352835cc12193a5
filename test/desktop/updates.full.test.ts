import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { startReleaseServer, type ReleaseServer } from '../support/updates/release-server.ts'
import { connectControl, type RemoteEngine } from '#hosts/control/client.ts'
import { readHolder } from '#engine/store/data-folder.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { openUnresponsiveServer } from './unresponsive-server.ts'
import { brokenApp, connected, root, tempDir } from './harness.ts'
import { appVersion } from '#test/support/app-version.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

/** The program that replaces the AppImage writes its arguments to a file next to it. */
const NEW_APP =
  '#!/bin/sh\necho "$@" > "$(dirname "$0")/started.part"\nmv "$(dirname "$0")/started.part" "$(dirname "$0")/started"\n'

interface Installed {
  readonly app: DoubleApp
  readonly engine: RemoteEngine
  readonly appImage: string
  readonly hook: string
}

interface InstallOptions {
  readonly key?: string
  /** Content of the update configuration in the app's folder, besides the URL of its releases. */
  readonly resources?: Readonly<Record<string, string>>
  readonly env?: Record<string, string>
  /** How long after its start it checks for updates; if missing, it does not check during the test. */
  readonly firstMs?: number
}

/** The built app with the key of `server`, as an AppImage that checks it for releases. */
async function install(
  folder: string,
  server: ReleaseServer,
  { key = server.key, resources: beside = {}, env = {}, firstMs = 3e4 }: InstallOptions = {},
): Promise<Installed> {
  const bundle = path.join(folder, 'app')
  brokenApp(bundle, 'main/electron-main.js', /releaseKeyOf\(""\)/, `releaseKeyOf('${key}')`)
  change(
    path.join(bundle, 'out/main/electron-main.js'),
    'FIRST_CHECK_MS = 3e4',
    `FIRST_CHECK_MS = ${firstMs}`,
  )
  // A minute is too long for a test.
  const [updater = ''] = globSync('out/main/updater-*.js', { cwd: bundle })
  change(path.join(bundle, updater), 'IDLE_MS = 6e4', 'IDLE_MS = 2000')
  const resources = path.join(folder, 'mount/resources')
  mkdirSync(resources, { recursive: true })
  const files = {
    'app-update.yml': `provider: generic\nurl: ${server.url}\nupdaterCacheDirName: tabscope-updater\n`,
    ...beside,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(resources, name), text)
  }
  const appImage = path.join(folder, 'tabscope.AppImage')
  writeFileSync(appImage, 'the version before')
  chmodSync(appImage, 0o755)
  const port = String(await freePort())
  const data = path.join(folder, 'data')
  const app = desktop.start({
    root: bundle,
    args: ['--data', data, '--port', port],
    env: {
      DOUBLE_PACKAGED: '1',
      DOUBLE_RESOURCES: resources,
      APPIMAGE: appImage,
      APPDIR: path.join(folder, 'mount'),
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      ...env,
    },
  })
  await connected(await app.window())
  const address = await until('a control socket', () => readHolder(data)?.control ?? null)
  const engine = await connectControl(address, appVersion)
  return { app, engine, appImage, hook: `http://127.0.0.1:${port}/hooks/sandbox` }
}

function change(file: string, found: string, instead: string): void {
  const code = readFileSync(file, 'utf8')
  expect(code).toContain(found)
  writeFileSync(file, code.replace(found, instead))
}

const { version: own } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
const named = (version: string): string => `tabscope-${version}-linux-${process.arch}.AppImage`

function asQuery(name: string): string {
  return `a';touch b;'.AppImage?/${name}`
}

describe.runIf(process.platform === 'linux')('updates', () => {
  it('are downloaded when signed, and installed when nothing is captured or the user agrees', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    // An AppImage is built from the same folder as the deb, and contains its marker.
    const opened = await install(folder.path, server, { resources: { 'package-type': 'deb' } })
    const { app, appImage, hook } = opened
    let { engine } = opened
    const check = async () => engine.call('updates.check', {})
    const download = async () => engine.call('updates.download', {})
    expect(await engine.call('app.snapshot', {})).toMatchObject({
      updates: { state: 'idle', checkedAt: null },
    })
    for (const version of [own, '0.0.1', `${own}-linux`]) {
      server.release(version, NEW_APP)
      expect(await check()).toMatchObject({ state: 'idle' })
    }
    await expect(download()).rejects.toThrow('Check for updates first.')

    server.release('99.0.0', NEW_APP, { forged: true })
    expect(await check()).toMatchObject({
      state: 'available',
      version: '99.0.0',
      why: 'The signature of this release is invalid.',
    })
    await expect(download()).rejects.toThrow('signature of this release')
    // The updater would derive a different name from it than the signed one.
    server.release('99.0.0', NEW_APP, { called: asQuery })
    expect(await check()).toMatchObject({
      state: 'available',
      why: 'This release lists a file with an invalid name.',
    })

    server.release('99.0.1', NEW_APP)
    const silence = {
      state: 'failed',
      message: 'The release server does not respond. Try again later.',
    }
    const channels = ['latest-linux.yml', 'latest-linux-arm64.yml']
    for (const name of channels) server.fail(name, 'hangs')
    expect(await check()).toMatchObject(silence)
    // An earlier request that hangs does not block later ones.
    for (const name of channels) server.fail(name, null)
    server.fail('SHA512SUMS.sig', 'hangs')
    expect(await check()).toMatchObject(silence)
    server.fail('SHA512SUMS.sig', null)

    for (const fault of ['stalls', 'breaks'] as const) {
      expect(await check()).toMatchObject({ state: 'available', version: '99.0.1', why: null })
      server.fail(named('99.0.1'), fault)
      expect(await download()).toMatchObject({ state: 'failed', version: '99.0.1' })
      server.fail(named('99.0.1'), null)
    }
    // The engine ends during the download, which main performs; the next engine receives the result.
    const state = async () => (await engine.call('app.snapshot', {})).updates.state
    server.fail(named('99.0.1'), 'stalls')
    await check()
    const cut = download().catch(() => null)
    await until('a download', async () => ((await state()) === 'downloading' ? true : null))
    app.simulate({ kind: 'crash-engine' })
    expect(await cut).toBeNull()
    engine = await until('the next engine', async () => {
      const { control } = readHolder(path.join(folder.path, 'data')) ?? {}
      return control ? connectControl(control, appVersion).catch(() => null) : null
    })
    await until('its end', async () => ((await state()) === 'failed' ? true : null))
    server.fail(named('99.0.1'), null)
    server.swap(named('99.0.1'), 'something else')
    await check()
    expect(await download()).toMatchObject({ state: 'failed' })

    server.release('99.0.2', NEW_APP)
    await check()
    expect(await download()).toMatchObject({ state: 'ready', version: '99.0.2' })
    // A downloaded update is kept when the server cannot be reached, dropped when it was withdrawn, and replaced by a newer one.
    server.fail('SHA512SUMS', 'breaks')
    expect(await check()).toMatchObject({ state: 'ready', version: '99.0.2' })
    server.fail('SHA512SUMS', null)
    server.release('99.0.3', NEW_APP, { forged: true })
    expect(await check()).toMatchObject({ state: 'ready', version: '99.0.2' })
    server.release(own, NEW_APP)
    expect(await check()).toMatchObject({ state: 'idle' })
    await expect(engine.call('updates.install', {})).rejects.toThrow('no update to install')
    server.release('99.0.2', NEW_APP)
    await check()
    await download()
    server.release('99.0.3', NEW_APP)
    expect(await check()).toMatchObject({ state: 'available', version: '99.0.3', why: null })
    expect(await download()).toEqual({ state: 'ready', version: '99.0.3', waitsFor: null })

    const setup = { provider: 'manual', options: { url: 'https://hooks.example.com' } }
    await engine.call('tunnel.open', { setup, temporary: true })
    await until('a reason to wait', async () => {
      const { updates } = await engine.call('app.snapshot', {})
      return updates.state === 'ready' && updates.waitsFor !== null ? updates : null
    })
    await expect(engine.call('updates.install', {})).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('tunnel is open'),
    })
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')

    // The cache was cleared: nothing is lost, and the app keeps running.
    rmSync(path.join(folder.path, 'cache'), { recursive: true })
    await expect(engine.call('updates.install', { now: true })).rejects.toThrow(
      'The update was not installed. The downloaded file no longer exists.',
    )
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')
    expect((await fetch(hook, { method: 'POST', body: '{}' })).status).toBe(200)
    await check()
    expect(await download()).toMatchObject({ state: 'ready', version: '99.0.3' })

    // Installing during a job does not ask again whether to quit; the app ends before the user could respond.
    await using silent = await openUnresponsiveServer()
    await engine.call('jobs.start', { ids: [1], url: silent.url })
    await silent.asked
    await engine.call('updates.install', { now: true }).catch(() => undefined)
    expect(await app.exited).toBe(0)
    expect(app.output()).not.toContain('[message box]')
    expect(readFileSync(appImage, 'utf8')).toBe(NEW_APP)
    expect(globSync('tabscope.AppImage*', { cwd: folder.path })).toEqual(['tabscope.AppImage'])
    const data = path.join(folder.path, 'data')
    const started = path.join(folder.path, 'started')
    await until('the new version', () => (existsSync(started) ? true : null))
    expect(readFileSync(started, 'utf8')).toBe(`--data ${data}\n`)
    // The folder is released for the new version, and nothing is lost.
    expect(readHolder(data)).toBeNull()
  })

  it('of a package are installed by the system, which may refuse, and leave a started AppImage alone', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    const bin = path.join(folder.path, 'bin')
    mkdirSync(bin)
    const dpkg = (code: number): void =>
      program('dpkg', `echo "$@" >> '${folder.path}/asked'; exit ${code}`)
    function program(name: string, script: string): void {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`)
      chmodSync(path.join(bin, name), 0o755)
    }
    dpkg(1)
    program('apt-get', 'exit 1')
    program(
      'tabscope',
      `echo "$@" > '${folder.path}/part'; mv '${folder.path}/part' '${folder.path}/started'`,
    )
    program('pkexec', '[ "$1" = --disable-internal-agent ] && shift; exec "$@"')
    const { app, engine, appImage, hook } = await install(folder.path, server, {
      resources: { 'package-type': 'deb' },
      // A terminal started from another AppImage passes on its variables.
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        APPDIR: path.join(folder.path, 'other'),
        DOUBLE_PROGRAM: path.join(bin, 'tabscope'),
      },
    })
    const fetched = async () => {
      expect(await engine.call('updates.check', {})).toMatchObject({ state: 'available' })
      return engine.call('updates.download', {})
    }
    server.release('99.0.0', 'a deb', { endings: ['AppImage', 'deb'] })
    expect(await fetched()).toMatchObject({ state: 'ready' })
    await expect(engine.call('updates.install', {})).rejects.toThrow(
      'The update was not installed.',
    )
    expect((await fetch(hook, { method: 'POST', body: '{}' })).status).toBe(200)
    expect(await fetched()).toMatchObject({ state: 'ready' })

    dpkg(0)
    await engine.call('updates.install', { now: true }).catch(() => undefined)
    expect(await app.exited).toBe(0)
    // Not by Electron: a process started by it could not ask for a password at the next update.
    expect(app.output()).not.toContain('[relaunch]')
    const started = path.join(folder.path, 'started')
    await until('the new version', () => (existsSync(started) ? true : null))
    expect(readFileSync(started, 'utf8')).toBe(`--data ${path.join(folder.path, 'data')}\n`)
    expect(readFileSync(path.join(folder.path, 'asked'), 'utf8')).toMatch(
      /^(-i \S+\/tabscope-99\.0\.0-linux-\w+\.deb\n){2}$/,
    )
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')
  })

  it('are checked and downloaded automatically if enabled, and not installed on quit', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    server.release('99.0.0', NEW_APP)
    const { app, engine, appImage } = await install(folder.path, server, { firstMs: 200 })
    const state = async () => (await engine.call('app.snapshot', {})).updates
    // Without a setting, a new version is only reported.
    await until('what is newer', async () => ((await state()).state === 'available' ? true : null))
    expect(server.asked).not.toContain(`/${named('99.0.0')}`)
    await engine.call('settings.update', { updates: 'download' })
    await until('what was fetched', async () => ((await state()).state === 'ready' ? true : null))
    await engine.close()
    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')
  })

  it('are not checked by a build without a key, nor by the sources', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    const { app, engine, appImage } = await install(folder.path, server, { key: '' })
    server.release('99.0.0', NEW_APP)
    expect(await engine.call('updates.check', {})).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('no key'),
    })
    expect(server.asked).toEqual([])
    await engine.close()
    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')

    using data = tempDir()
    const args = ['--data', data.path, '--port', String(await freePort())]
    const started = desktop.start({ root, args })
    await connected(await started.window())
    const address = await until('a control socket', () => readHolder(data.path)?.control ?? null)
    const sources = await connectControl(address, appVersion)
    expect(await sources.call('updates.check', {})).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('source code'),
    })
    await sources.close()
    started.kill('SIGTERM')
    expect(await started.exited).toBe(0)
  })
})
