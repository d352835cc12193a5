import type { Page } from 'playwright-core'
import { until } from '../until.ts'

/** A state of the interface for checks that apply to all states. */
export interface State {
  readonly name: string
  /** Absent: the state is reached from the previous one. */
  readonly hash?: string
  /** Opens the state, after its URL is loaded. */
  readonly reach?: (page: Page) => Promise<unknown>
  /** Restores the previous state. */
  readonly leave?: (page: Page) => Promise<unknown>
}

/** A page with its heading as the title of the document. */
export interface PageState extends State {
  readonly title: string
  readonly hash: string
}

export async function reach(page: Page, { hash, reach: bring }: State): Promise<void> {
  if (hash !== undefined) await page.evaluate((to) => location.assign(to), hash)
  await bring?.(page)
}

function at(title: string, hash: string, name = title): PageState {
  return {
    name,
    title,
    hash,
    reach: async (page) => {
      await page.locator('main h1').waitFor({ state: 'attached' })
      const loading = page.locator('main').getByRole('status', { name: 'Loading' })
      await until(name, async () => (await loading.count()) === 0)
    },
  }
}

const escape = (page: Page): Promise<void> => page.keyboard.press('Escape')

/** The states of each page, with each of its tabs. */
export const everyPage: Readonly<Record<string, readonly PageState[]>> = {
  deliveries: [
    {
      ...at('Deliveries', '#/deliveries', 'the list'),
      reach: (page) => page.getByTestId('delivery-row').first().waitFor(),
    },
    {
      ...at('Deliveries', '#/deliveries', 'a delivery'),
      reach: async (page) => {
        await page.getByTestId('delivery-row').first().click()
        await page.getByRole('tabpanel').waitFor()
      },
      leave: escape,
    },
    {
      ...at('Deliveries', '#/deliveries', 'the palette'),
      reach: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').waitFor()
      },
      leave: escape,
    },
    at('Deliveries', '#/logs', 'event logs'),
  ],
  send: [
    {
      ...at('Send', '#/send/drafts/empty', 'a draft'),
      // The editor shows its cursor only while it has the focus.
      reach: (page) => page.locator('.cm-content').focus(),
    },
    {
      ...at('Send', '#/send/drafts/sample/ORDER_PLACED', 'its headers'),
      reach: (page) => page.getByRole('tab', { name: /^Headers/ }).click(),
    },
    at('Send', '#/send/scenarios', 'scenarios'),
    at('Send', '#/send/history', 'history'),
  ],
  handler: [
    at('Handler', '#/handler/targets', 'coverage'),
    at('Handler', '#/handler/rehearsals', 'rehearsals'),
    at('Handler', '#/handler/rehearsals/oauth', 'rehearsal of an OAuth client'),
    at('Handler', '#/handler/generate', 'generate'),
    at('Handler', '#/handler/generate?output=types&observed=', 'generate with deliveries'),
  ],
  health: [
    at('Health', '#/health/charts', 'charts'),
    at('Health', '#/health/alerts', 'alerts'),
    at('Health', '#/health/differences', 'differences'),
  ],
  authorization: [
    at('Authorization', '#/authorization/runs', 'authorize'),
    at('Authorization', '#/authorization/tokens', 'tokens'),
    at('Authorization', '#/authorization/console', 'API console'),
    at('Authorization', '#/authorization/refresh', 'refresh'),
    at('Authorization', '#/authorization/setup', 'integration'),
  ],
  setup: [
    at('Setup', '#/setup/endpoints', 'endpoints'),
    at('Setup', '#/setup/scripts', 'scripts'),
    at('Setup', '#/setup/reach', 'tunnel'),
    at('Setup', '#/setup/reach/relay', 'relay'),
    at('Setup', '#/setup/sandbox', 'sandbox'),
    at('Setup', '#/setup/assistants', 'assistants'),
  ],
  help: [at('Help', '#/help'), at('Help', '#/help/tunnels', 'a page of the guide')],
  settings: [at('Settings', '#/settings')],
}
