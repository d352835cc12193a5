import { afterAll, describe, expect, it } from 'vitest'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { connectControl, type RemoteEngine } from '#hosts/control/client.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { openDesktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { connected, connectedPage, root, tempDir } from './harness.ts'
import { openUnresponsiveServer } from './unresponsive-server.ts'
import { appVersion } from '#test/support/app-version.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

/** Time limit for an app that shares its processor with other tests, in milliseconds. */
const timeout = 30_000

/** The output of the app from here on. */
function listen(app: DoubleApp): { says(text: string): Promise<void>; all(): string } {
  const from = app.output().length
  const all = (): string => app.output().slice(from)
  return {
    all,
    async says(text) {
      await until(`"${text}"`, () => all().includes(text), timeout)
    },
  }
}

async function sendUnsigned(port: number, times = 1): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/sandbox`, {
      method: 'POST',
      body: '{"type":"NOT TO BE SHOWN"}',
    })
    expect(answer.status).toBe(200)
  }
}

/** A separate connection to the engine, whose endpoint gets a secret. */
async function join(dataDir: string): Promise<RemoteEngine> {
  const address = await until(
    'a control socket',
    () => readHolder(dataDir)?.control ?? null,
    timeout,
  )
  const engine = await connectControl(address, appVersion)
  await engine.call('endpoints.rotateSecret', { id: 1, secret: 'known to nobody' })
  return engine
}

describe('desktop integration', () => {
  it('has a menu, tray, notifications and background mode, and restores its state', async () => {
    using data = tempDir()
    const port = await freePort()
    const args = ['--data', data.path, '--port', String(port)]
    const app = desktop.start({ root, args })
    const start = listen(app)
    const page = await connectedPage(app)
    const engine = await join(data.path)

    // Menu: commands that the page can run are enabled, and a selected one reaches the page.
    await until('the menu to follow', () => {
      app.simulate({ kind: 'menu-list', label: 'Delivery' })
      return start.all().includes('| Edit and send E |')
    })
    app.simulate({ kind: 'menu', label: 'Delivery/Copy link' })
    await start.says('[menu] disabled: Delivery/Copy link')
    app.simulate({ kind: 'menu', label: 'Help/Show keyboard shortcuts' })
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    app.simulate({ kind: 'menu', label: 'View/Go to differences from the documentation' })
    await until('the page', () => page.evaluate("location.hash === '#/health/differences'"))
    app.simulate({ kind: 'menu', label: 'View/Go to deliveries' })

    // Tray and notifications: none while the user looks; otherwise one immediately and then a summary.
    await start.says(`[tray] tooltip: Tabscope / Listening on http://127.0.0.1:${port}`)
    const reported = Promise.withResolvers<void>()
    engine.on('deliveries.arrived', () => reported.resolve())
    await sendUnsigned(port)
    await reported.promise
    // Main processes messages in order: after this it knows of the delivery.
    for (const background of [true, false]) {
      const tray = listen(app)
      await engine.call('settings.update', { background })
      await tray.says(`| ${background ? '✓ ' : ''}Keep capturing in the background |`)
    }
    // Nothing has touched the system's notifications yet.
    expect(app.output()).not.toContain('[notifications]')
    app.simulate({ kind: 'blur' })
    await start.says('[window] left')
    await sendUnsigned(port)
    await start.says('[notifications] presenter for dev.tabscope.desktop.checkout')
    await start.says('[notification] Missing signature: Delivery 2 to “Samples”, at ')
    await sendUnsigned(port, 2)
    await start.says('/ 3 failed verdicts since you last looked')
    await start.says('[badge] 3')
    expect(start.all()).toContain('[tray] icon: attention.png')
    expect(start.all().match(/\[notification\]/g)).toHaveLength(1)
    expect(start.all()).not.toContain('NOT TO BE SHOWN')

    const click = listen(app)
    app.simulate({ kind: 'notification', event: 'click' })
    await click.says('[badge] 0')
    await click.says('[tray] icon: listening.png')
    await until('the delivery', () => page.evaluate("location.hash.startsWith('#/deliveries/2')"))

    // Background mode: turned on in the tray; the window is closed, and deliveries are still received.
    app.simulate({ kind: 'tray', label: 'Keep capturing in the background' })
    await click.says('| ✓ Keep capturing in the background |')
    const closing = listen(app)
    app.simulate({ kind: 'menu', label: 'File/Close window' })
    await closing.says('[notification] Tabscope keeps capturing in the background')
    await sendUnsigned(port)
    await closing.says('/ 1 failed verdict since you last looked')

    // The menu shows the window again, runs the requested command, and restores the page.
    const opening = desktop.nextPage()
    const back = listen(app)
    app.simulate({ kind: 'menu', label: 'View/Find a command, delivery or setting' })
    const second = await opening
    await connected(second)
    await second.getByRole('dialog', { name: /find/i }).waitFor()
    expect(new URL(second.url()).hash).toBe('#/deliveries/2')
    await back.says('[badge] 0')

    // The notice was shown once. Turning off background mode shows the window, and closing the last window then ends the app.
    app.simulate({ kind: 'menu', label: 'File/Close window' })
    await back.says('[window 2] closed')
    const third = desktop.nextPage()
    await engine.call('settings.update', { background: false })
    await connected(await third)
    await engine.close()
    app.simulate({ kind: 'menu', label: 'File/Close window' })
    expect(await app.exited).toBe(0)
    expect(back.all()).not.toContain('[notification]')
  })

  it('starts in the tray, is shown by a second start, and asks before it quits during a job', async () => {
    using data = tempDir()
    const port = await freePort()
    const args = ['--data', data.path, '--port', String(port)]
    const env = { DOUBLE_PACKAGED: '1', DOUBLE_NOTIFICATIONS: 'fail' }
    const app = desktop.start({ root, args: [...args, '--hidden'], env })
    const start = listen(app)
    await start.says(`[tray] tooltip: Tabscope / Listening on http://127.0.0.1:${port}`)
    const engine = await join(data.path)
    // Notifications are not allowed here, and nothing else fails.
    await sendUnsigned(port)
    await start.says('1 failed verdict since you last looked')
    expect(start.all()).not.toContain('[window]')
    app.simulate({ kind: 'tray', label: 'Copy webhook URL' })
    await start.says(`[clipboard] http://127.0.0.1:${port}/hooks/sandbox`)

    const opening = desktop.nextPage()
    const again = desktop.start({ root, args, env })
    expect(await again.exited).toBe(0)
    const page = await opening
    await connected(page)
    await start.says('[badge] 0')

    // Closing the window leaves it in the tray.
    await engine.call('settings.update', { background: true })
    await start.says('| ✓ Keep capturing in the background |')
    const closing = listen(app)
    app.simulate({ kind: 'menu', label: 'File/Close window' })
    await closing.says('keeps capturing in the background')
    const reopening = desktop.nextPage()
    app.simulate({ kind: 'tray-click' })
    await connected(await reopening)

    // Quitting during a job asks in one box at a time, and quits or stays as the user chooses.
    await using hanging = await openUnresponsiveServer()
    await engine.call('jobs.start', { ids: [1], url: hanging.url })
    await hanging.asked
    // Main processes messages in order: after this it knows of the job.
    const quitting = listen(app)
    app.simulate({ kind: 'tray', label: 'Keep capturing in the background' })
    await quitting.says('| Keep capturing in the background |')
    app.simulate({ kind: 'tray', label: 'Quit Tabscope' })
    await quitting.says('[message box] over the window: ')
    await quitting.says('A job is sending deliveries.')
    // A second quit shows the box again, since the first may be hidden.
    const said = (text: string, times: number) =>
      until(`"${text}" ${times} times`, () => quitting.all().split(text).length === times + 1)
    app.simulate({ kind: 'tray', label: 'Quit Tabscope' })
    await said('[message box] over the window: ', 2)
    await said('[message box] answered 1', 1)
    app.simulate({ kind: 'answer-box', button: 1 })
    await said('[message box] answered 1', 2)
    expect((await engine.call('app.snapshot', {})).jobs[0]?.state).toBe('running')
    await engine.close()
    // A box over a minimized window would not be visible.
    app.simulate({ kind: 'minimize-window' })
    app.simulate({ kind: 'tray', label: 'Quit Tabscope' })
    await quitting.says('[message box] alone: ')
    app.simulate({ kind: 'answer-box', button: 0 })
    expect(await app.exited).toBe(0)
    expect(quitting.all()).not.toContain('[error box]')
  })
})
