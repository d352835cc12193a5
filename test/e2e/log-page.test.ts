import path from 'node:path'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { hostile, hostileHead, hostileItems } from '#test/support/hostile-log.ts'
import { writePage } from '#test/support/log-page.ts'
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

it('is exported by the command line, and opens from disk without a script or a request', async () => {
  const secret = 'page-secret-0123456789'
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, order('A-17'), { secret })
  await deliver(product.endpoint, order('B-4'), { secret: `${secret}\n` })
  await deliver(product.endpoint, 'not json', { secret })
  // Also waits for the cause.
  await runCli(['wait', '--verdict', 'invalid', '--since', '1h', '--data', product.dataDir])
  const target = path.join(tempFolder(), 'log.html')
  const words = ['export', '--format', 'html', '--mask', 'data.total', '-o', target]
  const { code, stderr } = await runCli([...words, '--data', product.dataDir])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(readFileSync(target, 'utf8')).not.toContain('guest@example.org')

  await using file = await openFile(`${pathToFileURL(target).href}#delivery-2`)
  const { page } = file
  await expect.poll(() => page.title()).toMatch(/^Event log of /)
  expect(await page.locator('script').count()).toBe(0)
  await page.getByText('data.total').waitFor()
  await expect.poll(() => page.locator('[id^=delivery-]').count()).toBe(3)
  // The link in the address has opened its delivery.
  const shown = page.locator('#delivery-2')
  await shown.getByText('Signature invalid').waitFor()
  await shown.getByText('A line break at the end').waitFor()
  await shown.getByText('name 2').first().waitFor()
  await page.getByText('Body is not JSON', { exact: true }).click()
  await page.locator('#delivery-3').getByText('not json').waitFor()
  expect(file.requests.map((request) => new URL(request).protocol)).toEqual(['file:'])
  expect(file.faults).toEqual([])
})

function markupIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wrong = 'script, img, svg, iframe, object, embed, base, link, [onerror], [srcdoc]'
    const links = [...document.querySelectorAll('a[href]')].filter(
      (link) => !/^#delivery-\d+$/.test(link.getAttribute('href') ?? ''),
    )
    return [
      ...(Reflect.has(window, 'canary') ? [`ran: ${Reflect.get(window, 'canary')}`] : []),
      ...[...document.querySelectorAll(wrong), ...links].map((element) => element.outerHTML),
    ]
  })
}

it.runIf(full)('shows a log full of HTML and script as text, and runs none of it', async () => {
  const name = hostile('name')
    .replaceAll(/[/\0\uD800]/g, '_')
    .slice(0, 200)
  await using file = await openFile(writePage(tempFolder(), name, hostileItems(), hostileHead))
  const { page } = file
  expect(await markupIn(page)).toEqual([])
  const all = await page.locator('body').textContent()
  for (const place of [
    'filter',
    'title',
    'header-value',
    'finding-place',
    'attempt-note',
    'integration',
    'rehearsal',
    'whole-body',
  ]) {
    expect(all).toContain(`${place} </script><script>window.canary='${place}'</script>`)
  }
  expect(file.requests.map((request) => new URL(request).protocol)).toEqual(['file:'])
  expect(file.faults).toEqual([])
  // Last, because the page is unusable afterwards: if text ever became markup, the policy of the page would block it.
  expect(await unblockedAttempts(page)).toEqual([])
})
