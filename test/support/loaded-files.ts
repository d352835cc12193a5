import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const folder = path.resolve(import.meta.dirname, '../../out/renderer')

/**
 * Returns the files of the built interface that the page has loaded, including itself, with name and gzip-compressed size in bytes. The palette, which is
 * preloaded some time after the start, and what is loaded after it do not count, nor does the icon of the tab, which only complete browsers load.
 */
export async function loadedFiles(page: Page): Promise<{ name: string; bytes: number }[]> {
  const names = await page.evaluate(async () => {
    await document.fonts.ready
    const entries = performance.getEntriesByType('resource')
    const palette = entries.find(({ name }) => name.includes('/assets/Palette-'))
    const end = palette?.startTime ?? Infinity
    const icons = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=icon]')]
    const ignored = new Set(icons.map(({ href }) => href))
    return entries
      .filter(({ startTime, name }) => startTime < end && !ignored.has(name))
      .map(({ name }) => new URL(name).pathname)
  })
  // Ignore the requests for a session.
  const files = new Set(['/index.html', ...names.filter((name) => !name.startsWith('/session'))])
  return [...files].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(path.join(folder, name))).byteLength,
  }))
}
