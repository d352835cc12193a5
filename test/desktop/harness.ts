import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'

export const root = path.resolve(import.meta.dirname, '../..')

/** Resolves once the page has the engine's first snapshot. */
export async function connected(page: Page, timeout = 20_000): Promise<void> {
  await page
    .getByTestId('reach-chip')
    .and(page.locator('[data-listener="listening"]'))
    .waitFor({ state: 'attached', timeout })
}

/** The first page of the app, once it is connected. */
export async function connectedPage(app: { readonly window: () => Promise<Page> }): Promise<Page> {
  const page = await app.window()
  await connected(page)
  return page
}

export function tempDir(): Disposable & { readonly path: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-desktop-'))
  return {
    path: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** A copy of the built app in which `file` is changed. `find` must match, or the test would prove nothing. */
export function brokenApp(folder: string, file: string, find: RegExp, replace: string): void {
  cpSync(path.join(root, 'out'), path.join(folder, 'out'), { recursive: true })
  cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  const target = path.join(folder, 'out', file)
  const before = readFileSync(target, 'utf8')
  const after = before.replace(find, replace)
  if (after === before) throw new Error(`${file} holds no ${String(find)}: nothing was broken`)
  writeFileSync(target, after)
}
