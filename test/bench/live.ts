// Measures the time from socket to rendered row: 500 deliveries per second for 30 s in the built product, with a real Chromium.
// Then the heap of a page in an hour of 100,000 arrivals, which come faster here.
import path from 'node:path'
import Database from 'better-sqlite3'
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { load, mib, print, quantile, resident, secret, startTabscope } from './processes.ts'

const rate = 500
const seconds = Number(process.env['SECONDS'] ?? 30)
const arrivals = { minute: 1_667, hour: 100_000 } as const

interface Watched {
  /** Delivery id and the time of the first frame with its row, in milliseconds since the epoch. */
  readonly painted: readonly (readonly [number, number])[]
  /** Milliseconds. */
  readonly longTasks: readonly number[]
  readonly frames: readonly number[]
}

/** Runs in the page. Records the first frame of each row, long tasks, and times between frames. */
function watch(): void {
  const painted: [number, number][] = []
  const longTasks: number[] = []
  const frames: number[] = []
  const seen = new Set<number>()
  Reflect.set(globalThis, 'watched', { painted, longTasks, frames })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longTasks.push(entry.duration)
  }).observe({ entryTypes: ['longtask'] })
  // Rows added to the document since the last frame.
  let fresh: number[] = []
  const note = (node: Node): void => {
    if (!(node instanceof Element)) return
    for (const row of [node, ...node.querySelectorAll('[data-testid="delivery-row"]')]) {
      const id = Number(row.getAttribute('data-id'))
      if (id > 0 && !seen.has(id)) fresh.push(id)
      if (id > 0) seen.add(id)
    }
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      note(target)
      addedNodes.forEach(note)
    }
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-id'] })

  // A message posted at the start of a frame is handled after the frame is rendered.
  const drawn = new MessageChannel()
  drawn.port1.addEventListener('message', () => {
    const at = performance.timeOrigin + performance.now()
    for (const id of fresh) painted.push([id, at])
    fresh = []
  })
  drawn.port1.start()
  let last = performance.now()
  const frame = (): void => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    drawn.port2.postMessage(null)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
}

async function readWatched(page: Page): Promise<Watched> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put there by `watch`
  return page.evaluate(() => Reflect.get(globalThis, 'watched') as Watched)
}

await using tabscope = await startTabscope()
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(tabscope.ui)
  await page.getByText('No deliveries yet').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const target = { port: tabscope.port, path: '/hooks/sandbox', secret, connections: 8, rate }

  await load({ ...target, seconds: 5 })
  const before = { renderer: await heap(session), engine: resident(tabscope.pid) }
  await page.evaluate(watch)
  const result = await load({ ...target, seconds })
  await page.waitForTimeout(1000)
  const watched = await readWatched(page)
  const after = { renderer: await heap(session), engine: resident(tabscope.pid) }

  const db = new Database(path.join(tabscope.dataDir, 'tabscope.db'), { readonly: true })
  const received = db.prepare<[number], { us: number }>(
    'SELECT received_us AS us FROM delivery WHERE id = ?',
  )
  const delays = watched.painted.flatMap(([id, at]) => {
    const row = received.get(id)
    return row ? [at - row.us / 1000] : []
  })
  db.close()

  // Ignore the first frames, in which the recording started.
  const frames = watched.frames.slice(5)
  const dropped = frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / (1000 / 60)) - 1), 0)
  print(
    `live: ${rate}/s for ${seconds} s, ${result.answered} answered, ${delays.length} rows painted`,
  )
  print(
    `  socket to painted row: p50 ${quantile(delays, 0.5).toFixed(1)} ms, p95 ${quantile(delays, 0.95).toFixed(1)} ms, max ${Math.max(...delays).toFixed(1)} ms`,
  )
  print(
    `  tasks over 50 ms: ${watched.longTasks.length}, longest ${Math.max(0, ...watched.longTasks).toFixed(0)} ms`,
  )
  print(`  frames dropped: ${dropped} of ${frames.length + dropped}`)
  print(`  renderer heap: ${mib(before.renderer)} after 5 s, ${mib(after.renderer)} at the end`)
  print(`  engine memory: ${mib(before.engine)} after 5 s, ${mib(after.engine)} at the end`)

  // What `watch` keeps is no part of the page.
  await page.reload()
  await page.getByTestId('delivery-row').first().waitFor()
  const heapAfter = async (count: number): Promise<number> => {
    await load({ ...target, rate: null, seconds: 3600, count })
    await page.waitForTimeout(1000)
    return heap(session)
  }
  const minute = await heapAfter(arrivals.minute)
  const hour = await heapAfter(arrivals.hour - arrivals.minute)
  print(
    `  renderer heap: ${mib(minute)} after ${arrivals.minute} arrivals, ${mib(hour)} after ${arrivals.hour}: ${(hour / minute).toFixed(2)}`,
  )
} finally {
  await browser.close()
}
