import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is now, a line each. All its rules run; of what passes nothing is described. */
export async function axeFaults(page: Page): Promise<string[]> {
  // The page's own policy allows no foreign script; a script of the debugger is not one. Once for a page is enough.
  const isThere = await page.evaluate(() => Reflect.has(globalThis, 'axe'))
  if (!isThere) await page.evaluate(axe)
  return page.evaluate(async (): Promise<string[]> => {
    const runner = Reflect.get(globalThis, 'axe')
    const results: AxeResults = await runner.run(document, {
      resultTypes: ['violations'],
      elementRef: false,
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  })
}
