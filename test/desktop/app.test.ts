import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDesktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { full } from '../support/full.ts'
import { logOf } from '#test/support/event-log.ts'
import { freePort } from '#test/support/free-port.ts'
import { brokenApp, connected, connectedPage, root, tempDir } from './harness.ts'
import { openPageClient } from './page-client.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

async function quit(app: DoubleApp): Promise<void> {
  app.simulate({ kind: 'quit' })
  expect(await app.exited).toBe(0)
}

async function refused(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const app = desktop.start({ root, args, env })
  expect(await app.exited).toBe(1)
  return app.output()
}

// Only the double can remove the keyring, and show a box that does not have to be closed by hand.
describe('the desktop app under the double', () => {
  it.runIf(full && process.platform === 'linux')(
    'runs without a keyring and without a log, and reports it',
    async () => {
      using home = tempDir()
      writeFileSync(path.join(home.path, 'state'), '')
      const app = desktop.start({
        root,
        args: ['--port', String(await freePort())],
        env: {
          DOUBLE_KEYRING: 'basic_text',
          HOME: home.path,
          XDG_DATA_HOME: path.join(home.path, 'share'),
          XDG_STATE_HOME: path.join(home.path, 'state'),
        },
      })
      const page = await connectedPage(app)
      await expect.poll(() => app.output()).toContain('No keyring was found, or it stayed locked')
      const wire = await openPageClient(page)
      await expect(wire.call('app.showLogs', {})).rejects.toThrow('There is no log file:')
      expect(app.output()).not.toContain('[file manager]')
      // The system shuts down, and waits until the app has ended cleanly.
      app.simulate({ kind: 'shutdown' })
      expect(await app.exited).toBe(0)
    },
  )

  it.runIf(full)(
    'shows its window while the keyring is locked, and loads stored secrets once it is unlocked',
    async () => {
      using data = tempDir()
      const args = ['--data', data.path, '--port', String(await freePort())]
      const first = desktop.start({ root, args })
      const before = await openPageClient(await connectedPage(first))
      await before.call('endpoints.rotateSecret', { id: 1, secret: 'kept by a keyring' })
      await quit(first)
      // The name of the synchronous backend is irrelevant.
      expect(first.output()).not.toContain('No keyring was found')

      const app = desktop.start({ root, args, env: { DOUBLE_KEYRING: 'locked' } })
      const page = await connectedPage(app)
      await page.getByText('Your system’s keyring is locked.').waitFor()
      const wire = await openPageClient(page)
      await expect(
        wire.call('endpoints.rotateSecret', { id: 1, secret: 'another' }),
      ).rejects.toThrow("The system's keyring is locked. Unlock it, then try again.")
      app.simulate({ kind: 'unlock-keyring' })
      await page.getByText('Your system’s keyring is locked.').waitFor({ state: 'detached' })
      expect(await wire.call('endpoints.revealSecret', { id: 1, which: 'current' })).toEqual({
        secret: 'kept by a keyring',
      })
      await quit(app)
    },
  )

  it.runIf(full)('keeps every address visible when no browser can be opened', async () => {
    using data = tempDir()
    const args = ['--data', data.path, '--port', String(await freePort())]
    const app = desktop.start({ root, args, env: { DOUBLE_BROWSER: 'none' } })
    const page = await connectedPage(app)
    const wire = await openPageClient(page)
    await wire.call('sandboxService.start', {})
    await page.evaluate("location.hash = '#/authorization'")
    await page.getByRole('button', { name: 'Use my browser' }).click()
    const waiting = page.getByRole('region', { name: 'Waiting' })
    await waiting.getByText('Open the address, then approve or deny').waitFor()
    await waiting.getByText('/manager/oauth?').waitFor()
    await waiting.getByRole('button', { name: 'Copy address' }).waitFor()
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await quit(app)
  })

  it('asks the system for the proxy of a target, from the thread that sends', async () => {
    using data = tempDir()
    const args = ['--data', data.path, '--port', String(await freePort())]
    const none = { HTTPS_PROXY: '', https_proxy: '', ALL_PROXY: '', all_proxy: '' }
    const env = { ...none, DOUBLE_PROXY: 'PROXY 127.0.0.1:9;DIRECT' }
    const app = desktop.start({ root, args, env })
    const wire = await openPageClient(await connectedPage(app))
    const url = 'https://no-such-name.invalid/'
    // Only the proxy can look up the name.
    expect(await wire.call('targets.resolve', { url })).toMatchObject({ location: 'public' })
    await wire.call('settings.update', { proxy: 'none' })
    expect(await wire.call('targets.resolve', { url })).toMatchObject({ location: 'unresolved' })
    await quit(app)
  })

  // Elsewhere the default folder cannot be set by the environment.
  it.runIf(process.platform === 'linux')(
    'uses the services of the system, and is one app however its default folder is spelled',
    async () => {
      using home = tempDir()
      const share = path.join(home.path, 'share')
      const folder = path.join(share, 'tabscope')
      const link = path.join(home.path, 'link')
      mkdirSync(folder, { recursive: true })
      symlinkSync(folder, link, 'junction')
      const log = path.join(home.path, 'one.tabscope')
      writeFileSync(log, logOf(1))
      const env = { HOME: home.path, XDG_DATA_HOME: share, XDG_STATE_HOME: home.path }
      const port = ['--port', String(await freePort())]
      const app = desktop.start({ root, args: [...port, log], env })
      const page = await connectedPage(app)
      expect(app.output()).toContain(
        `[crash reports] ${path.join(home.path, 'tabscope/crashes')}\n`,
      )
      await expect.poll(() => app.output()).toContain(`[recent] ${log}`)
      expect(app.output()).toContain('[window 1] icon: 256x256.png\n')
      expect(app.output()).not.toContain('[gpu] off')
      const second = desktop.start({ root, args: [...port, '--data', link + path.sep], env })
      expect(await second.exited).toBe(0)

      const wire = await openPageClient(page)
      const options = { host: `http://127.0.0.1:${await freePort()}` }
      const setup = { provider: 'localtunnel', options }
      await wire.call('tunnel.open', { setup, temporary: true })
      await expect.poll(() => app.output()).toContain('[power save] prevent-app-suspension')
      await wire.call('settings.update', { preventSleep: false, hardwareAcceleration: false })
      await expect.poll(() => app.output()).toContain('[power save] allowed')
      // While an import runs, quitting asks first.
      const imports = async () => (await wire.call('app.snapshot', {})).logs.imports
      await expect
        .poll(async () => (await imports()).map(({ state }) => state))
        .not.toContain('running')
      await quit(app)

      const next = desktop.start({ root, args: port, env })
      await connectedPage(next)
      expect(next.output()).toContain('[gpu] off')
      await quit(next)
    },
  )

  it.runIf(full)(
    'rejects an invalid port and a folder that is not writable, with a message',
    async () => {
      using data = tempDir()
      writeFileSync(path.join(data.path, 'a file'), '')
      expect(await refused(['--data', data.path, '--port', '70000'])).toContain(
        '[error box] Tabscope could not start: --port requires a number from 0 to 65535.',
      )
      // Electron would assume that another Tabscope uses the folder, and end silently.
      const below = path.join(data.path, 'a file', 'below')
      expect(await refused(['--data', below])).toContain(
        `The folder ${path.join(below, 'interface')} is not writable (ENOTDIR). A part of its path is a file`,
      )
    },
  )

  it.runIf(full && process.platform !== 'win32')(
    'reports that the data folder does not support symbolic links, or that there is no temporary folder',
    async () => {
      using data = tempDir()
      const folder = path.join(data.path, 'interface')
      expect(await refused(['--data', data.path], { DOUBLE_NO_SYMLINKS: folder })).toContain(
        `The folder ${folder} is on a file system without symbolic links`,
      )
      const nowhere = path.join(data.path, 'a file')
      writeFileSync(nowhere, '')
      expect(await refused(['--data', data.path], { TMPDIR: nowhere })).toContain(
        `The folder ${nowhere} is not writable (EEXIST). It is a file, not a folder. Set TMPDIR`,
      )
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it.each([
    { ozone: 'x11', does: 'asks' } as const,
    // On Wayland, a hidden window does not paint.
    ...(full ? [{ ozone: 'wayland', does: 'ends' } as const] : []),
  ])(
    'shows its window once on $ozone, and shuts down cleanly when its launcher $does',
    async ({ ozone, does }) => {
      using data = tempDir()
      const args = ['--data', data.path, '--port', String(await freePort())]
      const app = desktop.start({ root, args, env: { DOUBLE_OZONE: ozone }, channel: true })
      await connected(await app.window())
      await expect.poll(() => app.output()).toContain('[window] shown')
      app.launcher(does)
      expect(await app.exited).toBe(0)
      expect(app.output()).toContain('[window 1] closed')
      expect(app.output().match(/\[window\] shown/g)).toHaveLength(1)
    },
  )

  it.runIf(full)(
    'keeps what the engine writes during shutdown, and shuts down while its page still loads',
    async () => {
      using data = tempDir()
      using broken = tempDir()
      brokenApp(broken.path, 'main/engine-process.js', /^/, 'console.error("last words");')
      const port = String(await freePort())
      const app = desktop.start({ root: broken.path, args: ['--data', data.path, '--port', port] })
      await expect.poll(() => app.output()).toContain('Tabscope / Starting')
      app.kill('SIGTERM')
      expect(await app.exited).toBe(0)
      expect(app.output()).not.toContain('[error box]')
      expect(readFileSync(path.join(data.path, 'tabscope.log'), 'utf8')).toContain(
        'The engine process wrote: last words',
      )
    },
  )
})
