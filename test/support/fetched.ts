import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const folder = path.resolve(import.meta.dirname, '../../out/renderer')

/** Returns the files of the built interface that the page has loaded, including itself, with name and gzip-compressed size in bytes. */
export async function fetchedBy(page: Page): Promise<{ name: string; bytes: number }[]> {
  const names = await page.evaluate(async () => {
    await document.fonts.ready
    return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  })
  // Ignore the requests for a session.
  const files = new Set(['/index.html', ...names.filter((name) => !name.startsWith('/session'))])
  return [...files].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(path.join(folder, name))).byteLength,
  }))
}
