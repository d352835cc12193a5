import path from 'node:path'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hostile, hostileHead, hostileItems } from '#test/support/hostile-log.ts'
import { pageText, writePage } from '#test/support/log-page.ts'
import { openFile } from '#test/support/opened-file.ts'
import { unblockedAttempts } from '#test/support/policy-probe.ts'
import { deliver, startProduct } from '#test/support/product.ts'
import { runCli } from '#test/support/run-cli.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const order = (name: string) =>
  JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: `order-${name}`,
    locationName: 'Pier 9',
    createdAt: '2026-03-14T21:09:00.000Z',
    data: { orderName: name, total: 42.5, handle: 'guest@example.org' },
  })

const rows = (page: Page) => page.getByTestId('delivery-row')

const row = (page: Page, id: number) =>
  page.locator(`[data-testid="delivery-row"][data-id="${id}"]`)
const count = (page: Page) => rows(page).count()

it('is exported by the command line, opens from disk without a request, and is filtered', async () => {
  const secret = 'page-secret-0123456789'
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, order('A-17'), { secret })
  await deliver(product.endpoint, order('B-4'), { secret: `${secret}\n` })
  await deliver(product.endpoint, 'not json', { secret })
  // Also waits for the cause.
  await runCli(['wait', '--verdict', 'invalid', '--since', '1h', '--data', product.dataDir])
  const target = path.join(tempFolder(), 'log.html')
  const { code, stderr } = await runCli([
    'export',
    '--format',
    'html',
    '--mask',
    'data.total',
    '-o',
    target,
    '--data',
    product.dataDir,
  ])
  expect({ code, stderr }).toMatchObject({ code: 0 })

  await using file = await openFile(pathToFileURL(target).href)
  const { page } = file
  await expect.poll(() => count(page)).toBe(3)
  expect(await page.title()).toMatch(/^Event log of /)
  await page.getByRole('button', { name: /^Redacted/ }).click()
  const about = page.getByRole('dialog', { name: 'About this log' })
  await about.getByText(/^with list 1: \d+ aliases, \d+ masked values$/).waitFor()
  await about.getByText('data.total').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Authorization' }).check({ force: true })
  await page.getByRole('region', { name: 'Authorization' }).waitFor()
  await page.getByRole('radio', { name: 'Deliveries' }).check({ force: true })
  expect(readFileSync(target, 'utf8')).not.toContain('guest@example.org')

  await row(page, 2).click()
  await page.getByTestId('both-ends').getByText('Signature invalid').waitFor()
  await page.getByTestId('found-cause').getByText('A line break at the end').waitFor()
  await page.getByText('name 2').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: /filter/i }).fill('type:ORDER_PLACED verdict:valid')
  await expect.poll(() => count(page)).toBe(1)
  await row(page, 1).waitFor()
  expect(file.requests.map((request) => new URL(request).protocol)).toEqual(['file:'])
  expect(file.faults).toEqual([])
})

const tabs = ['Overview', 'Request', 'Signature', 'Trace', 'Attempts'] as const

function taken(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wrong = 'img, iframe, object, embed, base, link, svg[onload], [onerror], [srcdoc]'
    const links = [...document.querySelectorAll('a[href]')].filter(
      (link) => !link.getAttribute('href')?.startsWith('#/'),
    )
    return [
      ...(Reflect.has(window, 'canary') ? [`ran: ${Reflect.get(window, 'canary')}`] : []),
      ...[...document.querySelectorAll(wrong), ...links].map((element) => element.outerHTML),
    ]
  })
}

it('shows a delivery full of HTML and script as text, and runs none of it', async () => {
  const text = pageText(hostileItems(), hostileHead)
  // The content of the file can neither end a block nor start a comment.
  const blocks = text.slice(text.indexOf('data-log="head"'))
  expect(blocks.match(/<\/script|<!--/g)).toEqual(Array.from({ length: 8 }, () => '</script'))

  const url = writePage(
    tempFolder(),
    hostile('name')
      .replaceAll(/[/\0\uD800]/g, '_')
      .slice(0, 200),
    hostileItems(),
    hostileHead,
  )
  await using file = await openFile(url)
  const { page } = file
  await page.getByTestId('delivery-row').nth(1).waitFor()
  expect(await taken(page), 'list').toEqual([])

  for (const id of [1, 2]) {
    await page.locator(`[data-testid="delivery-row"][data-id="${id}"]`).click()
    for (const name of tabs) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').waitFor()
      await page.waitForFunction(() => !document.querySelector('[role="status"].ticket-coming'))
      expect(await taken(page), `${name} of ${id}`).toEqual([])
    }
  }
  const shown = page.getByRole('region', { name: 'Delivery' })
  await page.locator('[data-testid="delivery-row"][data-id="1"]').click()
  await expect
    .poll(() => shown.getByRole('heading', { level: 2 }).textContent())
    .toContain(`title </script><script>window.canary='title'</script>`)
  await page.getByRole('tab', { name: 'Request' }).click()
  await expect
    .poll(() => page.getByRole('table', { name: 'Headers' }).textContent())
    .toContain(`header-value </script><script>window.canary='header-value'</script>`)
  await page.getByRole('tab', { name: 'Attempts' }).click()
  await expect.poll(() => shown.textContent()).toContain(`attempt-note </script>`)

  await page.getByRole('button', { name: 'About this log' }).click()
  const about = page.getByRole('dialog', { name: 'About this log' })
  await expect.poll(() => about.textContent()).toContain(`filter </script><script>`)
  expect(await taken(page), 'about').toEqual([])
  await page.keyboard.press('Escape')

  await page.getByRole('radio', { name: 'Authorization' }).check({ force: true })
  await expect
    .poll(() => page.getByRole('region', { name: 'Authorization' }).textContent())
    .toContain('integration </script><script>')
  expect(await taken(page), 'authorization').toEqual([])
  await page.getByRole('radio', { name: 'Deliveries' }).check({ force: true })

  await page.getByRole('radio', { name: 'Rehearsals' }).check({ force: true })
  await page.locator('[data-case="S4"]').click()
  const detail = page.getByRole('region', { name: 'Case S4' })
  await expect
    .poll(() => detail.getByRole('region', { name: 'Sent' }).first().textContent())
    .toContain('rehearsal </script><script>')
  expect(await taken(page), 'rehearsal').toEqual([])
  await page.getByRole('link', { name: 'Compare runs' }).click()
  await page.getByRole('table', { name: 'Cases by run' }).waitFor()
  expect(await taken(page), 'matrix').toEqual([])
  await page.getByRole('radio', { name: 'Deliveries' }).check({ force: true })

  // Suggestions while typing also contain values of deliveries.
  const field = page.getByRole('combobox', { name: /filter/i })
  for (const filter of [
    'type:',
    'tag:',
    'location:',
    'finding:',
    'header:',
    JSON.stringify(hostile('x')),
  ]) {
    await field.fill(filter)
    await expect.poll(() => field.inputValue()).toBe(filter)
    expect(await taken(page), filter).toEqual([])
  }
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    `#/deliveries?${new URLSearchParams({ filter: `"${hostile('hash')}` })}`,
  )
  await page.getByText('The filter in this URL is invalid').waitFor()
  expect(await taken(page), 'address').toEqual([])

  expect(file.requests.map((request) => new URL(request).protocol)).toEqual(['file:'])
  expect(file.faults).toEqual([])
  // Last, because the page is unusable afterwards: if text ever became markup, the policy of the page would block it.
  expect(await unblockedAttempts(page)).toEqual([])
})
