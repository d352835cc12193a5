import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import type { ReceivedRequest } from '../../support/raw-target.ts'

export const secret = 'compose-secret-0123456789'

/** Elements of the page, by their accessible names. */
export interface ComposePage {
  readonly page: Page
  readonly body: Locator
  readonly address: Locator
  readonly answer: Locator
  readonly signature: Locator
  /** Waits until the preview matches the draft. */
  readonly settled: () => Promise<void>
  /** Enters the target, and waits until it is resolved. */
  readonly goesTo: (url: string) => Promise<void>
}

export function composePage(page: Page): ComposePage {
  const address = page.getByRole('combobox', { name: 'Address' })
  const signature = page.getByTestId('live-signature')
  const settled = (): Promise<void> =>
    page.locator('[data-testid="live-signature"]:not([data-stale])').waitFor()
  return {
    page,
    address,
    signature,
    settled,
    body: page.getByRole('textbox', { name: 'Body', exact: true }),
    answer: page.getByRole('region', { name: 'Response', exact: true }),
    async goesTo(url) {
      await address.fill(url)
      await address.press('Escape')
      await settled()
    },
  }
}

/** The value of a received header; null: it was not received. */
export function header(request: ReceivedRequest | undefined, name: string): string | null {
  const line = request?.head.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line === undefined ? null : line.slice(name.length + 1).trim()
}

/** Hex HMAC-SHA256, as documented. */
export function signed(body: Uint8Array | string, key = secret): string {
  return createHmac('sha256', key).update(body).digest('hex')
}
