import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const folder = path.resolve(import.meta.dirname, '../../out/renderer')

/** What the page has fetched of the built interface, itself among it: name and size in bytes, each file compressed with gzip as usual. */
export async function fetchedBy(page: Page): Promise<{ name: string; bytes: number }[]> {
  const names = await page.evaluate(async () => {
    await document.fonts.ready
    return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  })
  // The requests for a session are no files.
  const files = new Set(['/index.html', ...names.filter((name) => !name.startsWith('/session'))])
  return [...files].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(path.join(folder, name))).byteLength,
  }))
}
