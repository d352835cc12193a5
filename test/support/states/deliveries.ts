import type { Page } from 'playwright-core'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { State } from './every-page.ts'
import { deliver } from '../product.ts'
import {
  button,
  byButton,
  byKey,
  closeDialog,
  dialog,
  escape,
  heading,
  row,
  secret,
  state,
  type Chapter,
  type Subjects,
} from './chapter.ts'

/** A tab of the delivery in this row, counted from the newest. */
function tabOf(index: number, name: string, then?: (page: Page) => Promise<unknown>): State {
  return {
    name: `${name} of delivery ${index}`,
    hash: '#/deliveries',
    reach: async (page) => {
      await row(page, index).click()
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
      await page.getByRole('tabpanel').waitFor()
      await then?.(page)
    },
    leave: escape,
  }
}

const emptyFolder: Chapter = {
  name: 'an empty folder',
  states: [
    { name: 'list', hash: '#/deliveries', reach: (page) => heading(page, 'No deliveries yet') },
    state('conformance', { hash: '#/health/differences' }, (page) =>
      heading(page, 'Nothing to compare yet'),
    ),
    state('console', { hash: '#/authorization/console' }, (page) =>
      heading(page, 'No service to call yet'),
    ),
    state('event logs', { hash: '#/logs' }, (page) => heading(page, 'Drop an event log here')),
  ],
}

/** Deliveries of each kind. The newest is signed, the one before it went to no endpoint, and the one before that is invalid. */
export async function fill({ product }: Pick<Subjects, 'product'>): Promise<void> {
  const { endpoint, listener, engine } = product
  const types = eventTypes.map(({ type }) => type)
  await engine.call('sandbox.send', { endpointId: 1, types })
  await deliver(endpoint, 'not json', { secret: 'another' })
  await deliver(`${listener}/nowhere`, '{}', {
    headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
  })
  const order = {
    type: 'ORDER_PLACED',
    targetUuid: 'o-1',
    createdAt: '2026-03-14T21:00:00Z',
    data: { orderName: 'A-17', total: '42.50', itemNames: [1], tip: 1, tabUuid: 'tab-1' },
  }
  await deliver(endpoint, JSON.stringify(order), { secret })
  await engine.catchUp()
}

const deliveries: Chapter = {
  name: 'deliveries',
  prepare: async (subjects, page) => {
    await fill(subjects)
    await page.evaluate(() => location.assign('#/deliveries'))
    await row(page, 3).waitFor()
  },
  states: [
    ...['Overview', 'Request', 'Trace'].map((name) => tabOf(0, name)),
    tabOf(0, 'Overview', (page) => page.keyboard.press('6')),
    tabOf(0, 'Signature', (page) =>
      page.getByText('Valid here, but rejected by your handler?').click(),
    ),
    tabOf(1, 'Request'),
    tabOf(1, 'Signature', (page) => page.getByText('Step by step').waitFor()),
    tabOf(2, 'Request'),
    tabOf(2, 'Signature', async (page) => {
      await page.getByText('What was tried and ruled out').click()
    }),
    {
      name: 'menu of a delivery',
      hash: '#/deliveries',
      reach: async (page) => {
        await row(page, 0).click()
        await button(page, 'More actions').click()
        await page.getByRole('menuitem', { name: 'Copy as curl', exact: true }).waitFor()
      },
      leave: async (page) => {
        await escape(page)
        await escape(page)
      },
    },
    state('menu of a row', { hash: '#/deliveries', leave: escape }, (page) =>
      row(page, 0).click({ button: 'right' }),
    ),
    state('a selection', {}, async (page) => {
      await page.getByRole('grid').focus()
      await page.keyboard.press('Control+a')
      await page.getByRole('region', { name: 'Selection' }).waitFor()
    }),
    byButton('Re-send…'),
    { ...byButton('Delete…'), leave: closeDialog },
    {
      name: 'tag of a selection',
      reach: async (page) => {
        await page.keyboard.press('l')
        await dialog(page).waitFor()
      },
      leave: async (page) => {
        await closeDialog(page)
        await escape(page)
      },
    },
    byKey('keys', '?', '#/deliveries'),
    state('tags and note', { hash: '#/deliveries' }, async (page) => {
      await row(page, 0).click()
      await page.keyboard.press('l')
      await page.getByRole('combobox', { name: 'Tag' }).fill('bug')
      await page.keyboard.press('Enter')
      await button(page, 'Remove the tag bug').waitFor()
      await page.keyboard.press('n')
      await page.getByLabel('Note', { exact: true }).fill('a note')
    }),
    state('noted', { leave: escape }, async (page) => {
      await page.keyboard.press('Control+Enter')
      await page.getByRole('note').waitFor()
    }),
  ],
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true })

