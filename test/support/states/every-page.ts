import type { Page } from 'playwright-core'
import type { PageName } from '#renderer/routes/pages.ts'

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
    reach: (page) => page.locator('main h1').waitFor({ state: 'attached' }),
  }
}

const escape = (page: Page): Promise<void> => page.keyboard.press('Escape')

/** All states of all pages. Keyed by page name, so that a new page must be added to compile. */
export const everyPage: Readonly<Record<PageName, readonly PageState[]>> = {
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
  ],
  compose: [
    {
      ...at('Compose', '#/compose/empty'),
      // The editor shows its cursor only while it has the focus.
      reach: (page) => page.locator('.cm-content').focus(),
    },
    {
      ...at('Compose', '#/compose/sample/ORDER_PLACED', 'its headers'),
      reach: (page) => page.getByRole('tab', { name: /^Headers/ }).click(),
    },
  ],
  jobs: [at('Jobs', '#/jobs'), at('Jobs', '#/jobs/scenarios', 'scenarios')],
  conformance: [at('Conformance', '#/conformance')],
  health: [at('Health', '#/health'), at('Health', '#/health/handlers', 'handlers')],
  rehearse: [at('Rehearse', '#/rehearse'), at('Rehearse', '#/rehearse/oauth', 'OAuth client')],
  generate: [
    at('Generate', '#/generate'),
    at('Generate', '#/generate?output=types&observed=', 'with deliveries'),
  ],
  authorization: [
    at('Authorization', '#/authorization'),
    at('Authorization', '#/authorization/tokens', 'tokens'),
    at('Authorization', '#/authorization/refresh', 'refresh'),
    at('Authorization', '#/authorization/setup', 'setup'),
  ],
  console: [at('API console', '#/console')],
  endpoints: [at('Endpoints', '#/endpoints')],
  scripts: [at('Scripts', '#/scripts')],
  tunnel: [at('Tunnel', '#/tunnel')],
  relay: [at('Relay', '#/relay')],
  sandbox: [at('Sandbox', '#/sandbox')],
  logs: [at('Event logs', '#/logs')],
  assistants: [at('Assistant activity', '#/assistants')],
  help: [at('Help', '#/help'), at('Help', '#/help/tunnels', 'a page of the guide')],
  settings: [at('Settings', '#/settings')],
}
