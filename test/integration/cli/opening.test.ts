import { expect, test } from 'vitest'
import { full } from '#test/support/full.ts'
import { interfaceClient } from '#test/support/interface-client.ts'
import { runSpawnedCli, spawnCli, startCli, startListening } from '#test/support/run-cli.ts'
import { fakeBrowser } from '#test/support/fake-browser.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

// Linux only: the program that opens URLs is `xdg-open`, and /proc shows the arguments of every process to all users.
test.runIf(process.platform === 'linux')(
  'no argument of any process holds the launch token while the browser is opened, but a ticket that works once',
  async () => {
    await using folder = ownedFolder()
    const { PATH, ...browser } = fakeBrowser(folder.path)
    const args = ['serve', '--port', '0', '--ui-port', '0', '--json', '--data', folder.path]
    await using tab = startCli(args, { env: { PATH } })
    const ready = await until('the first line', () => tab.lines()[0])
    const printed = new URL(String(ready['ui']))
    const token = /^#token=([\w-]{43})$/.exec(printed.hash)?.[1] ?? ''
    expect(token).not.toBe('')

    const opened = new URL(await browser.opened())
    expect(opened.origin).toBe(printed.origin)
    const ticket = /^#ticket=([\w-]{43})$/.exec(opened.hash)?.[1] ?? ''
    const processes = await browser.processes()
    expect(processes).toContain(ticket)
    expect(processes).not.toContain(token)

    const exchange = () =>
      fetch(new URL('/session', opened), {
        method: 'POST',
        headers: { Origin: opened.origin, Authorization: `Bearer ${ticket}` },
      })
    const first = await exchange()
    expect(first.status).toBe(200)
    expect(await first.json()).toEqual({ token })
    const second = await exchange()
    expect(second.status).toBe(401)
    expect(await second.text()).not.toContain(token)
    await using client = await interfaceClient(printed.href)
    expect(await client.hello()).toMatchObject({ kind: 'welcome' })
  },
)

test.runIf(process.platform === 'linux')(
  'no argument of any process holds the state of an authorization, but a link that redirects to it once',
  async () => {
    await using folder = ownedFolder()
    const { PATH, ...browser } = fakeBrowser(folder.path)
    const args = ['authorize', '--json', '--data', folder.path]
    await using running = startCli(args, { env: { PATH } })
    const line = await until('the address', () => running.lines()[0])
    const address = new URL(String(line['url']))
    const state = address.searchParams.get('state') ?? ''
    expect(state).not.toBe('')

    const opened = await browser.opened()
    const processes = await browser.processes()
    expect(processes).toContain(opened)
    expect(processes).not.toContain(state)
    const first = await fetch(opened, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([302, address.href])
    const second = await fetch(opened, { redirect: 'manual' })
    expect(second.status).toBe(410)
    expect(await second.text()).not.toContain(state)
  },
)

test.runIf(full && process.platform === 'linux')(
  'serve --no-open opens no browser for an authorization either, and the run reports it',
  async () => {
    await using folder = ownedFolder()
    const { PATH, ...browser } = fakeBrowser(folder.path)
    const on = ['--data', folder.path]
    await using _ = await startListening(folder.path, ['serve', '--no-open', '--ui-port', '0'], {
      env: { PATH },
    })
    await using running = spawnCli(['authorize', '--json', ...on])
    const line = await until('the address', () => running.lines()[0])
    const { stdout } = await runSpawnedCli([
      'api',
      'authorization.run',
      `id=${Number(line['runId'])}`,
      ...on,
    ])
    expect(stdout.toString()).toContain('No browser was opened')
    expect(browser.wasOpened()).toBe(false)
  },
)
