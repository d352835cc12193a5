import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults, narrow, resize, runsOver, turn, wide } from '../../support/axe.ts'
import { everyPage, reach } from '../../support/states/every-page.ts'
import {
  forcedColourFaults,
  focusTop,
  keyboardFaults,
  motionFaults,
  outlineFaults,
  reflowFaults,
} from '../../support/page-probes.ts'
import {
  deliver,
  openOwnPage,
  startProduct,
  type Product,
  type OpenedPage,
} from '../../support/product.ts'
import { openSubjects, secret, visit, type OpenedSubjects } from '../../support/states/chapter.ts'
import { deliveryChapters } from '../../support/states/deliveries.ts'
import { pageChapters } from '../../support/states/pages.ts'

/** The size of a 1440 × 900 window at 200 % and 400 % zoom. */
const at200 = { width: 720, height: 450 }
const at400 = { width: 360, height: 640 }

const long = 'Überseegemeinschaftshaus'.repeat(8)

/** An order with long names, many items and a large amount. */
const longOrder = JSON.stringify({
  type: 'ORDER_PLACED',
  targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
  locationName: long,
  createdAt: '2026-11-20T20:09:04.512Z',
  data: {
    orderName: long,
    zoneName: 'الشرفة الكبيرة على شاطئ البحر',
    spotName: long,
    total: 123456789012.34,
    itemNames: Array.from({ length: 60 }, (_, index) => `${index} ${long}`),
    [long]: `https://example.com/${'path/'.repeat(60)}`,
  },
})

/** WCAG 1.4.6. */
const enhanced = 'color-contrast-enhanced'

/** One product and one page for all tests: reaching a state costs more than checking it. */
describe('works by keyboard, zoomed, with reduced motion and with forced colors', () => {
  let product: Product
  let page: OpenedPage

  beforeAll(async () => {
    product = await startProduct({ secret })
    page = await openOwnPage(product.ui, { viewport: wide })
  })
  afterAll(async () => {
    await page[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const check = async (name: string): Promise<void> => {
    for (const [what, faults] of await faultsOf(page)) {
      expect.soft(faults, `${name}: ${what}`).toEqual([])
    }
  }

  it('before the first delivery', async () => {
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    expect.soft(await outlineFaults(page, 'Deliveries')).toEqual([])
    await check('the first minutes')

    await page.getByRole('button', { name: 'Send samples' }).click()
    await page.getByTestId('delivery-row').nth(12).waitFor()
    await deliver(product.endpoint, longOrder, { secret })
    await page.getByTestId('delivery-row').nth(13).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  it('with the skip link and the focus after dialogs', async () => {
    await skips(page)
    await givesBack(page)
  })

  it.for(Object.entries(everyPage))('on the page %s', async ([, states]) => {
    for (const state of states) {
      await reach(page, state)
      expect.soft(await outlineFaults(page, state.title), `${state.name}: outline`).toEqual([])
      await check(state.name)
      await state.leave?.(page)
    }
  })
})

describe('has no axe violations in a wide, light window and a narrow, dark one, and does not overflow it', () => {
  let subjects: OpenedSubjects
  let page: OpenedPage
  beforeAll(async () => {
    subjects = await openSubjects()
    page = await openOwnPage(subjects.product.ui)
  })
  afterAll(async () => {
    await page[Symbol.asyncDispose]()
    await subjects[Symbol.asyncDispose]()
  })

  it.for([...deliveryChapters, ...pageChapters])('in $name', async (chapter) => {
    await visit(chapter, subjects, page, async (name) => {
      for (const [size, theme] of [
        [wide, 'light'],
        [narrow, 'dark'],
      ] as const) {
        await resize(page, size)
        await turn(page, theme)
        expect.soft(await axeFaults(page), `${name}, ${theme}`).toEqual([])
        expect.soft(await runsOver(page, size), name).toEqual([])
      }
      await resize(page, wide)
      await turn(page, 'light')
    })
    expect(page.faults).toEqual([])
  })
})

/** The first element that the Tab key reaches skips the rail and the bar, and stays on the same page. */
async function skips(page: Page): Promise<void> {
  await reach(page, { name: '', hash: '#/settings' })
  await page.getByLabel('Find a setting').waitFor()
  await focusTop(page)
  await page.keyboard.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Skip to the page')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.keyboard.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null))
    .toBe(true)
  expect(new URL(page.url()).hash).toBe('#/settings')
}

/** When a dialog closes, the focus returns to the element that opened it. */
async function givesBack(page: Page): Promise<void> {
  await reach(page, { name: '', hash: '#/setup/endpoints' })
  const button = page.getByRole('button', { name: 'New endpoint' })
  await button.focus()
  for (const key of ['Enter', '?', 'Control+k']) {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => button.evaluate((one) => one === document.activeElement), { message: key })
      .toBe(true)
  }
}

async function faultsOf(page: Page): Promise<(readonly [string, string[]])[]> {
  const found: (readonly [string, string[]])[] = []
  found.push(['motion', await motionFaults(page)])
  found.push(['keyboard', await keyboardFaults(page)])
  await page.emulateMedia({ forcedColors: 'active' })
  found.push(['forced colours', await forcedColourFaults(page)])
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  found.push(['more contrast', await axeFaults(page, enhanced)])
  await turn(page, 'dark')
  found.push(['more contrast in dark', await axeFaults(page, enhanced)])
  await turn(page, 'light')
  await page.emulateMedia({ contrast: 'no-preference' })
  await resize(page, narrow)
  found.push(['reflow in the smallest window', await reflowFaults(page)])
  await resize(page, at200)
  found.push(['axe at 200 %', await axeFaults(page)])
  found.push(['reflow at 200 %', await reflowFaults(page)])
  await resize(page, at400)
  found.push(['reflow at 400 %', await reflowFaults(page)])
  await resize(page, wide)
  return found
}
