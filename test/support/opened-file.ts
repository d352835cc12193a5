import type { BrowserContextOptions, Page } from 'playwright-core'
import { browser } from './product.ts'

/** A file opened in a browser, with its recorded side effects. */
export interface OpenedFile extends AsyncDisposable {
  readonly page: Page
  /** URLs of all requests, starting with the file itself. */
  readonly requests: readonly string[]
  /** Errors, dialogs, windows, and violations of the content security policy. */
  readonly faults: readonly string[]
}

/** Opens a file without any other resources. */
export async function openFile(
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedFile> {
  const context = await (
    await browser()
  ).newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options })
  const requests: string[] = []
  const faults: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  await context.exposeBinding('breached', (_source, what: string) => void faults.push(what))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      Reflect.get(window, 'breached')(`policy: ${effectiveDirective} ${blockedURI}`),
    )
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  context.on('page', (other) => faults.push(`window: ${other.url()}`))
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url)
  return { page, requests, faults, [Symbol.asyncDispose]: () => context.close() }
}
