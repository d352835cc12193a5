import type { Locator, Page } from 'playwright-core'
import type { ConsoleService } from './console-service.ts'
import { authorizeFor, startConsoleService } from './console-service.ts'
import type { PageLook } from './shared-page.ts'
import type { Product, Watched } from './product.ts'
import { openPage } from './product.ts'
import { sharedProduct } from './shared-product.ts'

/** The API console, opened for an integration with one token of a test service. */
export interface ConsoleUnderTest extends AsyncDisposable {
  readonly product: Product
  readonly service: ConsoleService
  readonly watched: Watched
  readonly page: Page
  readonly path: Locator
  readonly answer: Locator
  /** Enters the path and sends the request by keyboard. Resolves when the response or an error is shown. */
  readonly send: (path: string) => Promise<void>
}

type Open = (
  answers?: Parameters<typeof startConsoleService>[0],
  look?: PageLook,
) => Promise<ConsoleUnderTest>

/** Shares one product for all tests of a file. Each test has its own service, integration and token, and an empty history. */
export function sharedConsole(): Open {
  const fresh = sharedProduct()
  return async (answers, look = {}) => {
    const stack = new AsyncDisposableStack()
    const service = stack.use(await startConsoleService(answers))
    const product = await fresh()
    await forgetServices(product)
    const { tokenId } = await authorizeFor(product, service)
    const watched = stack.use(await openPage(product.ui, look))
    const { page } = watched
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    // Like the token's "Call with it" button.
    await page.evaluate((id) => {
      location.hash = `#/console?token=${id}`
    }, tokenId)
    const path = page.getByLabel('Path or full address')
    await path.waitFor()
    const answer = page.getByRole('region', { name: 'Response' })
    return {
      product,
      service,
      watched,
      page,
      path,
      answer,
      send: async (written) => {
        await path.fill(written)
        await page.keyboard.press('Control+Enter')
        await answer.getByRole('tab', { name: 'Hops' }).waitFor()
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  }
}

/** Removes integrations with their runs and tokens, except the one of the sandbox. */
async function forgetServices({ engine }: Product): Promise<void> {
  const { integrations } = await engine.call('app.snapshot', {})
  for (const { id, kind } of integrations) {
    if (kind !== 'sandbox') await engine.call('integrations.remove', { id })
  }
  await engine.call('api.clearHistory', {})
}
