// `npm run screenshots`: screenshots of every page of the built product in a real Chromium, in both themes. With a folder (`-- /tmp/pictures`)
// they are written there in both sizes. The committed ones have one size, because each change stays in the Git history. With `-- --compare`,
// or `-- --against REVISION`, they are written into a temporary folder and compared with the committed ones.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { runnerImport } from 'vite'
import type { evening } from '#sandbox/evening.ts'
import { compose } from '#sandbox/request.ts'
import { createSender } from '#sandbox/sender.ts'
import { authorize, clipboard, download, exportDialog, openAuthorization, show } from './steps.ts'
import { shootTunnel } from './screenshots-tunnel.ts'
import { sendMany, sendTwice, startApp } from './screenshots-sending.ts'
import { startCountingHandler } from './rehearsal/counting-handler.ts'
import { changingAreas, compareScreenshots, type Area } from './screenshots-compare.ts'
import { deliver, endBrowser, goTo, openPage, startServeProcess } from './product.ts'

const { values, positionals } = parseArgs({
  options: { compare: { type: 'boolean' }, against: { type: 'string' } },
  allowPositionals: true,
})
const comparing = values.compare === true || values.against !== undefined
const [asked] = comparing ? [undefined] : positionals
const committed = path.join(import.meta.dirname, '../../resources/screenshots')
const folder = comparing
  ? mkdtempSync(path.join(tmpdir(), 'tabscope-screenshots-'))
  : path.resolve(asked ?? committed)
const taken = new Map<string, readonly Area[]>()
mkdirSync(folder, { recursive: true })

const secret = 'screenshot-secret-0123456789'
const large = { name: '', viewport: { width: 1440, height: 900 } }
const small = { name: '-small', viewport: { width: 1024, height: 700 } }
const sizes = asked === undefined ? [large] : [large, small]

