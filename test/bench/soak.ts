// Measures whether memory grows: signed deliveries at a steady rate, with the interface open in a real Chromium. Prints the memory of the engine and of
// the page at each minute, and its slope. `npm run bench -- soak`; MINUTES=30 and RATE=500 change how long and how many a second.
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { load, mib, print, processorTime, resident, secret, startTabscope } from './processes.ts'

const minutes = Number(process.env['MINUTES'] ?? 30)
const rate = Number(process.env['RATE'] ?? 500)
/** Deliveries that Tabscope keeps by default. Until then, caches and the store fill, so that the slope would say nothing. */
const kept = 100_000

interface Sample {
  readonly minute: number
  /** Resident memory of the process, in bytes. */
  readonly engine: number
  /** Resident memory of the page's process, in bytes. */
  readonly renderer: number
  /** Used heap of the page after a garbage collection, in bytes. */
  readonly heap: number
}

/** Resident memory of the only page of this browser, in bytes. */
async function rendererMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  // Chromium keeps a spare process for the next page, which is smaller.
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return Math.max(0, ...renderers.map(({ id }) => resident(id) ?? 0))
}

const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length

/** Slope of the line through these points by least squares, in bytes a minute. */
function slope(points: readonly (readonly [minute: number, bytes: number])[]): number {
  const x = mean(points.map(([minute]) => minute))
  const y = mean(points.map(([, bytes]) => bytes))
  const over = points.reduce((sum, [minute, bytes]) => sum + (minute - x) * (bytes - y), 0)
  return over / points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0)
}

await using tabscope = await startTabscope()
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(tabscope.ui)
  await page.getByText('No deliveries yet').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const sample = async (minute: number): Promise<Sample> => {
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
    const engine = resident(tabscope.pid) ?? 0
    const taken = { minute, engine, renderer: await rendererMemory(browser), heap }
    print(
      `  minute ${String(minute).padStart(2)}: engine ${mib(engine)}, page ${mib(taken.renderer)} (heap ${mib(heap)})`,
    )
    return taken
  }

  print(`soak: ${rate} signed deliveries a second for ${minutes} minutes, with a page`)
  const samples = [await sample(0)]
  const count = minutes * 60 * rate
  const target = { port: tabscope.port, path: '/hooks/sandbox', secret, connections: 8, rate }
  const loading = load({ ...target, seconds: minutes * 120, count })
  const begun = performance.now()
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause(begun + minute * 60_000 - performance.now())
    samples.push(await sample(minute))
  }
  const result = await loading
  const { answered, refused, perSecond } = result
  if (refused > 0) throw new Error(`${refused} of ${count} were refused`)
  print(
    `  ${answered} answered, ${perSecond.toFixed(0)}/s, p99 ${result.p99.toFixed(1)} ms; engine ${processorTime(tabscope.pid)} s of CPU`,
  )
  const full = samples.filter(({ minute }) => minute * 60 * rate >= kept)
  if (full.length < 3) print(`  no slope: the store did not hold ${kept} deliveries for 3 minutes`)
  else {
    const each = (['engine', 'renderer', 'heap'] as const).map((name) => {
      const bytes = slope(full.map((taken) => [taken.minute, taken[name]]))
      return `${name} ${((bytes * 60) / 1024 / 1024).toFixed(1)} MiB`
    })
    print(`  slope from minute ${full[0]?.minute}, an hour: ${each.join(', ')}`)
  }
} finally {
  await browser.close()
}
