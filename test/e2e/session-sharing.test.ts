import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { browser, closeBrowser } from '../support/product.ts'
import { startCli, type RunningCli } from '../support/run-cli.ts'
import { fakeBrowser } from '../support/fake-browser.ts'
import { ownedFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

afterAll(closeBrowser)

// `xdg-open` exists only on Linux. On other systems the command that opens an address cannot be replaced.
it.runIf(process.platform === 'linux')(
  'the link opened in the browser connects, also after a reload; using the link again reports that it was used',
  async () => {
    await using folder = ownedFolder()
    const fake = fakeBrowser(folder.path)
    const args = ['serve', '--port', '0', '--ui-port', '0', '--json', '--data', folder.path]
    await using _tab = startCli(args, { env: { PATH: fake.PATH } })
    const address = await fake.opened()
    const context = await (await browser()).newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(address)
    const first = page.getByRole('heading', { name: 'No deliveries yet' })
    await first.waitFor()
    expect(page.url()).not.toContain('ticket')
    await page.reload()
    await first.waitFor()

    const elsewhere = await (await browser()).newContext()
    const other = await elsewhere.newPage()
    await other.goto(address)
    await other.getByText('This link has expired or was already used.').waitFor()
    expect(await other.getByText('Connecting to Tabscope').count()).toBe(0)
    expect(other.url()).not.toContain('ticket')
    expect(faults).toEqual([])
    await elsewhere.close()
    await context.close()
  },
)

const serve = (data: string, uiPort: string): string[] =>
  `serve --port 0 --ui-port ${uiPort} --json --data`.split(' ').concat(data)

const started = async (tab: RunningCli): Promise<URL> =>
  new URL(String((await until('the first line', () => tab.lines()[0]))['ui']))

const firstRun = (page: Page) => page.getByRole('heading', { name: 'No deliveries yet' })

it('a tab opened from a link or by address shares the session of the other tab; another browser does not', async () => {
  await using folder = ownedFolder()
  await using tab = startCli([...serve(folder.path, '0'), '--no-open'])
  const address = await started(tab)
  const context = await (await browser()).newContext()
  const page = await context.newPage()
  await page.goto(address.href)
  await firstRun(page).waitFor()
  const link = page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Settings' })
  // Playwright does not always report a tab that the browser opens itself, so the page opens it unless the app has prevented the click.
  await page.evaluate(() =>
    window.addEventListener('click', (event) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return
      event.preventDefault()
      window.open(event.target.closest('a')?.href, '_blank', 'noopener')
    }),
  )
  const opened = context.waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  const second = await opened
  await second.getByRole('heading', { name: 'Settings' }).waitFor()
  const third = await context.newPage()
  await third.goto(`${address.origin}/#/deliveries`)
  await firstRun(third).waitFor()
  for (const each of [page, second, third]) expect(each.url()).not.toMatch(/token|ticket/)

  const elsewhere = await (await browser()).newContext()
  const other = await elsewhere.newPage()
  await other.goto(`${address.origin}/#/deliveries`)
  await other.getByText('This page has no session.').waitFor()
  expect(await other.getByText('Not connected to Tabscope.').count()).toBe(0)
  // If no browser can be opened, the link is only in the terminal.
  await other.getByRole('button', { name: 'Get a new link' }).click()
  await other.getByText('A new link was printed in the terminal.').waitFor()
  const printed = await until('the link', () => tab.lines().find(({ event }) => event === 'link'))
  await other.goto(String(printed['ui']))
  await firstRun(other).waitFor()
  await elsewhere.close()
  await context.close()
})

/** Two tabs of a server that has ended: the first by its link, the other by its address. */
async function endedServer(dataDir: string) {
  const first = startCli([...serve(dataDir, '0'), '--no-open'])
  const address = await started(first)
  const context = await (await browser()).newContext()
  const [page, beside] = [await context.newPage(), await context.newPage()]
  await page.goto(address.href)
  await beside.goto(address.origin)
  for (const each of [page, beside]) await firstRun(each).waitFor()
  await first[Symbol.asyncDispose]()
  return { address, context, page, beside }
}

it('after a restart on the same port a page reports it, and all tabs reconnect with one click', async () => {
  await using folder = ownedFolder()
  const { address, context, page, beside } = await endedServer(folder.path)
  const file = path.join(folder.path, 'interface.json')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)

  await using again = startCli([...serve(folder.path, address.port), '--no-open'])
  const next = await started(again)
  expect(next.host).toBe(address.host)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url() + JSON.stringify(request.headers())))
  await page.getByText('Tabscope was restarted.').waitFor()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  for (const each of [page, beside]) {
    await each.getByText('Tabscope was restarted.').waitFor({ state: 'detached' })
    await each.getByTestId('connection-state').filter({ hasText: 'Listening' }).waitFor()
  }
  expect(sent.join()).toContain('/session/resume')
  expect(sent.join()).not.toContain(address.hash.replace('#token=', ''))
  await context.close()
})

// `xdg-open` exists only on Linux.
it.runIf(process.platform === 'linux')(
  'a page with an unknown session reports it, sends its token to nobody, and all tabs connect by a new link',
  async () => {
    await using folder = ownedFolder()
    const { address, context, page, beside } = await endedServer(folder.path)
    rmSync(path.join(folder.path, 'interface.json'))
    await beside.getByText('Not connected to Tabscope.').waitFor()
    // A page that was never shown cannot be loaded without a server.
    await beside
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Tunnel' })
      .click()
    await beside.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()

    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    const fake = fakeBrowser(folder.path)
    await using again = startCli(serve(folder.path, address.port), {
      env: { PATH: fake.PATH },
    })
    expect((await started(again)).host).toBe(address.host)
    const ended = page.getByText('The session of this page has ended.')
    await ended.waitFor()
    expect(sockets).toEqual([])
    await fake.opened()
    fake.forget()

    await page.getByRole('button', { name: 'Get a new link' }).click()
    const link = await fake.opened()
    expect(link).toMatch(/#ticket=/)
    const opened = await context.newPage()
    await opened.goto(link)
    await firstRun(opened).waitFor()
    for (const each of [page, beside]) {
      await each.getByText('The session of this page has ended.').waitFor({ state: 'detached' })
      await each.getByTestId('connection-state').filter({ hasText: 'Listening' }).waitFor()
    }
    expect(sockets).not.toEqual([])
    await beside.getByRole('button', { name: 'Reload' }).click()
    await beside.getByTestId('tunnel-state').waitFor()
    await context.close()
  },
)
