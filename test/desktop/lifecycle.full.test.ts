import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { lockFolder } from '#engine/platform/store/lock.ts'
import { freePort } from '#test/support/free-port.ts'
import { openDesktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { connected, connectedPage, root, tempDir } from './harness.ts'
import { openPageClient } from './page-client.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

const started = (args: readonly string[], env: Record<string, string> = {}): DoubleApp =>
  desktop.start({ root, args, env })

/** The output of the app from here on. */
function from(app: DoubleApp): () => string {
  const before = app.output().length
  return () => app.output().slice(before)
}

const hashOf = (page: Page): string => new URL(page.url()).hash

it('handles links, sleep, a page crash and its log', async () => {
  using data = tempDir()
  const args = ['--data', data.path, '--port', String(await freePort())]

  // macOS passes a link before the app is ready.
  const app = started(args, { DOUBLE_OPEN_URL: 'tabscope://log/7' })
  const page = await connectedPage(app)
  expect(hashOf(page)).toBe('#/logs/7')

  // A link navigates within the page and does not reload it, so what is open stays.
  await page.evaluate(() => Reflect.set(window, 'still', true))
  let written = from(app)
  app.simulate({ kind: 'minimize-window' })
  expect(await started([...args, '--', 'tabscope://delivery/12']).exited).toBe(0)
  await expect.poll(() => hashOf(page)).toBe('#/deliveries/12')
  expect(written()).toMatch(/\[window\] restored\n[^]*\[window\] shown\n[^]*\[window\] focused/)
  // The environment names the same data folder.
  const named = started(['--', 'tabscope://delivery/13'], { TABSCOPE_DATA: data.path })
  expect(await named.exited).toBe(0)
  await expect.poll(() => hashOf(page)).toBe('#/deliveries/13')
  app.simulate({ kind: 'open-url', url: 'tabscope://log/3/delivery/4' })
  await expect.poll(() => hashOf(page)).toBe('#/logs/3/deliveries/4')

  expect(await page.evaluate(() => Reflect.get(window, 'still'))).toBe(true)

  written = from(app)
  app.simulate({ kind: 'suspend' })
  app.simulate({ kind: 'resume' })
  await expect.poll(written).toContain('The computer woke up.')
  await expect.poll(written).toContain('The computer was asleep for')

  // Log file: shown in the system's file manager.
  const wire = await openPageClient(page)
  const { logFile } = await wire.call('app.about', {})
  expect(logFile).toBe(path.join(data.path, 'tabscope.log'))
  expect(await wire.call('app.showLogs', {})).toEqual({ shown: true })
  expect(app.output()).toContain(`[file manager] ${logFile}`)
  expect(readFileSync(logFile, 'utf8')).toContain('The computer woke up.')

  // The page's process ends: the page is reloaded at its address, and says so.
  let next = desktop.nextPage()
  written = from(app)
  app.simulate({ kind: 'crash-renderer' })
  // A menu command chosen meanwhile is run by the reloaded page.
  await expect.poll(written).toContain("The page's process ended")
  app.simulate({ kind: 'menu', label: 'Help/Show keyboard shortcuts' })
  const again = await next
  await connected(again)
  await again.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await again.keyboard.press('Escape')
  await again.getByText('The window stopped and was restarted.').waitFor()
  expect(hashOf(again)).toBe('#/logs/3/deliveries/4')
  expect(new URL(again.url()).search).toBe('')

  // The page is not responding: the user is asked once, and the box closes when it responds.
  written = from(app)
  app.simulate({ kind: 'unresponsive' })
  app.simulate({ kind: 'unresponsive' })
  await expect.poll(written).toContain('[message box] over the window:')
  app.simulate({ kind: 'responsive' })
  await expect.poll(written).toContain('[message box] answered 0')
  expect(written().match(/\[message box\] over the window/g)).toHaveLength(1)
  // The user waits, but the page does not respond to the next action: the user is asked again, and reloads.
  written = from(app)
  app.simulate({ kind: 'unresponsive' })
  app.simulate({ kind: 'answer-box', button: 0 })
  await expect.poll(written).toContain('[message box] answered 0')
  next = desktop.nextPage()
  app.simulate({ kind: 'unresponsive' })
  await expect.poll(() => written().match(/\[message box\] over the window/g)?.length).toBe(2)
  app.simulate({ kind: 'answer-box', button: 1 })
  await connected(await next)
  // The system ends the page while the box is open: a late response must not end the reloaded page.
  written = from(app)
  next = desktop.nextPage()
  app.simulate({ kind: 'unresponsive' })
  await expect.poll(written).toContain('[message box] over the window')
  app.simulate({ kind: 'crash-renderer' })
  const third = await next
  await connected(third)
  expect(written()).toContain('[message box] answered 0')

  // An engine that keeps ending is not restarted forever: the user is asked, and not over a hidden window.
  app.simulate({ kind: 'minimize-window' })
  written = from(app)
  for (const nth of [1, 2, 3, 4]) {
    app.simulate({ kind: 'crash-engine' })
    if (nth < 4) {
      await expect
        .poll(() => written().split('The engine is open.').length, { timeout: 60_000 })
        .toBe(nth + 1)
    }
  }
  await expect.poll(written).toContain('The engine stopped several times within a minute.')
  expect(written()).toContain('[message box] alone')
  app.simulate({ kind: 'restore-window' })
  expect(written()).toContain(
    JSON.stringify(`

Log file: ${logFile}`).slice(1, -1),
  )
  await third.getByText('is restarting').waitFor()
  const shown = from(app)
  app.simulate({ kind: 'answer-box', button: 1 })
  await expect.poll(shown).toMatch(/\[file manager\] [^]*\[message box\] over the window/)
  app.simulate({ kind: 'answer-box', button: 0 })
  await connected(third)

  app.simulate({ kind: 'move-window', x: 300, y: 100, width: 1100, height: 700 })
  app.simulate({ kind: 'maximize-window' })
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
  const kept = path.join(data.path, 'interface', 'window.json')
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({
    x: 300,
    y: 100,
    width: 1100,
    height: 700,
    maximized: true,
    fullScreen: false,
  })
})

it('shows what to do when the engine cannot open its data, and starts it on request', async () => {
  using data = tempDir()
  const lockFile = path.join(data.path, 'lock.db')
  writeFileSync(lockFile, 'damaged '.repeat(1_000))
  const args = ['--data', data.path, '--port', String(await freePort())]
  const app = started(args)
  const page = await app.window()
  await expect.poll(() => app.output(), { timeout: 60_000 }).toContain('[message box] ')
  expect(app.output()).toContain(
    `${lockFile} is damaged. It contains no data. Close all instances of Tabscope`,
  )
  expect(app.output()).toContain('Nothing in the data folder was changed.')

  // The advice was followed, but meanwhile another process holds the folder.
  rmSync(lockFile)
  const lock = lockFolder(data.path)
  app.simulate({ kind: 'answer-box', button: 0 })
  await expect.poll(() => app.output().split('[message box] ').length).toBe(4)
  expect(app.output()).toContain(`Another Tabscope (process ${process.pid}) is using`)
  await page
    .getByText('Connecting to Tabscope')
    .or(page.getByText('is not running yet'))
    .first()
    .waitFor()
  lock.release()
  app.simulate({ kind: 'answer-box', button: 0 })
  await connected(page)
  expect(app.output().match(/\[message box\] (over|alone)/g)).toHaveLength(2)

  app.simulate({ kind: 'quit' })
  expect(await app.exited).toBe(0)
  expect(desktop.pages().filter((one) => one.url().includes('tabscope.invalid'))).toEqual([])
})