for (const colorScheme of ['light', 'dark'] as const) {
  for (const { name: size, viewport } of sizes) {
    await using product = await startServeProcess('--secret', secret)
    await using app = await startApp()
    await using watched = await openPage(product.ui, { viewport, colorScheme })
    const { page } = watched
    const shoot = async (name: string, of = page): Promise<void> => {
      const passing = of.locator('.toast').getByRole('button', { name: 'Dismiss' })
      while ((await passing.count()) > 0) await passing.first().click()
      await of.mouse.move(0, 0)
      const file = `${name}${size}-${colorScheme}.png`
      if (comparing) taken.set(file, await changingAreas(of))
      await of.screenshot({ path: path.join(folder, file), animations: 'disabled' })
    }
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    await shoot('first-run')
    await shootGuide(page, shoot)

    await goTo(page, 'Sandbox')
    await shoot('sandbox')
    await deliverEvening(product.endpoint)
    const closedTab = page.getByTestId('delivery-row').filter({ hasText: 'CLOSE_TAB' }).first()

    const order = JSON.stringify({
      type: 'ORDER_PLACED',
      targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
      locationUuid: '109e0000-91e2-4b00-8a00-000000000009',
      locationName: 'Pier 9',
      locationId: '9',
      createdAt: new Date().toISOString(),
      data: {
        created: new Date().toISOString(),
        orderName: 'A-17',
        scheduled: false,
        zoneName: 'Patio',
        spotName: 'T4',
        zoneTags: ['outside'],
        total: 42.5,
        tabUuid: '7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a10',
        itemNames: ['Pale Ale', 'Fries'],
        itemTags: ['draught', 'vegetarian'],
        categoryNames: ['Drinks', 'Food'],
        tipPolicy: 'auto',
      },
    })
    await deliver(product.endpoint, order, { secret: `${secret}\n` })
    await deliver(product.endpoint, 'PK\u0003\u0004 not JSON', { secret: 'another' })
    await goTo(page, 'Deliveries')
    const row = page.getByTestId('delivery-row').filter({ hasText: 'Order A-17' }).first()
    await row.click()
    await page.getByRole('article', { name: 'Order placed' }).waitFor()
    await page.getByText('Cause: A line break').waitFor()
    await page.getByText('search index up to date').waitFor()
    await shoot('deliveries')
    await shootPalette(page, shoot)
    for (const tab of ['Headers', 'Body', 'Signature']) {
      await page.getByRole('tab', { name: tab }).click()
      // The content of a tab is loaded after the tab is shown.
      await page.getByRole('tabpanel').getByText(/\w/).first().waitFor()
      if (tab === 'Signature') await page.getByText('signatures were computed').first().waitFor()
      await shoot(tab.toLowerCase())
    }
    await sendTwice(page, app)
    await shoot('attempts')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.keyboard.press('Escape')
    await shoot('list')
    await sendMany(page, app, shoot)
    await goTo(page, 'Compose')
    await page.getByRole('heading', { name: 'What do you want to send?' }).waitFor()
    await shoot('compose-start')
    await page.goBack()
    await row.click()
    await page.getByRole('link', { name: 'Edit and send' }).click()
    await page.getByRole('button', { name: 'Format', exact: true }).click()
    const body = page.getByRole('textbox', { name: 'Body', exact: true })
    await body.getByText('"Patio"').dblclick()
    await page.keyboard.type('Terrace')
    await page.getByText('Draft saved').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByTestId('attempt-row').first().waitFor()
    await page.getByRole('button', { name: 'Expand all' }).waitFor()
    await shoot('compose')
    await page
      .getByRole('tablist', { name: 'Parts of the request' })
      .getByRole('tab', { name: /Headers/ })
      .click()
    await shoot('compose-headers')
    await goTo(page, 'Deliveries')
    await page.getByRole('region', { name: 'Delivery', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    await shoot('charts')
    await page.keyboard.press('v')
    const filter = page.getByRole('combobox').first()
    await filter.fill('type:ORDER_PLACED verdict:valid data.total:>30 ')
    await page.keyboard.type('fin')
    await page.getByRole('listbox').waitFor()
    await page.locator('.filter-terms').getByText(/of \d/).waitFor()
    await shoot('filter')
    await page.keyboard.press('Escape')
    await filter.fill('type:CLOSE_TAB')
    await page.keyboard.press('Enter')
    await closedTab.click()
    await page.getByRole('tab', { name: 'Trace' }).click()
    await page.getByRole('tabpanel').getByRole('list').first().waitFor()
    await shoot('trace')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('button', { name: /^Close \(/ }).click()
    await filter.fill('')
    await page.keyboard.press('Enter')
    await goTo(page, 'Conformance')
    await page.getByRole('table').first().waitFor()
    await shoot('conformance')
    await goTo(page, 'Authorization')
    const theirs = await openAuthorization(page)
    await page.getByRole('heading', { name: /Open the address|Approve or deny/ }).waitFor()
    await shoot('authorization-waiting')
    await theirs.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('region', { name: 'Why it failed' }).waitFor()
    await theirs.close()
    await shoot('authorization-denied')
    await authorize(page)
    await shoot('authorization')
    await page.getByLabel('Compare with an earlier run').selectOption({ index: 1 })
    await page.getByRole('heading', { name: /compared with run/ }).waitFor()
    await shoot('authorization-compare')
    for (const name of ['Tokens', 'Refresh', 'Setup'] as const) {
      await show(page, name)
      await page.locator('.auth-body :is(h2, .preflight)').first().waitFor()
      if (name === 'Setup') await page.getByText('Token endpoint').waitFor()
      await shoot(`authorization-${name.toLowerCase()}`)
    }
    await goTo(page, 'Sandbox')
    await page.getByText('Running', { exact: true }).waitFor()
    await shoot('sandbox-service')
    await goTo(page, 'API console')
    await page.getByRole('button', { name: 'GET /api/sandbox/locations' }).click()
    for (const [index, query] of ['?open=1', '?near=pier', ''].entries()) {
      await page.getByLabel('Path or full address').fill(`api/sandbox/locations${query}`)
      await page.keyboard.press('Enter')
      await page.locator('.side-row').nth(index).waitFor({ state: 'attached' })
    }
    await page.getByRole('tree').waitFor()
    await shoot('console')
    await page.getByRole('tab', { name: 'Hops' }).click()
    await shoot('console-hops')
    await goTo(page, 'Sandbox')
    await page.getByRole('button', { name: 'Revoke all tokens' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' }).click()
    await page.getByText('0 active tokens').waitFor()
    await goTo(page, 'API console')
    await page.getByLabel('Path or full address').press('Enter')
    await page.getByRole('link', { name: 'Authorize again' }).waitFor()
    await shoot('console-401')
    for (const name of ['Endpoints', 'Settings'] as const) {
      await goTo(page, name)
      await page.getByRole('heading', { name, exact: true }).first().waitFor()
      await shoot(name.toLowerCase())
    }
    await shootRehearsal(page, shoot)
    await shootLogs(page, shoot)
    await using other = await openPage(product.ui, { ...clipboard, viewport, colorScheme })
    await shootTunnel(other.page, (name) => shoot(name, other.page))
  }
}
if (comparing && (await compareScreenshots(folder, taken, values.against)) > 0) process.exitCode = 1
await endBrowser()

/** The same events in each run, one after the other. */
async function deliverEvening(endpoint: string): Promise<void> {
  // The catalogue collects its files by a glob, which only Vite resolves.
  const file = path.join(import.meta.dirname, '../../src/sandbox/evening.ts')
  const { module } = await runnerImport<{ evening: typeof evening }>(file, { configFile: false })
  await using sender = createSender()
  const target = { url: endpoint, brand: 'Service', secret, applicationId: '', customHeaders: [] }
  for (const step of module.evening({ seed: 7, brand: 'Service', count: 84 })) {
    await sender.deliver(compose(target, step.payload(new Date())))
  }
}

/** The guided start in progress, reset afterwards; the palette with results. */
async function shootGuide(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Try it with the sandbox' }).click()
  const guide = page.getByRole('region', { name: 'Guide', exact: true })
  await guide.getByRole('button', { name: 'Start the sandbox' }).click()
  await guide.locator('[data-testid="guide-state"][data-kind="done"]').waitFor()
  await shoot('guide')
  const service = page.getByRole('region', { name: 'Simulated service' })
  await service.getByRole('button', { name: 'Stop' }).click()
  await guide.getByRole('button', { name: 'Skip the guide' }).click()
  await guide.waitFor({ state: 'detached' })
}

async function shootPalette(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.fill('order')
  await page.getByRole('dialog').getByRole('option').nth(3).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('status')
    .getByText('results')
    .waitFor({ state: 'attached' })
  await shoot('palette')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** A rehearsal of a handler that accepts signatures with an empty key, with the case that finds it. */
async function shootRehearsal(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await using handler = await startCountingHandler(secret)
  handler.acceptsEmptyKey = true
  await goTo(page, 'Rehearse')
  await page.getByRole('textbox', { name: 'Address' }).fill(handler.url)
  await page.getByRole('combobox', { name: 'Oracle' }).selectOption('A number at a URL')
  await page.getByRole('textbox', { name: 'Oracle URL' }).fill(handler.count)
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('Seed').fill('7')
  await page.getByRole('button', { name: 'Start rehearsal' }).click()
  await page.locator('.rehearsal-head').getByText('Grade').first().waitFor({ timeout: 60_000 })
  await page.locator('[data-case="S4"]').click()
  await page.getByRole('region', { name: 'Case S4' }).getByText('POST').first().waitFor()
  await shoot('rehearse')
}

/** Exports all deliveries, imports the file completely and truncated, and takes screenshots. */
async function shootLogs(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await goTo(page, 'Event logs')
  page.on('filechooser', () => undefined)
  await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  await exportDialog(page).locator('.removal').first().waitFor()
  await exportDialog(page).locator('.export-sum .log-progress').waitFor({ state: 'detached' })
  await shoot('export')
  const { name, text } = await download(page)
  const cutOff = text.split('\n').slice(0, -3).join('\n')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).click()
  await (
    await chooser
  ).setFiles(
    [
      { name: 'from-the-pub.ndjson', content: cutOff },
      { name, content: text },
    ].map((file) => ({ name: file.name, mimeType: '', buffer: Buffer.from(file.content) })),
  )
  await page.getByText('2 logs imported.').waitFor()
  await page.getByText('2 logs imported.').waitFor({ state: 'detached' })
  await shoot('logs')
}
