import type { Page } from 'playwright-core'
import { logBytes, logHead } from '../event-log.ts'
import { evening, firstLog, importLog } from '../event-log/evening-log.ts'
import { deliver } from '../product.ts'
import { exportDialog } from '../steps.ts'
import {
  button,
  byButton,
  closeDialog,
  dialog,
  escape,
  heading,
  row,
  secret,
  state,
  type Chapter,
} from './chapter.ts'
import { serviceChapters } from './service.ts'

const endpoints: Chapter = {
  name: 'endpoints',
  prepare: async ({ product, handler }) => {
    const url = handler.baseUrl
    await product.engine.call('forwards.add', { endpointId: 1, url, types: ['CLOSE_TAB'] })
    await deliver(product.endpoint, '{"type":"CLOSE_TAB"}', { secret })
  },
  states: [
    state('failing target', { hash: '#/setup/endpoints' }, (page) =>
      page.locator('.forward-line').getByText('Failing, 500').waitFor(),
    ),
    byButton('New endpoint', '#/setup/endpoints'),
    byButton('Add response rule', '#/setup/endpoints'),
    byButton('Add target', '#/setup/endpoints'),
    byButton('Change secret', '#/setup/endpoints'),
  ],
}

const compose: Chapter = {
  name: 'compose',
  states: [
    state('start', { hash: '#/send/drafts' }, (page) => heading(page, 'What do you want to send?')),
    state('edited and sent', { hash: '#/send/drafts/from/1' }, async (page) => {
      await page.getByText('Exactly as captured').waitFor()
      const body = page.getByRole('textbox', { name: 'Body', exact: true })
      await body.press('Control+End')
      await body.press('Backspace')
      await page.locator('.cm-lintRange-error').waitFor()
      await page.getByRole('combobox', { name: 'Address' }).fill('http://127.0.0.1:9/x')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Enter')
      await page.getByTestId('attempt-row').first().waitFor()
    }),
    state('search', { leave: escape }, async (page) => {
      await page.getByRole('textbox', { name: 'Body', exact: true }).press('Control+f')
      await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor()
    }),
    state('invalid header', {}, async (page) => {
      await page.getByRole('tab', { name: /^Headers/ }).click()
      await button(page, 'Add header').click()
      await page.keyboard.type('a b')
      await page.getByText(/not a valid header name/).waitFor()
    }),
    state('question about certificates', { leave: closeDialog }, async (page) => {
      await page.getByRole('combobox', { name: 'Address' }).fill('https://192.0.2.1/')
      await page.getByText('Public, needs confirmation').waitFor()
      await button(page, 'Turn off…').click()
      await dialog(page).waitFor()
    }),
  ],
}

async function openPalette(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a command, delivery or setting' }).fill(query)
}

