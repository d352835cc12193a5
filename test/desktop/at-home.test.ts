import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHolder } from '#engine/store/data-folder.ts'
import { connectControl, type RemoteEngine } from '#hosts/control/client.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { connected, root, tempDir } from './harness.ts'
import { openSilence } from './silence.ts'
import { appVersion } from '#test/support/app-version.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

/** So long (ms) an app may take that shares its processor with other tests. */
const patience = 30_000

/** What the app writes from here on. */
function listen(app: DoubleApp): { says(text: string): Promise<void>; all(): string } {
  const from = app.output().length
  const all = (): string => app.output().slice(from)
  return {
    all,
    async says(text) {
      await until(`"${text}"`, () => all().includes(text), patience)
    },
  }
}

/** Sends what has no signature to an endpoint that has a secret. */
async function sendUnsigned(port: number, times = 1): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/sandbox`, {
      method: 'POST',
      body: '{"type":"NOT TO BE SHOWN"}',
    })
    expect(answer.status).toBe(200)
  }
}

/** A connection of our own to its engine, whose endpoint has a secret from here on. */
async function join(dataDir: string): Promise<RemoteEngine> {
  const address = await until(
    'a control socket',
    () => readHolder(dataDir)?.control ?? null,
    patience,
  )
  const engine = await connectControl(address, appVersion)
  await engine.call('endpoints.rotateSecret', { id: 1, secret: 'known to nobody' })
  return engine
}

describe('desktop integration', () => {
  it(
    'has a menu, tray, notifications and background mode, and restores its state',
    { timeout: 120_000 },
    async () => {
      using data = tempDir()
      const port = await freePort()
      const args = ['--data', data.path, '--port', String(port)]
      const app = desktop.start({ root, args })
      const start = listen(app)
      const page = await app.window()
      await connected(page)
      const engine = await join(data.path)

      // Menu: what the page can do is enabled, and what is chosen reaches the page.
      await until('the menu to follow', () => {
        app.wish({ kind: 'menu-list', label: 'Delivery' })
        return start.all().includes('| Edit and send E |')
      })
      app.wish({ kind: 'menu', label: 'Delivery/Copy link' })
      await start.says('[menu] disabled: Delivery/Copy link')
      app.wish({ kind: 'menu', label: 'Help/Show keyboard shortcuts' })
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await page.keyboard.press('Escape')
      app.wish({ kind: 'menu', label: 'View/Go to conformance' })
      await until('the page', () => page.evaluate("location.hash === '#/conformance'"))
      app.wish({ kind: 'menu', label: 'View/Go to deliveries' })

      // Zoom, by the key that has no item to be seen, up to the limit.
      app.wish({ kind: 'key', key: 'CommandOrControl+=' })
      app.wish({ kind: 'menu', label: 'View/Larger' })
      await start.says('[window] zoom 1.25')
      await until('the page to be larger', () => page.evaluate('window.innerWidth === 1024'))

      // Tray and notifications: nothing while somebody looks, one at once and one sum when nobody does.
      await start.says(`[tray] tooltip: Tabscope / Listening on http://127.0.0.1:${port}`)
      const told = Promise.withResolvers<void>()
      engine.on('deliveries.arrived', () => told.resolve())
      await sendUnsigned(port)
      await told.promise
      // What main is told later it has heard later: by then it knows of the delivery.
      for (const background of [true, false]) {
        const tray = listen(app)
        await engine.call('settings.update', { background })
        await tray.says(`| ${background ? '✓ ' : ''}Keep capturing in the background |`)
      }
      app.wish({ kind: 'blur' })
      await start.says('[window] left')
      await sendUnsigned(port)
      await start.says('[notification] Missing signature: Delivery 2 to “Sandbox”, at ')
      await sendUnsigned(port, 2)
      await start.says('/ 3 failed verdicts since you last looked')
      await start.says('[badge] 3')
      expect(start.all()).toContain('[tray] icon: attention.png')
      expect(start.all().match(/\[notification\]/g)).toHaveLength(1)
      expect(start.all()).not.toContain('NOT TO BE SHOWN')

      const click = listen(app)
      app.wish({ kind: 'notification', event: 'click' })
      await click.says('[badge] 0')
      await click.says('[tray] icon: listening.png')
      await until('the delivery', () => page.evaluate("location.hash.startsWith('#/deliveries/2')"))

      // Background: chosen in the tray; the window is closed, and what comes is still taken.
      app.wish({ kind: 'tray', label: 'Keep capturing in the background' })
      await click.says('| ✓ Keep capturing in the background |')
      const closing = listen(app)
      app.wish({ kind: 'menu', label: 'File/Close window' })
      await closing.says('[notification] Tabscope keeps capturing in the background')
      await sendUnsigned(port)
      await closing.says('/ 1 failed verdict since you last looked')

      // Back by the menu, with what was asked for, where it was left, as large as it was.
      const opening = desktop.nextPage()
      const back = listen(app)
      app.wish({ kind: 'menu', label: 'View/Find a command, delivery or setting' })
      const second = await opening
      await connected(second)
      await second.getByRole('dialog', { name: /find/i }).waitFor()
      await back.says('[window] zoom 1.25')
      expect(new URL(second.url()).hash).toBe('#/deliveries/2')
      await back.says('[badge] 0')

      // It was said once. Who wants no background any more sees what still runs, and its last window then ends it.
      app.wish({ kind: 'menu', label: 'File/Close window' })
      await back.says('[window 2] closed')
      const third = desktop.nextPage()
      await engine.call('settings.update', { background: false })
      await connected(await third)
      await engine.close()
      app.wish({ kind: 'menu', label: 'File/Close window' })
      expect(await app.exited).toBe(0)
      expect(back.all()).not.toContain('[notification]')
    },
  )

  it('starts in the tray at log-in, is shown by a second start, and installs according to the settings', async () => {
    using data = tempDir()
    const port = await freePort()
    const config = path.join(data.path, 'config')
    const args = ['--data', data.path, '--port', String(port)]
    const env = { DOUBLE_PACKAGED: '1', XDG_CONFIG_HOME: config, DOUBLE_NOTIFICATIONS: 'none' }
    const app = desktop.start({ root, args: [...args, '--hidden'], env })
    const start = listen(app)
    await start.says(`[tray] tooltip: Tabscope / Listening on http://127.0.0.1:${port}`)
    const engine = await join(data.path)
    // Nothing can be told here, and nothing fails for it.
    await sendUnsigned(port)
    await start.says('1 failed verdict since you last looked')
    expect(start.all()).not.toContain('[window]')
    app.wish({ kind: 'tray', label: 'Copy webhook URL' })
    await start.says(`[clipboard] http://127.0.0.1:${port}/hooks/sandbox`)

    const opening = desktop.nextPage()
    const again = desktop.start({ root, args, env })
    expect(await again.exited).toBe(0)
    const page = await opening
    await connected(page)
    await start.says('[badge] 0')

    // Log-in: on Linux a file, elsewhere the system is asked.
    const entry = path.join(config, 'autostart/tabscope.desktop')
    const linux = process.platform === 'linux'
    await engine.call('settings.update', { openAtLogin: true })
    if (linux) {
      await until('the entry', () => existsSync(entry))
      const text = readFileSync(entry, 'utf8')
      expect(text).toContain(`Exec="${process.execPath}" "--hidden" "--data" "${data.path}"`)
    } else {
      await start.says('[login item] {"openAtLogin":true')
    }
    // Switched off by the desktop's own settings, and seen when somebody comes back.
    if (linux) {
      app.wish({ kind: 'blur' })
      await start.says('[window] left')
      appendFileSync(entry, 'Hidden=true\n')
      app.wish({ kind: 'tray-click' })
      await until('the setting', async () => {
        const { settings } = await engine.call('app.snapshot', {})
        return !settings.openAtLogin
      })
      await engine.call('settings.update', { openAtLogin: true })
      await until('the entry', () => !readFileSync(entry, 'utf8').includes('Hidden=true'))
    }
    await engine.call('settings.update', { openAtLogin: false })
    if (linux) await until('no entry', () => !existsSync(entry))
    else await start.says('[login item] {"openAtLogin":false')

    // Where nothing can be notified, the first close says in a box that it goes on.
    await engine.call('settings.update', { background: true })
    await start.says('| ✓ Keep capturing in the background |')
    const closing = listen(app)
    app.wish({ kind: 'menu', label: 'File/Close window' })
    await closing.says('[message box] alone: {"type":"info","title":"Tabscope"')
    const reopening = desktop.nextPage()
    app.wish({ kind: 'answer-box', button: 1 })
    await connected(await reopening)

    // Quitting in the middle of a job is asked about, in one box at a time, and goes on or not as one says.
    await using hanging = await openSilence()
    await engine.call('jobs.start', { ids: [1], url: hanging.url })
    await hanging.asked
    // What main is told later it has heard later: by then it knows of the job.
    const quitting = listen(app)
    app.wish({ kind: 'tray', label: 'Keep capturing in the background' })
    await quitting.says('| Keep capturing in the background |')
    app.wish({ kind: 'tray', label: 'Quit Tabscope' })
    await quitting.says('[message box] over the window: ')
    await quitting.says('A job is sending deliveries.')
    // Who quits again may not see the box: it is shown anew.
    const said = (text: string, times: number) =>
      until(`"${text}" ${times} times`, () => quitting.all().split(text).length === times + 1)
    app.wish({ kind: 'tray', label: 'Quit Tabscope' })
    await said('[message box] over the window: ', 2)
    await said('[message box] answered 1', 1)
    app.wish({ kind: 'answer-box', button: 1 })
    await said('[message box] answered 1', 2)
    expect((await engine.call('app.snapshot', {})).jobs[0]?.state).toBe('running')
    await engine.close()
    // A box over a window in the task bar could not be seen.
    app.wish({ kind: 'minimize-window' })
    app.wish({ kind: 'tray', label: 'Quit Tabscope' })
    await quitting.says('[message box] alone: ')
    app.wish({ kind: 'answer-box', button: 0 })
    expect(await app.exited).toBe(0)
    expect(quitting.all()).not.toContain('[error box]')
  })
})
