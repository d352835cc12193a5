import { afterAll, describe, expect, it } from 'vitest'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { connectControl } from '#hosts/control/client.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { openDesktop } from '../support/electron-double/launch.ts'
import { full } from '../support/full.ts'
import { connected, root, tempDir } from './harness.ts'
import { openUnresponsiveServer } from './unresponsive-server.ts'
import { appVersion } from '#test/support/app-version.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

const isPosix = process.platform !== 'win32'

describe('the desktop app', () => {
  it.runIf(full)('starts nothing when it quits before it is ready', async () => {
    using data = tempDir()
    const args = ['--data', data.path, '--port', String(await freePort())]
    const app = desktop.start({ root, args, env: { DOUBLE_QUIT: 'before-ready' } })
    expect(await app.exited).toBe(0)
    expect(app.output()).not.toMatch(/\[window\]|\[menu\]|The engine is open/)
  })

  it.runIf(isPosix)(
    'shuts down on a signal during a job, without a prompt, however often the signal is sent',
    async () => {
      using data = tempDir()
      const port = String(await freePort())
      const app = desktop.start({ root, args: ['--data', data.path, '--port', port] })
      await connected(await app.window())
      const address = await until('a control socket', () => readHolder(data.path)?.control ?? null)
      const engine = await connectControl(address, appVersion)
      const sent = await fetch(`http://127.0.0.1:${port}/hooks/sandbox`, {
        method: 'POST',
        body: '{}',
      })
      expect(sent.status).toBe(200)
      await until('the delivery', () =>
        engine.call('deliveries.get', { id: 1, log: null }).then(
          () => true,
          () => false,
        ),
      )
      await using hanging = await openUnresponsiveServer()
      await engine.call('jobs.start', { ids: [1], url: hanging.url })
      await hanging.asked
      // Main processes messages in order: after this it knows of the job.
      await engine.call('settings.update', { background: true })
      await until('the tray', () => app.output().includes('✓ Keep capturing'))
      await engine.close()

      // Signals from a terminal and a wrapper, while the engine is slow to close.
      app.simulate({ kind: 'signal-engine', signal: 'SIGSTOP' })
      app.kill('SIGTERM')
      app.kill('SIGINT')
      await until('the window to be gone', () => app.output().includes('[window 1] closed'))
      app.kill('SIGINT')
      app.kill('SIGTERM')
      expect(await app.exited).toBe(0)
      expect(app.output()).not.toContain('[message box]')
      expect(app.output()).toContain('The engine did not close in time. Its process is ended.')
    },
  )
})