const others: Chapter = {
  name: 'other pages',
  prepare: async ({ product, handler }) => {
    await product.engine.call('settings.update', {
      assistantTargets: [{ name: 'handler', url: handler.baseUrl, endpointId: 1 }],
    })
  },
  states: [
    state('running sandbox with a fault', { hash: '#/setup/sandbox' }, async (page) => {
      const service = page.getByRole('region', { name: 'Simulated service' })
      await service.locator('summary', { hasText: 'Faults' }).click()
      await service.getByRole('switch', { name: /server_error/ }).press(' ')
      await service.getByText('1 active', { exact: true }).waitFor()
    }),
    state('targets of assistants', { hash: '#/setup/assistants' }, (page) =>
      page.getByRole('table', { name: 'Targets' }).waitFor(),
    ),
    byButton('Add target', '#/setup/assistants'),
    {
      name: 'rehearsal of an OAuth client',
      hash: '#/handler/rehearsals/oauth',
      reach: async (page) => {
        await page.getByLabel('Configured redirect URL').fill('http://127.0.0.1:9/callback')
        await button(page, 'Start rehearsal').click()
        await page.getByRole('region', { name: 'Current step' }).waitFor()
      },
      leave: async (page) => {
        await page.locator('.rehearsal-head').getByRole('button', { name: 'Cancel' }).click()
        await page.getByText('Cancelled', { exact: true }).first().waitFor()
      },
    },
    state(
      'nothing found by the palette',
      { hash: '#/settings', leave: closeDialog },
      async (page) => {
        await openPalette(page, 'no such thing anywhere')
        await dialog(page).getByText('No results').first().waitFor()
      },
    ),
    state('settings found', {}, async (page) => {
      await page.getByRole('textbox', { name: 'Find a setting' }).fill('limit')
      await page.getByText('1 setting found').waitFor()
    }),
    state('no setting found', { leave: escape }, async (page) => {
      await page.getByRole('textbox', { name: 'Find a setting' }).fill('zzz')
      await heading(page, 'No results')
    }),
    state('about', {}, async (page) => {
      await openPalette(page, 'about')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'About Tabscope' }).getByText('SQLite').waitFor()
    }),
    state('licenses', { leave: escape }, async (page) => {
      await button(page, 'Show licenses').click()
      await page.getByRole('dialog', { name: 'Licenses' }).getByText(/MIT/).first().waitFor()
    }),
    state('results in the guide', { hash: '#/help', leave: escape }, async (page) => {
      await page.getByLabel('Search the guide').fill('rotate secret')
      await page.getByRole('list', { name: 'Search results' }).waitFor()
    }),
  ],
}

/** Scenarios of other chapters are event logs, too. */
let fridayId = 0
const openFriday = (page: Page, rest = '') =>
  page.evaluate((hash) => location.assign(hash), `#/logs/${fridayId}${rest}`)

const logs: Chapter = {
  name: 'imported event logs',
  prepare: async ({ product }) => {
    fridayId = await importLog(product, 'friday.ndjson', firstLog())
    const cut = logBytes([logHead(8), ...evening(8)]).subarray(0, -200)
    await importLog(product, 'cut.ndjson', cut)
  },
  states: [
    state('logs', { hash: '#/logs' }, (page) => page.locator('.log').nth(1).waitFor()),
    state('export', {}, async (page) => {
      await page.keyboard.press('s')
      await exportDialog(page).locator('.masked-field').first().waitFor()
    }),
    {
      name: 'export without redaction',
      reach: async (page) => {
        await exportDialog(page).getByRole('switch').click()
        await button(page, 'Turn off for this export').waitFor()
      },
      leave: async (page) => {
        await button(page, 'Cancel').click()
        await page
          .getByRole('dialog', { name: 'Export without redaction?' })
          .waitFor({ state: 'detached' })
        await closeDialog(page)
      },
    },
    state('list', {}, async (page) => {
      await openFriday(page)
      await row(page, 9).waitFor()
    }),
    state('signature of a redacted body', { leave: escape }, async (page) => {
      await row(page, 1).click()
      await page.keyboard.press('3')
      await page.getByText('The body was redacted when this log was exported.').waitFor()
    }),
    state('attempts', { leave: escape }, async (page) => {
      await row(page, 0).click()
      await page.keyboard.press('5')
      await page.getByText('their handler').waitFor()
    }),
    state('authorization', {}, async (page) => {
      await openFriday(page, '/authorization')
      await page.getByRole('region', { name: 'Authorization' }).waitFor()
    }),
    state('case of a rehearsal', {}, async (page) => {
      await page.getByRole('link', { name: 'Rehearsals' }).click()
      await page.locator('[data-case="S4"]').click()
      await page.getByRole('region', { name: 'Case S4' }).getByText('X-Text').first().waitFor()
    }),
    state('removed', { hash: '#/logs/9' }, (page) => heading(page, 'Event log not found')),
  ],
}

export const pageChapters: readonly Chapter[] = [
  endpoints,
  compose,
  ...serviceChapters,
  logs,
  others,
]
