import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The surrounding HTML of elements is not reported, which saves a tenth of the time. */
const axe = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
;axe.configure({ noHtml: true })`

/** Returns the violations on the current page, one per line. Default: of all default rules. */
export async function axeFaults(page: Page, ...rules: readonly string[]): Promise<string[]> {
  // Injected through the debugger, because the page's content security policy forbids other scripts. Needed only once per page.
  const isThere = await page.evaluate(() => Reflect.has(globalThis, 'axe'))
  if (!isThere) await page.evaluate(axe)
  return page.evaluate(async (only): Promise<string[]> => {
    const runner = Reflect.get(globalThis, 'axe')
    const results: AxeResults = await runner.run(document, {
      resultTypes: ['violations'],
      elementRef: false,
      ...(only.length > 0 ? { runOnly: { type: 'rule', values: only } } : {}),
      // Reads every style sheet again, for what is played and for nothing else that runs here.
      preload: document.querySelector('audio, video') !== null,
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  }, rules)
}

/** Window sizes of the checks: the default size, and the smallest supported size. */
export const wide = { width: 1440, height: 900 } as const
export const narrow = { width: 1024, height: 700 } as const

/** Reports a page that is larger than its window, because pages must not scroll as a whole. */
export async function runsOver(page: Page, { width, height }: typeof wide | typeof narrow) {
  const [x, y] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    return [scrollWidth, scrollHeight]
  })
  return x === width && y === height ? [] : [`it is ${x} by ${y}`]
}

/** Waits until the page has adapted to the window size: observers run in the next frame, and their changes are rendered in the one after. */
export async function resize(
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((drawn) => requestAnimationFrame(drawn))
  })
  await transitions(page)
}

/** Waits for the end of transitions, because colors are undefined during a transition. */
export async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await transitions(page)
}

async function transitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(running.map((one) => one.finished))
  })
}
