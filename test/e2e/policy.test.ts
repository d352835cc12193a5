import { afterAll, expect, it } from 'vitest'
import { unblockedAttempts } from '../support/policy-probe.ts'
import { browser, closeBrowser, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

it('a page served by the command line runs only its own scripts, and contacts no other host', async () => {
  await using product = await startProduct()
  const context = await (await browser()).newContext()
  const page = await context.newPage()
  await page.goto(product.ui)
  await page.getByTestId('connection-state').waitFor()
  expect(await unblockedAttempts(page)).toEqual([])

  const answer = await page.request.get(new URL('/', product.ui).href)
  expect(answer.headers()['content-security-policy']).not.toMatch(/unsafe|\*/)

  // A page without a policy allows all of it, so the attempts are real.
  const open = await context.newPage()
  await open.route('http://without.invalid/', async (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title><body>' }),
  )
  await open.route('https://elsewhere.invalid/**', async (route) => route.fulfill({ status: 204 }))
  await open.goto('http://without.invalid/')
  const passed = await unblockedAttempts(open)
  expect(passed).toContain('inline script ran')
  expect(passed).toContain('eval ran')
  expect(passed).toContain('request elsewhere')
  expect(passed.length).toBeGreaterThan(15)
  await context.close()
})
