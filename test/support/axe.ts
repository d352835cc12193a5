import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Those of the rules that run by themselves that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** What stands around a fault is not told: to write that down for all that passes takes a tenth of the time. */
const axe = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
;axe.configure({ noHtml: true })`

/** What axe finds on the page as it is now, a line each. All its rules run; of what passes nothing is described. */
export function axeFaults(page: Page): Promise<string[]> {
  return run(page, null)
}

/** The windows in which a state is looked at: the usual one, and the smallest that is meant for work. */
export const wide = { width: 1440, height: 900 } as const
export const narrow = { width: 1024, height: 700 } as const

/**
 * The same in light and in dark. The theme is of style sheets alone: what is there, what it is called and where it is does not change with
 * it, so that in dark only those rules run that look at colours. The page must be shown in light.
 */
export async function axeFaultsInBoth(page: Page): Promise<string[]> {
  const light = await axeFaults(page)
  await turn(page, 'dark')
  const dark = await darkFaults(page)
  await turn(page, 'light')
  return [...light, ...dark]
}

async function darkFaults(page: Page): Promise<string[]> {
  return (await run(page, colourRules)).map((fault) => `in dark, ${fault}`)
}

/**
 * The same in a wide and in a narrow window: a state that is reached once is looked at four times, which is much less than to come to it
 * four times. Begins and ends with the wide one in light. `besides` is what else must hold in each window, a line for each fault.
 */
export async function axeFaultsInAll(
  page: Page,
  besides: (size: typeof wide | typeof narrow) => Promise<readonly string[]> = async () => [],
): Promise<string[]> {
  const atWide = [...(await axeFaults(page)), ...(await besides(wide))]
  await turn(page, 'dark')
  atWide.push(...(await darkFaults(page)))
  await resize(page, narrow)
  const atNarrow = await darkFaults(page)
  await turn(page, 'light')
  atNarrow.push(...(await axeFaults(page)), ...(await besides(narrow)))
  await resize(page, wide)
  return [
    ...atWide.map((fault) => `wide: ${fault}`),
    ...atNarrow.map((fault) => `narrow: ${fault}`),
  ]
}

/** With all rules, but in half of these: in a wide window in light, and in a narrow one in dark. For states that are much like others. */
export async function axeFaultsInHalf(
  page: Page,
  besides: (size: typeof wide | typeof narrow) => Promise<readonly string[]>,
): Promise<string[]> {
  const atWide = [...(await axeFaults(page)), ...(await besides(wide))]
  await turn(page, 'dark')
  await resize(page, narrow)
  const atNarrow = [...(await axeFaults(page)), ...(await besides(narrow))]
  await turn(page, 'light')
  await resize(page, wide)
  return [
    ...atWide.map((fault) => `wide, in light: ${fault}`),
    ...atNarrow.map((fault) => `narrow, in dark: ${fault}`),
  ]
}

/** What is wider than its window, or higher: a page never scrolls as a whole. For `axeFaultsInAll`. */
export function runsOver(page: Page): (size: typeof wide | typeof narrow) => Promise<string[]> {
  return async ({ width, height }) => {
    const [x, y] = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return [scrollWidth, scrollHeight]
    })
    return x === width && y === height ? [] : [`it is ${x} by ${y}`]
  }
}

/** Waits until what follows the window's size has followed: observers speak with the next frame, and what they change is drawn with the one after. */
export async function resize(
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
    }
  })
  await transitions(page)
}

/** A colour that is still on its way to another is neither: transitions are waited for. */
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

/** `rules`: only these; null: all that run by themselves. */
async function run(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // The page's own policy allows no foreign script; a script of the debugger is not one. Once for a page is enough.
  const isThere = await page.evaluate(() => Reflect.has(globalThis, 'axe'))
  if (!isThere) await page.evaluate(axe)
  return page.evaluate(async (only): Promise<string[]> => {
    const runner = Reflect.get(globalThis, 'axe')
    const results: AxeResults = await runner.run(document, {
      resultTypes: ['violations'],
      elementRef: false,
      // Reads every style sheet again, for what is played and for nothing else that runs here.
      preload: document.querySelector('audio, video') !== null,
      ...(only === null ? {} : { runOnly: { type: 'rule', values: [...only] } }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  }, rules)
}
