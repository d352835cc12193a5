import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../../support/axe.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { startCli } from '../../support/run-cli.ts'
import { tunnelServer } from '../../support/tunnel-server.ts'
import { until } from '../../support/until.ts'
import { waitForTunnelState, tunnelChip, overflows, providerOf } from './steps.ts'

afterAll(closeBrowser)

it('shows the settings of each provider, validates them at the field, and keeps what is saved', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.keyboard.press('Shift+T')
  await page.getByRole('heading', { name: 'Tunnel', exact: true }).waitFor()
  const open = page.getByRole('button', { name: 'Open tunnel' })
  await providerOf(page, 'localtunnel')
    .getByLabel(/^Subdomain/)
    .fill('NO')
  await open.click()
  await providerOf(page, 'localtunnel').getByRole('alert').waitFor()
  await waitForTunnelState(page, 'off')
  expect(
    await providerOf(page, 'localtunnel')
      .getByLabel(/^Subdomain/)
      .getAttribute('aria-invalid'),
  ).toBe('true')
  expect(await axeFaults(page)).toEqual([])

  // Moves to the next provider with the keyboard. It requires an address.
  await providerOf(page, 'localtunnel').getByRole('radio').focus()
  for (let step = 0; step < 8; step += 1) {
    if (await providerOf(page, 'manual').getByRole('radio').isChecked()) break
    await page.keyboard.press('ArrowDown')
  }
  const address = providerOf(page, 'manual').getByRole('textbox')
  await page.getByRole('button', { name: 'Save' }).click()
  await providerOf(page, 'manual').getByRole('alert').waitFor()
  await address.fill('https://hooks.example.com/a/path')
  await page.keyboard.press('Enter')
  await providerOf(page, 'manual').getByRole('alert').filter({ hasText: 'path' }).waitFor()
  await address.fill('https://hooks.example.com')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await expect.poll(() => address.inputValue()).toBe('https://hooks.example.com')
  // Reports a missing program, with instructions.
  for (const program of ['cloudflared', 'ngrok']) {
    await expect
      .poll(() => providerOf(page, program).locator('.provider-program').innerText())
      .not.toBe('')
  }
  expect(watched.faults).toEqual([])
})

it('reports that nothing listens, and opens automatically once something does', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = taken.address() as AddressInfo
  try {
    {
      await using watched = await openPage(product.ui)
      await goTo(watched.page, 'Settings')
      await watched.page.getByLabel('Port').fill(String(port))
      await watched.page.getByLabel('Port').press('Enter')
      await watched.page.getByText('Saved', { exact: true }).waitFor()
    }
    await product.stop()
    const wish = `localtunnel:pier9@${server.host}`
    await using cli = startCli(
      ['serve', '--no-open', '--json', '--data', product.dataDir, '--tunnel', wish],
      {},
    )
    const ui = await until(
      'the interface',
      () => cli.lines().find(({ event }) => event === 'ready')?.['ui'],
    )
    await using watched = await openPage(String(ui))
    const { page } = watched
    await waitForTunnelState(page, 'offline')
    await tunnelChip(page).getByRole('link').click()
    await page
      .getByTestId('tunnel-reason')
      .getByText(/listen/)
      .waitFor()
    await page.getByText('when the listener is running', { exact: true }).waitFor()
    await page.getByText('Your saved setup is unchanged').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    // The listener then has two buttons, and both must fit.
    await page.setViewportSize({ width: 1101, height: 700 })
    expect(await overflows(page)).toEqual([])
    await page.setViewportSize({ width: 1024, height: 700 })
    expect(await overflows(page)).toEqual([])
    await page.getByRole('button', { name: /^Use port/ }).click()
    await waitForTunnelState(page, 'online')
    expect(await tunnelChip(page).innerText()).toContain('pier9.localhost')
    await goTo(page, 'Endpoints')
    await page.getByText(`http://pier9.localhost:${server.port}/hooks/sandbox`).waitFor()
    expect(watched.faults).toEqual([])
  } finally {
    taken.close()
  }
})

it('asks before it opens a tunnel by a public server, from the bar and from the setup, and opens none without consent', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  const dialog = page.getByRole('dialog', { name: 'Use a public tunnel server?' })
  await tunnelChip(page).getByRole('button', { name: 'Open the tunnel' }).click()
  await dialog.getByText('https://localtunnel.me').waitFor()
  await dialog.getByText('Volunteers run this server.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await waitForTunnelState(page, 'off')

  await goTo(page, 'Tunnel')
  await page.getByRole('button', { name: 'Open tunnel' }).click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await waitForTunnelState(page, 'off')
  expect(watched.faults).toEqual([])
})
