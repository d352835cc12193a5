import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { deliver, goTo, openPage, startServeProcess } from '../support/product.ts'

const tab = (data: object): string =>
  JSON.stringify({ type: 'OPEN_TAB', createdAt: '2026-11-20T20:09:04.512Z', data })

// In the built program, whose parts differ from the sources.
it('previews, copies and saves what is generated, with the fields of deliveries', async () => {
  await using product = await startServeProcess()
  await deliver(product.endpoint, tab({ name: 'Miller', covers: 4 }))
  await deliver(product.endpoint, tab({ name: 'Okafor' }))
  await using page = await openPage(product.ui)
  await goTo(page, 'Handler', 'Generate')
  await page.getByRole('radiogroup', { name: 'Output' }).waitFor()
  await page.getByLabel('Language').selectOption({ label: 'TypeScript' })
  const code = page.getByRole('region', { name: 'webhook-events.ts' })
  await code.waitFor()
  await expect
    .poll(() => code.innerText())
    .toContain('export interface OrderPlacedEvent extends EventBase')
  expect(await code.innerText()).not.toContain('covers')

  await page.getByLabel('Documentation and deliveries').click({ force: true })
  await expect.poll(() => page.getByLabel('Filter').inputValue()).toBe('verdict:valid')
  await page.getByLabel('Filter').fill('type:OPEN_TAB')
  await expect.poll(() => code.innerText()).toContain('covers?: number | null')
  await page.getByText('From 2 deliveries.').waitFor()
  const command = page.getByRole('region', { name: 'Command' })
  expect((await command.innerText()).trim()).toBe(
    "tabscope generate types --language typescript --observed 'type:OPEN_TAB'",
  )
  // The address restores it.
  await page.reload()
  await expect.poll(() => code.innerText()).toContain('covers?: number | null')

  await page.getByLabel('Filter').fill('type:(')
  await page.getByText('Write the value directly after').waitFor()
  await page.getByLabel('Filter').fill('')
  await code.waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save…' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('webhook-events.ts')
  expect(readFileSync(await download.path(), 'utf8').trim()).toBe((await code.innerText()).trim())

  await page.getByLabel('Handler', { exact: true }).click({ force: true })
  await page.getByLabel('Framework').selectOption({ label: 'Express' })
  await page.getByLabel('File').selectOption('server.ts')
  const server = page.getByRole('region', { name: 'server.ts' })
  await expect.poll(() => server.innerText()).toContain("import { receive } from './webhooks.ts'")
  const [project] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save all…' }).click(),
  ])
  expect(project.suggestedFilename()).toBe('handler.zip')
  const saved = unzipSync(readFileSync(await project.path()))
  const text = Buffer.from(saved['handler/server.ts'] ?? []).toString()
  expect(text.trim()).toBe((await server.innerText()).trim())

  await page.getByLabel('Tests', { exact: true }).click({ force: true })
  await page.getByLabel('Framework').selectOption({ label: 'pytest' })
  await page.getByLabel('Filter').fill('Okafor')
  await page.getByText('From 1 delivery.').waitFor()
  await page.getByLabel('File').selectOption('fixtures/open-tab-1.json')
  const fixture = await page.getByRole('region', { name: 'fixtures/open-tab-1.json' }).innerText()
  expect(fixture).toContain('"OPEN_TAB"')
  expect(fixture).not.toContain('Okafor')
})
