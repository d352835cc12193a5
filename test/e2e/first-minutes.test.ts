import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { openPage, startProduct, startServeProcess } from '../support/product.ts'

const builtInterface = path.resolve(import.meta.dirname, '../../out/renderer')

/**
 * Returns the files of the built interface that the page has loaded, including itself, with name and gzip-compressed size in bytes. The palette, which is
 * preloaded some time after the start, and what is loaded after it do not count, nor does the icon of the tab, which only complete browsers load.
 */
async function loadedFiles(page: Page): Promise<{ name: string; bytes: number }[]> {
  const names = await page.evaluate(async () => {
    await document.fonts.ready
    const entries = performance.getEntriesByType('resource')
    const palette = entries.find(({ name }) => name.includes('/assets/Finder-'))
    const end = palette?.startTime ?? Infinity
    const icons = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=icon]')]
    const ignored = new Set(icons.map(({ href }) => href))
    return entries
      .filter(({ startTime, name }) => startTime < end && !ignored.has(name))
      .map(({ name }) => new URL(name).pathname)
  })
  // Ignore the requests for a session.
  const files = new Set(['/index.html', ...names.filter((name) => !name.startsWith('/session'))])
  return [...files].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(path.join(builtInterface, name))).byteLength,
  }))
}

it('opens on a new folder, shows three things to do, and shows signed samples with one click', async () => {
  await using product = await startServeProcess()
  await using page = await openPage(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await expect.poll(() => page.getByText(product.endpoint).count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Copy endpoint URL' }).waitFor()
  // That address is of no use to a hosted service, so what makes it public is beside it.
  await page.getByText('A hosted service cannot').waitFor()
  await page.getByRole('button', { name: 'Open a tunnel' }).waitFor()
  await page.getByRole('link', { name: 'Use my own public URL' }).waitFor()
  await page.getByRole('button', { name: 'Start simulated traffic' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')

  await page.getByRole('button', { name: 'Connect my integration' }).click()
  await page.getByRole('dialog', { name: 'New integration' }).getByText('Cancel').click()

  await page.getByRole('button', { name: 'Send samples' }).click()
  const rows = page.getByTestId('delivery-row')
  await rows.nth(eventTypes.length - 1).waitFor()
  await expect.poll(() => rows.count()).toBe(eventTypes.length)
  const verdicts = await rows.evaluateAll((all) =>
    all.map((row) => row.getAttribute('data-verdict')),
  )
  expect(new Set(verdicts)).toEqual(new Set(['valid']))
  for (const { type } of eventTypes) {
    expect(await rows.filter({ hasText: type }).count(), type).toBe(1)
  }

  // A healthy row has no mark.
  expect(await rows.locator('.pill[data-tone="invalid"]').count()).toBe(0)

  // What a wrong signature looks like is one more click.
  await page.getByRole('button', { name: 'Send one with a wrong signature' }).click()
  await rows.nth(eventTypes.length).waitFor()
  await expect.poll(() => rows.first().getAttribute('data-verdict')).toBe('invalid')

  const fetched = await loadedFiles(page)
  const kinds = new Set(fetched.map(({ name }) => path.extname(name)))
  expect([...kinds].sort()).toEqual(['.css', '.html', '.js', '.woff2'])
  const largest = fetched.sort((a, b) => b.bytes - a.bytes)
  const sum = fetched.reduce((all, { bytes }) => all + bytes, 0)
  expect(sum, JSON.stringify(largest.slice(0, 8))).toBeLessThan(350 * 1024)
})

it('returns to the same page after a reload, without the token in its address', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
})

it('shows the guide to Tabscope, searches it by keyboard, and follows its links', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.keyboard.press('F1')
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()

  await page
    .getByRole('navigation', { name: 'Guide contents' })
    .getByText('Settings and assumptions')
    .click()
  await page.getByRole('heading', { name: 'Settings and assumptions', level: 2 }).waitFor()
  await page.getByRole('article').getByRole('link', { name: 'response rules' }).click()
  const heading = page.getByRole('heading', { name: /^Control the response/ })
  await heading.waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.id))
    .toBe('guide-control-the-response')
  expect(new URL(page.url()).hash).toBe('#/help/sending/control-the-response')

  await page.keyboard.press('/')
  await page.keyboard.type('rotate secret')
  const results = page.getByRole('list', { name: 'Search results' }).getByRole('link')
  await results.first().waitFor()
  await expect.poll(() => results.first().textContent()).toContain('Set the secret of an endpoint')
  await expect.poll(() => results.first().locator('mark').count()).toBeGreaterThan(0)
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() => results.first().evaluate((one) => one === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Signatures', level: 2 }).waitFor()
  await expect.poll(() => page.getByRole('article').locator('mark').count()).toBeGreaterThan(0)

  await page.getByLabel('Search the guide').fill('xylophone')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Guide contents' }).waitFor()

  await page.goBack()
  await heading.waitFor()
})