const filter: Chapter = {
  name: 'the filter',
  states: [
    state('completion', { hash: '#/deliveries' }, async (page) => {
      await field(page).click()
      await page.getByRole('listbox', { name: 'Completions' }).waitFor()
      await page.keyboard.press('ArrowDown')
    }),
    state('error', {}, async (page) => {
      await field(page).fill('verdict:wrong -type:ORDER_PLACED ("free text" or lag:>5s)')
      await page.getByRole('alert').waitFor()
    }),
    state('nothing found', {}, async (page) => {
      await field(page).fill('type:NONE_SUCH')
      await heading(page, 'No matching deliveries')
    }),
    state('filtered', {}, async (page) => {
      await field(page).fill('since:1h type:ORDER_PLACED verdict:valid size:>1 status:200')
      await page.keyboard.press('Enter')
      await row(page, 0).waitFor()
    }),
    ...['Types', 'Findings', 'Time', 'Marks', 'Saved'].map((name) => byButton(name)),
  ],
}

/** Answers of two attempts, a question, and a job that stopped at a failure. */
const sending: Chapter = {
  name: 'sending',
  states: [
    tabOf(0, 'Attempts', (page) => heading(page, 'No attempts yet')),
    {
      name: 'target',
      hash: '#/deliveries',
      reach: async (page) => {
        await row(page, 0).click()
        await page.keyboard.press('5')
        await page.keyboard.press('Shift+R')
        await button(page, /Tabscope listener/).click()
        await dialog(page).getByText('the request arrives here as a delivery').waitFor()
      },
      leave: async (page) => {
        await closeDialog(page)
        await escape(page)
      },
    },
    {
      name: 'public target',
      hash: '#/deliveries',
      reach: async (page) => {
        await row(page, 0).click()
        await page.keyboard.press('Shift+R')
        const address = dialog(page).getByLabel('Address')
        await address.fill('http://192.0.2.1/hook')
        await address.press('Enter')
        await heading(page, 'Send deliveries outside your network?')
      },
      leave: async (page) => {
        await button(page, 'Do not send').click()
        await dialog(page).waitFor({ state: 'detached' })
        await escape(page)
      },
    },
  ],
}

const attempts: Chapter = {
  name: 'attempts and jobs',
  prepare: async ({ product: { engine }, handler }) => {
    const [newest] = (await engine.call('deliveries.since', { after: 0, limit: 100 })).toReversed()
    if (!newest) throw new Error('no delivery')
    for (const url of [handler.baseUrl, 'http://127.0.0.1:1', handler.baseUrl])
      await engine.call('deliveries.resend', { id: newest.id, url })
    await engine.call('jobs.start', {
      filter: 'type:OPEN_TAB,CLOSE_TAB,ORDER_PLACED',
      upTo: newest.id,
      url: handler.baseUrl,
      pace: { how: 'one_by_one', stopOnFailure: true },
    })
    const source =
      '(delivery) => ({ headers: { "X-Body": delivery.text.slice(0, 9) }, body: "{}" })'
    await engine.call('scripts.save', { name: 'short', source })
    await engine.call('scenarios.save', { name: 'evening', what: { filter: 'type:OPEN_TAB' } })
    await engine.call('scenarios.run', { name: 'evening', url: handler.baseUrl, speed: null })
  },
  states: [
    state('paused job below the list', { hash: '#/deliveries' }, (page) =>
      page.getByRole('region', { name: 'Job progress' }).getByText('Paused').waitFor(),
    ),
    tabOf(0, 'Attempts', async (page) => {
      await page.getByTestId('attempt-row').nth(2).click()
      await page.getByRole('radio', { name: 'Request as sent' }).check()
      await page.getByRole('table', { name: 'Headers sent' }).waitFor()
      await page.getByLabel('Compare with another attempt').selectOption({ index: 2 })
      await page.getByRole('region', { name: /^Attempt \d+ compared with/ }).waitFor()
    }),
    state('items of a job', { hash: '#/send/history' }, async (page) => {
      await page.getByRole('navigation', { name: 'Jobs' }).getByRole('link').first().click()
      await button(page, /^failed/).click()
      await page.getByTestId('job-item').first().waitFor()
    }),
    state('job that is over', {}, async (page) => {
      await page.keyboard.press('p')
      await page.getByText('Done, with failures').first().waitFor()
    }),
    state('run of a script', { hash: '#/setup/scripts/short' }, async (page) => {
      await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: 'Run' }).click()
      await page.getByRole('table', { name: 'Differing headers' }).waitFor()
    }),
    state('run of a scenario', { hash: '#/send/scenarios/evening' }, (page) =>
      page
        .getByText(/^\d+ of \d+ succeeded/)
        .first()
        .waitFor(),
    ),
    state('form of a run', { leave: escape }, async (page) => {
      await page.keyboard.press('n')
      await page.getByRole('dialog').waitFor()
    }),
  ],
}

export const deliveryChapters: readonly Chapter[] = [
  emptyFolder,
  deliveries,
  filter,
  sending,
  attempts,
]
