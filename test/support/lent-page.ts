import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** Page options that can change between tests. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'>

/** A page without any state of its previous user. */
export interface LentPage {
  readonly page: Page
  readonly giveBack: () => Promise<void>
}

let lent: { readonly page: Page; busy: boolean } | null = null

const usual = { width: 1440, height: 900 }

/** A context and a page with the default options. */
export async function newPage(from: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await from.newContext({ viewport: usual, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}

/**
 * Reuses a page between tests, because a new page needs a new process and must load and compile the interface again. Storage,
 * permissions, other pages and the pointer are reset. Tests that change the page itself (routes, scripts, time zone) must create their own page;
 * so do tests while the shared page is in use.
 */
export async function lendPage(from: Browser, look: Look): Promise<LentPage> {
  if (lent?.page.isClosed()) lent = null
  if (lent?.busy) {
    const page = await newPage(from, look)
    return { page, giveBack: () => page.context().close() }
  }
  const mine = (lent ??= { page: await newPage(from, {}), busy: true })
  mine.busy = true
  const { page } = mine
  await page.setViewportSize(look.viewport ?? usual)
  await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light', reducedMotion: 'reduce' })
  if (look.permissions) await page.context().grantPermissions([...look.permissions])
  return {
    page,
    giveBack: async () => {
      try {
        await clean(page)
        mine.busy = false
      } catch {
        // The document is gone, so its storage cannot be accessed.
        if (lent === mine) lent = null
        await page.context().close()
      }
    },
  }
}

/** Whether the page is available for the next test. */
export function isToBeLent(context: BrowserContext): boolean {
  return lent !== null && !lent.busy && lent.page.context() === context
}

async function clean(page: Page): Promise<void> {
  const context: BrowserContext = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // Of the same origin, so that its storage can be emptied while nothing runs there that would fill it again. The hash goes as well.
  await page.goto(new URL('/nothing-is-here', page.url()).href)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.mouse.move(-1, -1)
  await context.clearPermissions()
}
