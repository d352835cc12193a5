import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { loadedFiles } from '../support/loaded-files.ts'
import {
  closeBrowser,
  goTo,
  openPage,
  startProduct,
  startServeProcess,
} from '../support/product.ts'

afterAll(closeBrowser)

it('opens on a new folder, shows three things to do, and shows signed samples with one click', async () => {
  await using product = await startServeProcess()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  expect(await page.getByText(product.endpoint).count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Copy endpoint URL' }).waitFor()
  await page.getByRole('button', { name: 'Start simulated traffic' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')

  await page.getByRole('button', { name: 'Send samples' }).click()
  const rows = page.getByTestId('delivery-row')
  await rows.nth(eventTypes.length - 1).waitFor()
  expect(await rows.count()).toBe(eventTypes.length)
  const verdicts = await rows.evaluateAll((all) =>
    all.map((row) => row.getAttribute('data-verdict')),
  )
  expect(new Set(verdicts)).toEqual(new Set(['valid']))
  for (const { type } of eventTypes) {
    expect(await rows.filter({ hasText: type }).count(), type).toBe(1)
  }
  expect(await rows.first().textContent()).toContain('Valid')

  const fetched = await loadedFiles(page)
  const kinds = new Set(fetched.map(({ name }) => path.extname(name)))
  expect([...kinds].sort()).toEqual(['.css', '.html', '.js', '.woff2'])
  const largest = fetched.sort((a, b) => b.bytes - a.bytes)
  const sum = fetched.reduce((all, { bytes }) => all + bytes, 0)
  expect(sum, JSON.stringify(largest.slice(0, 8))).toBeLessThan(400 * 1024)
  expect(watched.faults).toEqual([])
})

it('starts an evening from the empty list, and stops it on the sandbox page', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('button', { name: 'Start simulated traffic' }).click()
  await page.getByTestId('delivery-row').nth(2).waitFor()
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: /Stop/ }).click()
  await page.getByRole('button', { name: 'Start simulated traffic' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('returns to the same page after a reload, without the token in its address', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  expect(watched.faults).toEqual([])
})
