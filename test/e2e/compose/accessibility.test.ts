import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFaultsInAll, axeFaultsInBoth, narrow } from '../../support/axe.ts'
import type { Product } from '../../support/product.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../../support/product.ts'
import type { RawTarget } from '../../support/raw-target.ts'
import { rawTarget, reply } from '../../support/raw-target.ts'
import { composePage, secret } from './steps.ts'

let product: Product
let target: RawTarget
beforeAll(async () => {
  product = await startProduct({ secret })
  target = await rawTarget(() => reply(200, '{"ok":true}'))
  await deliver(product.endpoint, '{"type":"OPEN_TAB","createdAt":"now","data":{"x":1}}', {
    secret,
  })
})
afterAll(async () => {
  await closeBrowser()
  await target[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
})

it('has no axe violations in Compose, wide and narrow, light and dark', async () => {
  await using watched = await openPage(product.ui)
  const { page, body, goesTo, answer } = composePage(watched.page)
  const expectNone = async (where: string): Promise<void> => {
    expect(await axeFaultsInAll(page), where).toEqual([])
  }
  await goTo(page, 'Compose')
  await page.getByRole('heading', { name: 'What do you want to send?' }).waitFor()
  await expectNone('start')
  await page.goto(new URL('#/compose/from/1', product.ui).href)
  await page.getByText('Exactly as captured').waitFor()
  await goesTo(`${target.origin}/x`)
  await body.press('Control+End')
  await body.press('Backspace')
  await page.locator('.cm-lintRange-error').waitFor()
  await page.keyboard.press('Control+Enter')
  await answer.getByTestId('attempt-row').first().waitFor()
  await expectNone('edited and sent')
  await body.press('Control+f')
  await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor()
  await expectNone('search')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /Headers/ }).click()
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.keyboard.type('a b')
  await page.getByText(/not a valid header name/).waitFor()
  await expectNone('headers')
  await page.keyboard.press('Escape')
  await goesTo('https://192.0.2.1/')
  await page.getByText('Public, needs confirmation').waitFor()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await expectNone('a question')
  await page.keyboard.press('Escape')

  // In a narrow window the list covers the editor.
  await page.setViewportSize(narrow)
  await page.getByRole('button', { name: 'Drafts' }).click()
  await page
    .getByRole('link', { name: /from delivery/ })
    .first()
    .waitFor()
  expect(await axeFaultsInBoth(page), 'the list over it').toEqual([])
  expect(watched.faults).toEqual([])
})
