import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { startReleaseServer, type ReleaseServer } from '../support/updates/release-server.ts'
import { connectControl, type RemoteEngine } from '#hosts/control/client.ts'
import { readHolder } from '#engine/store/lock.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { brokenApp, connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

/** What is started in the place of the AppImage leaves this beside it. */
const NEW_APP = '#!/bin/sh\necho "$APPIMAGE_SILENT_INSTALL" > "$(dirname "$0")/started"\n'

interface Installed {
  readonly app: DoubleApp
  readonly engine: RemoteEngine
  readonly appImage: string
  readonly hook: string
}

/** The built app with the key of `server`, as an AppImage that asks it for releases. */
async function install(
  folder: string,
  server: ReleaseServer,
  key = server.key,
): Promise<Installed> {
  const bundle = path.join(folder, 'app')
  brokenApp(bundle, 'main/electron-main.js', /releaseKeyOf\(""\)/, `releaseKeyOf('${key}')`)
  const resources = path.join(folder, 'resources')
  mkdirSync(resources)
  writeFileSync(
    path.join(resources, 'app-update.yml'),
    `provider: generic\nurl: ${server.url}\nupdaterCacheDirName: tabscope-updater\n`,
  )
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
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
  })
  await connected(await app.window())
  const address = await until('a control socket', () => readHolder(data)?.control ?? null)
  const engine = await connectControl(address)
  return { app, engine, appImage, hook: `http://127.0.0.1:${port}/hooks/sandbox` }
}

describe.runIf(process.platform === 'linux')('updates', () => {
  it('are fetched when they are signed, and installed when nothing is captured or the user says so', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    const { app, engine, appImage, hook } = await install(folder.path, server)
    expect(await engine.call('app.snapshot', {})).toMatchObject({
      updates: { state: 'idle', checkedAt: null },
    })
    server.release('0.1.0', NEW_APP)
    expect(await engine.call('updates.check', {})).toMatchObject({ state: 'idle' })
    await expect(engine.call('updates.download', {})).rejects.toThrow('Check for updates first.')

    server.release('99.0.0', NEW_APP, { forged: true })
    expect(await engine.call('updates.check', {})).toMatchObject({
      state: 'available',
      version: '99.0.0',
      why: 'The signature of this release is not that of Tabscope.',
    })
    await expect(engine.call('updates.download', {})).rejects.toThrow('signature of this release')

    server.release('99.0.1', NEW_APP)
    server.swap(`tabscope-99.0.1-linux-${process.arch}.AppImage`, 'something else')
    expect(await engine.call('updates.check', {})).toMatchObject({ version: '99.0.1', why: null })
    expect(await engine.call('updates.download', {})).toMatchObject({ state: 'failed' })

    server.release('99.0.2', NEW_APP)
    await engine.call('updates.check', {})
    expect(await engine.call('updates.download', {})).toEqual({
      state: 'ready',
      version: '99.0.2',
      waitsFor: null,
    })
    await fetch(hook, { method: 'POST', body: '{}' })
    await until('a reason to wait', async () => {
      const { updates } = await engine.call('app.snapshot', {})
      return updates.state === 'ready' && updates.waitsFor !== null ? updates : null
    })
    await expect(engine.call('updates.install', {})).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('five minutes'),
    })
    expect(readFileSync(appImage, 'utf8')).toBe('the version before')

    // It ends before it could answer.
    await engine.call('updates.install', { now: true }).catch(() => undefined)
    expect(await app.exited).toBe(0)
    expect(readFileSync(appImage, 'utf8')).toBe(NEW_APP)
    await until('the new version', () =>
      existsSync(path.join(folder.path, 'started')) ? true : null,
    )
    // The folder is free for it, and nothing is lost.
    expect(readHolder(path.join(folder.path, 'data'))).toBeNull()
  })

  it('are not asked for by a build that has no key, nor by the sources', async () => {
    using folder = tempDir()
    await using server = await startReleaseServer()
    const { app, engine, appImage } = await install(folder.path, server, '')
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
    const sources = await connectControl(address)
    expect(await sources.call('updates.check', {})).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('sources'),
    })
    await sources.close()
    started.kill('SIGTERM')
    expect(await started.exited).toBe(0)
  })
})
