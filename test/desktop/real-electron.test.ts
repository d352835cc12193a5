import { _electron } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { electronBinary } from '../../src/hosts/node/electron-binary.mjs'
import { freePort } from '#test/support/free-port.ts'
import { connected, root, tempDir } from './harness.ts'

const binary = electronBinary(root)
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

if (binary === undefined) {
  console.log("Skipped: Electron's binary is not here (`npx install-electron` fetches it).")
} else if (!hasDisplay) {
  console.log('Skipped: there is no display for Electron.')
}

describe.skipIf(binary === undefined || !hasDisplay)('the desktop app in Electron itself', () => {
  it('shows a delivery as it arrives and closes cleanly', async () => {
    using data = tempDir()
    const port = await freePort()
    const app = await _electron.launch({
      executablePath: binary ?? '',
      args: [root, '--data', data.path, '--port', String(port)],
    })
    const page = await app.firstWindow()
    await connected(page)
    expect(page.url()).toBe('app://tabscope/index.html')
    expect(await page.evaluate('window.tabscopeHost')).toBe('electron')
    expect(await page.evaluate('[typeof require, typeof process]')).toEqual([
      'undefined',
      'undefined',
    ])

    await fetch(`http://127.0.0.1:${port}/hooks/desktop`, { method: 'POST', body: '{}' })
    await page.getByTestId('delivery-row').first().waitFor()

    await page.reload()
    await connected(page)
    await app.close()
  })
})
