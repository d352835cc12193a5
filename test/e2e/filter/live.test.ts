import { decode, encode } from '@msgpack/msgpack'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { axeFaults } from '../../support/axe.ts'
import { browser, closeBrowser, openOwnPage, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { field, waitForRows, order, rows, secret, tab, titles } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

it('shows new deliveries that match, for any filter, and no others', async () => {
  const product = await fresh()
  await order(product, 'A-1', 200)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 1)
  await field(page).fill('data.total:>100 Patio')
  await page.keyboard.press('Enter')
  await waitForRows(page, 1)
  await order(product, 'A-2', 20)
  await order(product, 'A-3', 300)
  await tab(product, 'Okafor')
  await order(product, 'A-4', 400)
  await waitForRows(page, 3)
  expect(await titles(page)).toEqual([
    expect.stringContaining('A-4'),
    expect.stringContaining('A-3'),
    expect.stringContaining('A-1'),
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.press('p')
  await order(product, 'A-5', 500)
  await order(product, 'A-6', 60)
  await page.getByRole('button', { name: 'Paused, 1 waiting' }).waitFor()
  await page.keyboard.press('p')
  await waitForRows(page, 4)
  expect((await titles(page))[0]).toContain('A-5')
  expect(watched.faults).toEqual([])
})

it('keeps its position under a filter when scrolled away', async () => {
  const product = await fresh()
  for (let number = 1; number <= 90; number += 1) await order(product, `A-${number}`, number)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(10).waitFor()
  await field(page).fill('type:ORDER_PLACED data.total:>0')
  await page.keyboard.press('Enter')
  await page.getByRole('status', { name: 'Matching deliveries' }).getByText('90 of 90').waitFor()
  await rows(page).first().hover()
  await page.mouse.wheel(0, 900)
  await rows(page).filter({ hasText: 'A-50' }).first().waitFor()
  const place = () => rows(page).filter({ hasText: 'A-50' }).first().boundingBox()
  const before = await place()
  await order(product, 'A-91', 91)
  await page.getByRole('button', { name: /1 new/ }).waitFor()
  expect((await place())?.y).toBe(before?.y)
  await page.getByRole('button', { name: /1 new/ }).click()
  await rows(page).filter({ hasText: 'A-91' }).waitFor()
  expect(watched.faults).toEqual([])
})

const Arrived = z.looseObject({
  kind: z.literal('push'),
  payload: z.looseObject({ stats: z.looseObject({ newestId: z.number(), indexedId: z.number() }) }),
})

it('shows how far the search index is behind, where that may explain an empty result', async () => {
  const product = await fresh()
  await order(product, 'A-1', 1)
  await using watched = await openOwnPage('about:blank')
  const { page } = watched
  /** Between the engine and the page: reports that the index is behind. */
  let behind = true
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const engine = socket.connectToServer()
    engine.onMessage((message) => {
      if (typeof message === 'string') return socket.send(message)
      const frame = Arrived.safeParse(decode(message))
      if (!frame.success || !behind) return socket.send(message)
      const { stats } = frame.data.payload
      stats.indexedId = stats.newestId - 1200
      socket.send(Buffer.from(encode(frame.data)))
    })
  })
  await page.goto(product.ui)
  await waitForRows(page, 1)
  const foot = page.getByRole('contentinfo')
  await foot.getByText('search index up to date').waitFor()
  await order(product, 'A-2', 2)
  await foot.getByText('search index 1,200 deliveries behind').waitFor()
  await field(page).fill('nobody-writes-this')
  await page.getByText(/The search index is 1,200 deliveries behind/).waitFor()
  behind = false
  await order(product, 'A-3', 3)
  await foot.getByText('search index up to date').waitFor()
  expect(watched.faults).toEqual([])
})

const Reply = z.looseObject({
  kind: z.literal('reply'),
  output: z.looseObject({ searched: z.number(), complete: z.boolean() }),
})

it('shows the progress of a long search, stops it, and resumes it', async () => {
  const product = await fresh()
  for (let number = 1; number <= 4; number += 1) await order(product, `A-${number}`, number)
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  /** Between the engine and the page: reports every search as in progress until it may end. */
  let ends = false
  let answers = 0
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const engine = socket.connectToServer()
    engine.onMessage((message) => {
      if (typeof message === 'string') return socket.send(message)
      const frame = Reply.safeParse(decode(message))
      if (!frame.success || ends) return socket.send(message)
      answers += 1
      frame.data.output.complete = false
      frame.data.output.searched = 0.38
      socket.send(Buffer.from(encode(frame.data)))
    })
  })
  await page.goto(product.ui)
  await waitForRows(page, 4)
  await field(page).fill('data.total:>1')
  await page.getByText('3 so far, 38 % searched').waitFor()
  const bar = page.getByRole('progressbar', { name: 'Search progress' })
  expect(await bar.getAttribute('aria-valuenow')).toBe('38')
  await waitForRows(page, 3)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('at least 3, 38 % searched').waitFor()
  const stopped = answers
  await order(product, 'A-9', 9)
  await waitForRows(page, 4)
  expect(answers - stopped).toBeLessThan(2)
  ends = true
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('status', { name: 'Matching deliveries' }).getByText('4 of 5').waitFor()
  await context.close()
})

it('finds words by prefix while you type, inside words on request, and highlights them', async () => {
  const product = await fresh()
  await tab(product, 'Miller')
  await tab(product, 'Emilia')
  await tab(product, 'Okafor')
  await using watched = await openPage(product.ui)
  const { page } = watched
  /** Highlighted text in an element, in page order. */
  const marked = (within: string) =>
    page.evaluate((selector) => {
      const ranges = [...(CSS.highlights.get('search-hit') ?? [])]
      return ranges
        .filter(
          (range) =>
            range instanceof Range && range.startContainer.parentElement?.closest(selector),
        )
        .map(String)
        .join(' ')
    }, within)
  await waitForRows(page, 3)
  await field(page).pressSequentially('mil')
  await waitForRows(page, 1)
  await expect.poll(() => marked('.c-title')).toBe('Mil')

  const inside = page.getByRole('button', { name: 'Inside words' })
  expect(await inside.getAttribute('aria-pressed')).toBe('false')
  await inside.click()
  await waitForRows(page, 2)
  expect(await field(page).inputValue()).toBe('contains:mil')
  expect(await inside.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => marked('.c-title')).toBe('mil Mil')
  expect(await axeFaults(page)).toEqual([])

  await rows(page).filter({ hasText: 'Miller' }).click()
  await expect.poll(() => marked('.ticket')).toContain('Mil')
  await page.keyboard.press('3')
  await page.getByRole('treeitem', { name: 'name: "Miller"' }).waitFor()
  await expect.poll(() => marked('.tree-line')).toContain('Mil')

  await inside.click()
  await waitForRows(page, 1)
  expect(await field(page).inputValue()).toBe('mil')
  await field(page).fill('type:OPEN_TAB')
  await waitForRows(page, 3)
  expect(await inside.count()).toBe(0)
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0)
  expect(watched.faults).toEqual([])
})
