import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { deliver, startProduct } from '../support/product.ts'
import { keys, realBrowsers, type RealBrowser } from '../support/real-browsers.ts'
import { until } from '../support/until.ts'

/** Clicks the first element whose name or text begins with `name`, once it stands still and nothing covers it. */
async function click(page: RealBrowser, selector: string, name = ''): Promise<void> {
  let before = ''
  const [x = 0, y = 0] = await until(`${selector} ${name}`, async () => {
    const center: unknown = await page.evaluate(`(() => {
      const isNamed = (one) => (one.ariaLabel ?? one.innerText).trim().startsWith('${name}')
      const found = [...document.querySelectorAll('${selector}')].find(isNamed)
      found?.scrollIntoView({ block: 'nearest' })
      const { x, y, width, height } = found?.getBoundingClientRect() ?? {}
      const center = [Math.round(x + width / 2), Math.round(y + height / 2)]
      return found?.contains(document.elementFromPoint(...center)) ? center : null
    })()`)
    const isStill = String(center) === before
    before = String(center)
    return isStill && Array.isArray(center) ? center.map(Number) : null
  })
  await page.click(x, y)
}

const row = '[data-testid="delivery-row"]'

/** Waits until an expression is true. */
function when(page: RealBrowser, expression: string): Promise<unknown> {
  return until(expression, async () => (await page.evaluate(expression)) === true)
}

function shows(page: RealBrowser, text: string, inside = 'body'): Promise<unknown> {
  return when(page, `document.querySelector('${inside}')?.innerText.includes('${text}')`)
}

function hasRows(page: RealBrowser, count: number): Promise<unknown> {
  return when(page, `document.querySelectorAll('${row}').length === ${count}`)
}

for (const { name, launch } of realBrowsers) {
  it.skipIf(launch === null)(
    `${name}: samples, open, filter, hold and release, export, health and script leave no message in the console`,
    async () => {
      await using handler = await loopbackService((_, response) => void response.end())
      await using product = await startProduct()
      await product.engine.call('forwards.add', { endpointId: 1, url: handler.baseUrl })
      await using page = await launch?.()
      if (page === undefined) return
      await page.open(product.ui)
      await click(page, 'button', 'Send samples')
      await hasRows(page, eventTypes.length)
      await click(page, row)
      await shows(page, 'Signature valid', '[aria-label=Delivery]')
      await page.type(keys.escape)

      await click(page, '[role=combobox]')
      await page.type(`type:OPEN_TAB${keys.enter}`)
      await hasRows(page, 1)

      await click(page, row)
      await shows(page, 'Tab opened', '[aria-label=Delivery]')
      await page.type(`${keys.escape}h`)
      await click(page, '[role=dialog] button', 'Hold')
      await shows(page, 'Holding')
      const before = handler.arrived.length
      await deliver(product.endpoint, '{"type":"OPEN_TAB","data":{}}')
      await shows(page, 'Release')
      await page.type('U')
      await until('the held delivery', () => handler.arrived.length > before)

      await page.type('s')
      await click(page, '[role=dialog] button[type=submit]', 'Export 2')
      await shows(page, 'Exported tabscope-')

      await click(page, 'nav a', 'Health')
      await click(page, '[role=slider]', 'Deliveries')

      await click(page, 'nav a', 'Setup')
      await click(page, 'nav a', 'Scripts')
      await click(page, 'button', 'Start empty')
      await click(page, 'div.framed')
      await page.type('a', keys.control)
      await page.type('export default () => ({ body: "by script" })')
      await page.type(keys.enter, keys.control)
      await shows(page, 'by script')
      expect(await page.messages()).toEqual([])
    },
  )
}
