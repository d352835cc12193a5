import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is now, a line each. */
export async function axeFaults(page: Page): Promise<string[]> {
  // The page's own policy allows no foreign script; a script of the debugger is not one.
  await page.evaluate(axe)
  const results = await page.evaluate(async (): Promise<AxeResults> => {
    const runner = Reflect.get(globalThis, 'axe')
    return runner.run(document)
  })
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}
