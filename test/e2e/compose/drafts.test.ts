import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../../support/product.ts'
import { rawTarget } from '../../support/raw-target.ts'
import { composePage, header, secret, signed } from './steps.ts'

afterAll(closeBrowser)

it('keeps a draft over a restart, and lets you name and delete it', async () => {
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}', { secret })
  {
    await using watched = await openPage(product.ui)
    const { page, body, goesTo } = composePage(watched.page)
    await page.goto(new URL('#/compose/from/1', product.ui).href)
    await page.getByText('Saved once you change it').waitFor()
    await goesTo('http://127.0.0.1:9/kept')
    await body.press('Control+End')
    await body.pressSequentially(' ')
    await page.getByText('Draft saved').waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/compose/1')
    expect(watched.faults).toEqual([])
  }
  await product.stop()
  await using again = await startProduct({ dataDir: product.dataDir })
  // Wide enough for two columns, so that the editor does not contain the received body.
  await using watched = await openPage(again.ui, { viewport: { width: 1920, height: 1080 } })
  const { page, body, address } = composePage(watched.page)
  await goTo(page, 'Compose')
  const list = page.getByRole('complementary', { name: 'Drafts and templates' })
  await list.getByRole('link', { name: /OPEN_TAB/ }).click()
  await body.waitFor()
  expect(await address.inputValue()).toBe('http://127.0.0.1:9/kept')
  expect(await body.innerText()).toBe('{"type":"OPEN_TAB"} ')
  await page.getByText(/Edited: the body/).waitFor()
  // After leaving and returning, it is unchanged.
  await goTo(page, 'Settings')
  await goTo(page, 'Compose')
  await body.waitFor()

  await page.getByRole('button', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Tabs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /Template “Tabs”/ }).waitFor()
  await list.getByRole('button', { name: 'Delete Tabs' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'What do you want to send?' }).waitFor()
  await list.getByText('No drafts yet').waitFor()
  expect(watched.faults).toEqual([])
})

it('fills in placeholders again at each send of a template', async () => {
  await using product = await startProduct({ secret })
  await using target = await rawTarget()
  await using watched = await openPage(product.ui)
  const { page, body, answer, settled, goesTo } = composePage(watched.page)
  // The editor is not loaded by other pages.
  const editor = (): Promise<number> =>
    page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => /Compose.*\.js/.test(name))
          .length,
    )
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  expect(await editor()).toBe(0)
  await goTo(page, 'Compose')
  await page.getByRole('link', { name: /Tab opened/ }).click()
  expect(await editor()).toBeGreaterThan(0)
  await goesTo(`${target.origin}/x?n={{counter}}`)
  await body.press('Control+a')
  await page.keyboard.insertText(
    '{"type":"OPEN_TAB","targetUuid":"{{uuid:tab}}","createdAt":"{{now}}","data":{},"n":{{counter}},"id":"{{uuid}}"}',
  )
  const fill = page.getByRole('checkbox', { name: /Fill in placeholders/ })
  await page.locator('.cm-lintRange-error').first().waitFor()
  await fill.check()
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
  await page.getByText('Body to send, with placeholders filled in').click()
  await page.getByLabel('Body to send').getByText('"n": 1').waitFor()
  await page.getByRole('button', { name: 'Save as template' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Counting')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /Template “Counting”/ }).waitFor()
  for (const count of [1, 2]) {
    await settled()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer.getByTestId('attempt-row').count()).toBe(count)
  }
  const bodies = target.received.map(({ body: received }) => received.toString())
  expect(bodies.map((received) => /"n":(\d+)/.exec(received)?.[1])).toEqual(['1', '2'])
  const ids = bodies.map((received) => /"id":"([0-9a-f-]{36})"/.exec(received)?.[1])
  expect(new Set(ids).size).toBe(2)
  expect(target.received.map(({ head }) => head[0])).toEqual([
    'POST /x?n=1 HTTP/1.1',
    'POST /x?n=2 HTTP/1.1',
  ])
  for (const [index, received] of target.received.entries()) {
    expect(header(received, 'X-Service-Signature')).toBe(signed(bodies[index] ?? ''))
    expect(header(received, 'X-Service-Event-Type')).toBe('OPEN_TAB')
  }
  await page.getByText('counter at 3').waitFor()
  expect(watched.faults).toEqual([])
})
