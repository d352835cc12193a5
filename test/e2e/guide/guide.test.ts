import { rmSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { clipboard } from '../tunnel/steps.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../../support/product.ts'
import { startTunnelServer } from '../../support/tunnel-server.ts'

afterAll(closeBrowser)

const guideOf = (page: Page): Locator => page.getByRole('region', { name: 'Guide', exact: true })
const stateOf = (page: Page): Locator => guideOf(page).getByTestId('guide-state')
const press = (page: Page, name: string): Promise<void> =>
  guideOf(page).getByRole('button', { name, exact: true }).click()
