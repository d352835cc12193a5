import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** What a page can be given anew from test to test. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'>

/** A page of which nothing is left of whoever had it before. */
export interface LentPage {
  readonly page: Page
  readonly giveBack: () => Promise<void>
}

let lent: { readonly page: Page; busy: boolean } | null = null

const usual = { width: 1440, height: 900 }

/** A context and a page as all tests want them. */
export async function newPage(from: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await from.newContext({ viewport: usual, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}

/**
 * Lends a page from test to test: a new one costs its process, and reads and compiles all that an interface loads. It comes back without
 * storage, permissions, other pages and pointer. For what changes the page itself (its routes, its scripts, its time zone) a page of its own is taken; so
 * it is while the one to lend is out.
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
        // What it showed is gone, and with it the way to its storage.
        if (lent === mine) lent = null
        await page.context().close()
      }
    },
  }
}

/** Whether it waits for the next test. */
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
