import { afterAll, expect, it } from 'vitest'
import { closeBrowser, openOwnPage, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { field, waitForRows, order, rows, secret, titles } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

const hostile = 'ask <img src=x onerror=alert(1)> \u202eneht\nsecond line'

it('adds notes and tags to a delivery, pins it, and finds it by them after a reload', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 20)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 2)
  await rows(page).filter({ hasText: 'A-1' }).click()
  const words = page.getByRole('group', { name: 'Tags and note' })
  await words.getByRole('button', { name: 'Note' }).waitFor()

  await page.keyboard.press('n')
  await page.getByLabel('Note', { exact: true }).fill(hostile)
  await page.keyboard.press('Control+Enter')
  const note = words.getByRole('note')
  await note.waitFor()
  expect(await note.locator('p').allTextContents()).toEqual([
    String.raw`ask <img src=x onerror=alert(1)> \u202eneht`,
    'second line',
  ])

  await page.keyboard.press('l')
  await page.getByRole('combobox', { name: 'New tag' }).fill('bug')
  await page.keyboard.press('Enter')
  await words.getByRole('button', { name: 'Remove the tag bug' }).waitFor()
  await page.keyboard.type('ask the service')
  await page.keyboard.press('Enter')
  await words.getByRole('button', { name: 'Remove the tag ask the service' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pinned', exact: true }).waitFor()
  const row = rows(page).filter({ hasText: 'A-1' })
  expect(await row.locator('.own-marks').textContent()).toContain('bug')
  await row.getByText('noted').waitFor({ state: 'attached' })

  await page.reload()
  await waitForRows(page, 2)
  await field(page).fill('tag:bug is:noted')
  await page.keyboard.press('Enter')
  await waitForRows(page, 1)
  expect(await titles(page)).toEqual([expect.stringContaining('A-1')])
  await field(page).fill('note:"second line"')
  await page.keyboard.press('Enter')
  await waitForRows(page, 1)

  // Tags that were used before are suggested.
  await field(page).fill('')
  await page.keyboard.press('Enter')
  await waitForRows(page, 2)
  await rows(page).filter({ hasText: 'A-2' }).click()
  await words.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.keyboard.type('bu')
  await page.getByRole('option', { name: 'bug' }).click()
  await words.getByRole('button', { name: 'Remove the tag bug' }).waitFor()
  await page.keyboard.press('Escape')

  // A list filtered by tag updates immediately when a tag is removed.
  await field(page).fill('tag:bug')
  await page.keyboard.press('Enter')
  await waitForRows(page, 2)
  await words.getByRole('button', { name: 'Remove the tag bug' }).click()
  await waitForRows(page, 1)
  expect(watched.faults).toEqual([])
})

it('saves a note on blur, and restores it on Escape', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().click()
  const words = page.getByRole('group', { name: 'Tags and note' })
  await words.getByRole('button', { name: 'Note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('left by a click')
  await page.getByRole('tab', { name: 'Headers' }).click()
  await words.getByRole('note').getByText('left by a click').waitFor()
  await words.getByRole('button', { name: 'Edit note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('thought better of')
  await page.keyboard.press('Escape')
  await words.getByRole('note').getByText('left by a click').waitFor()
  // The key went to the note, and did not close the delivery.
  await page.getByRole('tab', { name: 'Headers', selected: true }).waitFor()
  await words.getByRole('button', { name: 'Edit note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('')
  await page.keyboard.press('Control+Enter')
  await words.getByRole('note').waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('accepts keys pressed before the note has loaded', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await using watched = await openOwnPage('about:blank')
  const { page } = watched
  /** Between the engine and the page: delays messages. */
  const held: (() => void)[] = []
  let holds = false
  await page.routeWebSocket(/\/wire$/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const pass = (): void => socket.send(message)
      if (holds) held.push(pass)
      else pass()
    })
  })
  await page.goto(product.ui)
  await waitForRows(page, 1)
  holds = true
  await rows(page).first().click()
  const words = page.getByRole('group', { name: 'Tags and note' })
  await words.getByRole('button', { name: 'Note', disabled: true }).waitFor()
  await page.keyboard.press('n')
  holds = false
  for (const pass of held) pass()
  await page.getByLabel('Note', { exact: true }).fill('written at once')
  await page.keyboard.press('Control+Enter')
  await words.getByRole('note').getByText('written at once').waitFor()
  expect(watched.faults).toEqual([])
})
