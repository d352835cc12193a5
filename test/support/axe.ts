import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Those of the rules that run by themselves that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is now, a line each. All its rules run; of what passes nothing is described. */
export function axeFaults(page: Page): Promise<string[]> {
  return run(page, null)
}

/**
 * The same in light and in dark. The theme is of style sheets alone: what is there, what it is called and where it is does not change with
 * it, so that in dark only those rules run that look at colours. The page must be shown in light.
 */
export async function axeFaultsInBoth(page: Page): Promise<string[]> {
  const light = await axeFaults(page)
  await turn(page, 'dark')
  const dark = await run(page, colourRules)
  await turn(page, 'light')
  return [...light, ...dark.map((fault) => `in dark, ${fault}`)]
}

/** A colour that is still on its way to another is neither: transitions are waited for. */
async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
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
      ...(only === null ? {} : { runOnly: { type: 'rule', values: [...only] } }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  }, rules)
}
