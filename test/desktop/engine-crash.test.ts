import { setTimeout as sleep } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockFolder } from '#engine/platform/store/lock.ts'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { logOf } from '#test/support/event-log.ts'
import { freePort } from '#test/support/free-port.ts'
import { isRunning, fakePrograms, fakesRunHere } from '#test/support/tunnel-programs/programs.ts'
import { until } from '#test/support/until.ts'
import { openDesktop } from '../support/electron-double/launch.ts'
import { full } from '../support/full.ts'
import { connected, connectedPage, root, tempDir } from './harness.ts'
import { openPageClient, type PageClient } from './page-client.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

/** Senders that continue whether or not anything is listening, at most 3,000 requests, numbered from `first`. */
function sending(hook: string, first = 0) {
  const answered = new Set<number>()
  let over = false
  const post = async (n: number): Promise<void> => {
    const answer = await fetch(`${hook}?n=${n}`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null)
    if (answer?.status === 200) answered.add(n)
    // A higher rate would not show more, and would slow down the restart.
    await sleep(20)
  }
  const senders = [0, 1].map(async (sender) => {
    for (let n = first + sender; !over && n < first + 3_000; n += 2) await post(n)
  })
  return {
    answered,
    more: async (count: number) => {
      const now = answered.size
      await until(`${count} more answers`, () => answered.size >= now + count)
    },
    stop: async () => {
      over = true
      await Promise.all(senders)
    },
  }
}

it('restarts the engine when it is killed, reports it, and loses no acknowledged delivery', async () => {
  using data = tempDir()
  using files = tempDir()
  const port = await freePort()
  const app = desktop.start({ root, args: ['--data', data.path, '--port', String(port)] })
  const page = await connectedPage(app)
  await page.evaluate(() => Reflect.set(window, 'still', true))
  const { endpoints } = await (await openPageClient(page)).call('app.snapshot', {})
  const hook = `http://127.0.0.1:${port}/hooks/${endpoints[0]?.slug}`
  const senders = sending(hook)
  const filter = page.getByRole('combobox', { name: 'Filter' })
  await filter.fill('method:post')
  await senders.more(50)
  app.simulate({ kind: 'crash-engine' })
  await page.getByText('The engine stopped and was restarted').waitFor()
  await senders.more(50)

  // The second restart is delayed by a second: enough time to see that the engine is gone, and to pass a log that cannot be imported yet.
  app.simulate({ kind: 'crash-engine' })
  await page.getByText('The engine stopped and is restarting.').waitFor()
  // Nothing else is reported while no page is visible.
  await until('the tray', () => app.output().includes('tooltip: Tabscope / Not listening'))
  const log = path.join(files.path, 'meanwhile.tabscope')
  writeFileSync(log, logOf(2))
  app.simulate({ kind: 'open-file', path: log })
  await page.locator('.log-open').getByText('meanwhile.tabscope').waitFor()
  await senders.more(50)
  await senders.stop()

  // The page was not reloaded, and still shows what was open.
  await connected(page)
  expect(await page.evaluate(() => Reflect.get(window, 'still'))).toBe(true)
  await page.goBack()
  await expect.poll(async () => filter.inputValue()).toBe('method:post')

  const wire = await openPageClient(page)
  const kept = await numbersOf(async (name, input) => wire.call(name, input))
  expect([...senders.answered].filter((n) => !kept.has(n))).toEqual([])
  expect(senders.answered.size).toBeGreaterThan(150)

  // The user logs off meanwhile, which signals every process: the engine closes cleanly, and is not restarted.
  const last = sending(hook, 10_000)
  await last.more(50)
  const before = app.output().length
  app.simulate({ kind: 'signal-engine', signal: 'SIGTERM' })
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
  expect(app.output().slice(before)).not.toContain('The engine is open.')
  // Only a closed engine withdraws the announcement that it holds the folder.
  expect(readHolder(data.path)).toBeNull()
  await last.stop()
  await using next = await openTestEngine({ dataDir: data.path, listen: false })
  const { engine } = next
  const left = await numbersOf(async (name, input) => engine.call(name, input))
  expect([...last.answered].filter((n) => !left.has(n))).toEqual([])
  expect(left.size).toBeGreaterThan(200)
})

it.runIf(full && fakesRunHere).each([
  ['its ports close', ''],
  ['Chromium ends its process at once', 'exit'],
])(
  'ends with the main process, including its tunnel program, when main is killed and %s',
  async (_name, loss) => {
    using data = tempDir()
    await using programs = await fakePrograms(['cloudflared'])
    const args = ['--data', data.path, '--port', String(await freePort())]
    const variables = programs.variables()
    const app = desktop.start({
      root,
      args,
      env: { ...variables, PATH: `${variables['PATH']}:/usr/bin:/bin`, DOUBLE_PARENT_LOSS: loss },
    })
    const page = await connectedPage(app)
    const wire = await openPageClient(page)
    await wire.call('tunnel.open', { setup: { provider: 'cloudflared', options: {} } })
    await until('the program', () => programs.running().length === 1)
    const pid = readHolder(data.path)?.pid ?? 0
    expect(isRunning(pid)).toBe(true)

    app.kill('SIGKILL')
    await app.exited
    await until('the engine to be gone', () => !isRunning(pid))
    await until('the program to be gone', () => programs.running().length === 0)
    // Closed cleanly, if possible: then the folder has no holder, not even an announced one.
    expect(readHolder(data.path) === null).toBe(loss === '')
    lockFolder(data.path).release()
  },
)

async function numbersOf(call: PageClient['call']): Promise<Set<number>> {
  const numbers = new Set<number>()
  for (let after = 0; ;) {
    const rows = await call('deliveries.since', { after, limit: 1000 })
    for (const row of rows) numbers.add(Number(row.path.split('?n=')[1]))
    const last = rows.at(-1)
    if (last === undefined) return numbers
    after = last.id
  }
}
