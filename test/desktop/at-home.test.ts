import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { freePort } from '#test/support/free-port.ts'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

describe('at home', () => {
  it('works', async () => {
    using data = tempDir()
    const port = await freePort()
    const app = desktop.start({ root, args: ['--data', data.path, '--port', String(port)] })
    const page = await app.window()
    await connected(page)
    app.wish({ kind: 'menu-list', label: 'Delivery' })
    app.wish({ kind: 'menu-list', label: 'File' })
    app.wish({ kind: 'menu-list', label: 'View' })
    app.wish({ kind: 'menu-list', label: 'More' })
    app.wish({ kind: 'key', key: 'CommandOrControl+=' })
    app.wish({ kind: 'blur' })
    await new Promise((r) => setTimeout(r, 500))
    for (let i = 0; i < 3; i++)
      await fetch(`http://127.0.0.1:${port}/hooks/desktop`, { method: 'POST', body: '{}' })
    await new Promise((r) => setTimeout(r, 1500))
    app.wish({ kind: 'tray', label: 'Quit Tabscope' })
    await app.exited
    console.log(app.output())
  })
})
