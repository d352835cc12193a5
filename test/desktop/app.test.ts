import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'

const root = path.resolve(import.meta.dirname, '../..')

let desktop: Desktop
let dataDir: string
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-data-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))

function start(): DoubleApp {
  return desktop.start({ root, args: ['--data', dataDir, '--port', '0'] })
}

async function connected(page: Page): Promise<void> {
  await page
    .getByTestId('connection-state')
    .filter({ hasText: /connected|listening/i })
    .waitFor()
}

describe('the desktop app', () => {
  it('opens a window whose page reaches the engine', async () => {
    const app = start()
    const page = await app.window()
    await connected(page)
    console.log(app.output(), await page.evaluate('window.tabscopeHost'))
    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
    console.log(app.output())
  })
})
