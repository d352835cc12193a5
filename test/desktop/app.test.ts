import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { freePort } from '#test/support/free-port.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

async function start(dataDir: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const app = desktop.start({ root, args: ['--data', dataDir, '--port', String(port)], env })
  return { app }
}

// Only the double can take the keyring away, and show a box that nobody has to dismiss.
describe('the desktop app under the double', () => {
  it.runIf(process.platform === 'linux')('says so when no keyring guards the secrets', async () => {
    using data = tempDir()
    const { app } = await start(data.path, { DOUBLE_KEYRING: 'basic_text' })
    await connected(await app.window())
    expect(app.output()).toContain('No keyring was found')
    // The system shuts down: it waits until the app has ended in order.
    app.wish({ kind: 'shutdown' })
    expect(await app.exited).toBe(0)
  })

  it('refuses a port that is none, in words', async () => {
    using data = tempDir()
    const app = desktop.start({ root, args: ['--data', data.path, '--port', '70000'] })
    expect(await app.exited).toBe(1)
    expect(app.output()).toContain('--port needs a number from 0 to 65535.')
  })
})
