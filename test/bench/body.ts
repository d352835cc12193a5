// Opens a large JSON body in the built product in a real Chromium. Measures the longest task, the longest gap between two frames, and the time to the
// first lines, compared with a small body.
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { bigOrder } from '../support/big-order.ts'
import { launchBrowser } from '../support/browser.ts'
import { median, print, secret, startTabscope } from './processes.ts'

const turns = Number(process.env['TURNS'] ?? 5)

/** Runs in the page. Records long tasks and times between frames in milliseconds. */
function watch(): void {
  const watched = { longTasks: [0], frames: [0] }
  Reflect.set(globalThis, 'watched', watched)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) watched.longTasks.push(entry.duration)
  }).observe({ entryTypes: ['longtask'] })
  let last = performance.now()
  const frame = (): void => {
    const now = performance.now()
    watched.frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

async function taken(page: Page): Promise<{ task: number; gap: number; tasks: number }> {
  // Observers are called shortly after the task.
  await page.waitForTimeout(300)
  return page.evaluate(() => {
    const watched = Reflect.get(globalThis, 'watched')
    const result = {
      task: Math.max(...watched.longTasks),
      tasks: watched.longTasks.filter((ms: number) => ms > 50).length,
      gap: Math.max(...watched.frames),
    }
    watched.longTasks.length = 1
    watched.frames.length = 1
    return result
  })
}

const said = ({ task, gap, tasks }: Awaited<ReturnType<typeof taken>>): string =>
  `tasks over 50 ms: ${tasks}${tasks > 0 ? `, longest ${task.toFixed(0)} ms` : ''}; longest gap between frames ${gap.toFixed(0)} ms`

/** Opens the Body tab of a delivery. Returns the milliseconds until its first lines are shown. */
async function open(page: Page, row: number): Promise<number> {
  await page.keyboard.press('Escape')
  const began = performance.now()
  await page.getByTestId('delivery-row').nth(row).click()
  await page.getByRole('treeitem').nth(3).waitFor({ timeout: 60_000 })
  return performance.now() - began
}

await using tabscope = await startTabscope()
for (const mib of [0.01, 10]) {
  const body = bigOrder(mib).text
  await fetch(`http://127.0.0.1:${tabscope.port}/hooks/sandbox`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  })
}
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(tabscope.ui)
  await page.getByTestId('delivery-row').nth(1).click()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.evaluate(watch)
  const times: { small: number[]; large: number[] } = { small: [], large: [] }
  await taken(page)
  for (let turn = 0; turn < turns; turn++) times.small.push(await open(page, 1))
  const small = await taken(page)
  for (let turn = 0; turn < turns; turn++) times.large.push(await open(page, 0))
  const opening = await taken(page)

  const [fast, slow] = [median(times.small), median(times.large)]
  print(`body: 10 KiB and 10 MiB of JSON, each opened ${turns} times`)
  print(
    `  first lines: ${fast.toFixed(0)} ms and ${slow.toFixed(0)} ms, ratio ${(slow / fast).toFixed(1)}`,
  )
  print(`  opening 10 KiB: ${said(small)}`)
  print(`  opening 10 MiB: ${said(opening)}`)
  const tree = page.getByRole('tree')
  await tree.focus()
  await page.getByRole('button', { name: 'Unfold all' }).click()
  await page.getByRole('treeitem').nth(30).waitFor()
  print(`  unfolding all: ${said(await taken(page))}`)
  await tree.hover()
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(16)
  }
  print(`  scrolling: ${said(await taken(page))}`)
  await page.getByLabel('Find in body').pressSequentially('needle', { delay: 40 })
  await page.getByText('1 of 1').waitFor({ timeout: 60_000 })
  print(`  searching while typing: ${said(await taken(page))}`)
  for (const view of ['Text', 'Hex'] as const) {
    await page.getByRole('radio', { name: view }).check()
    await page
      .locator(view === 'Text' ? '.text-line' : '.hex-line')
      .nth(10)
      .waitFor()
    print(`  ${view.toLowerCase()} view: ${said(await taken(page))}`)
  }
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('article').waitFor()
  print(`  overview: ${said(await taken(page))}`)
} finally {
  await browser.close()
}
