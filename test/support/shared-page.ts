import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export type PageLook = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'>

/** A page without any state of its previous user. */
export interface AcquiredPage {
  readonly page: Page
  readonly release: () => Promise<void>
}

let shared: { readonly page: Page; busy: boolean } | null = null

const usual = { width: 1440, height: 900 }

export async function newPage(from: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await from.newContext({ viewport: usual, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  // Firefox reports each one; Chromium does not report an `eval` whose error is caught.
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      // oxlint-disable-next-line no-console -- read by the test
      console.error(`The policy of ${effectiveDirective} blocked ${blockedURI}.`),
    ),
  )
  return page
}

/**
 * Reuses a page between tests, because a new page needs a new process and must load and compile the interface again. Storage,
 * permissions, other pages and the pointer are reset. Tests that change the page itself (routes, scripts, time zone) must create their own page;
 * so do tests while the shared page is in use.
 */
export async function acquirePage(from: Browser, look: PageLook): Promise<AcquiredPage> {
  if (shared?.page.isClosed()) shared = null
  if (shared?.busy) {
    const page = await newPage(from, look)
    return { page, release: () => page.context().close() }
  }
  const current = (shared ??= { page: await newPage(from, {}), busy: true })
  current.busy = true
  const { page } = current
  await page.setViewportSize(look.viewport ?? usual)
  await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light', reducedMotion: 'reduce' })
  if (look.permissions) await page.context().grantPermissions([...look.permissions])
  return {
    page,
    release: async () => {
      try {
        await clean(page)
        current.busy = false
      } catch {
        // The document is gone, so its storage cannot be accessed.
        if (shared === current) shared = null
        await page.context().close()
      }
    },
  }
}

export function isIdleSharedPage(context: BrowserContext): boolean {
  return shared !== null && !shared.busy && shared.page.context() === context
}

async function clean(page: Page): Promise<void> {
  const context: BrowserContext = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // A URL of the same origin, where no script can write to the storage again. Also removes the hash.
  await page.goto(new URL('/nothing-is-here', page.url()).href)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.mouse.move(-1, -1)
  await context.clearPermissions()
}
