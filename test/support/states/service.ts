import type { Page } from 'playwright-core'
import { authorizeFor } from '../console-service.ts'
import { authorize, openAuthorization, show } from '../steps.ts'
import {
  button,
  byButton,
  closeDialog,
  dialog,
  escape,
  heading,
  state,
  type Chapter,
} from './chapter.ts'

const card = (page: Page) => page.getByTestId('token-card')

const authorization: Chapter = {
  name: 'authorization',
  states: [
    state('options', { hash: '#/authorization' }, (page) =>
      page.getByText('Options for this run').click(),
    ),
    state('waiting', {}, async (page) => {
      await openAuthorization(page)
      await page.locator('.authorize-waiting summary').click()
    }),
    state('denied', {}, async (page) => {
      const theirs = page.context().pages().at(-1)
      await theirs?.getByRole('button', { name: 'Deny' }).click()
      await page.getByRole('region', { name: 'Why it failed' }).waitFor()
      await theirs?.close()
    }),
    state('record with a revealed code', {}, async (page) => {
      await authorize(page)
      for (const summary of await page.locator('.http > summary').all()) await summary.click()
      await page.getByTestId('run-record').locator('.mask').first().click()
      await page.locator('.mask-open').waitFor()
    }),
    state('comparison', {}, async (page) => {
      await page.getByLabel('Compare with an earlier run').selectOption({ index: 1 })
      await heading(page, /^Run \d+ compared with run \d+/)
    }),
    state('label of a token', { hash: '#/authorization/tokens', leave: escape }, (page) =>
      card(page)
        .getByRole('button', { name: /edit label/ })
        .click(),
    ),
    byButton('Revoke locally'),
    state('revoked token', {}, async (page) => {
      await button(page, 'Revoke locally').click()
      await dialog(page).getByRole('button', { name: 'Revoke locally' }).click()
      await dialog(page).waitFor({ state: 'detached' })
    }),
    { name: 'refresh after a token', reach: (page) => show(page, 'Refresh') },
    state('integrations', {}, async (page) => {
      await button(page, /^Integration:/).click()
      await page.getByRole('menu').waitFor()
    }),
    state('new integration', { leave: closeDialog }, async (page) => {
      await page.getByRole('menuitem', { name: 'New integration' }).click()
      await dialog(page).waitFor()
    }),
  ],
}

const answer = (page: Page) => page.getByRole('region', { name: 'Response' })

async function send(page: Page, path: string): Promise<void> {
  await page.getByLabel('Path or full address').fill(path)
  await page.keyboard.press('Control+Enter')
  await answer(page).getByRole('tab', { name: 'Requests' }).waitFor()
}

const console: Chapter = {
  name: 'API console',
  prepare: async ({ product, service }, page) => {
    const { tokenId } = await authorizeFor(product, service)
    await page.evaluate((id) => location.assign(`#/authorization/console?token=${id}`), tokenId)
    await send(page, 'locations')
  },
  states: [
    ...(['Pretty', 'Raw', 'Bytes'] as const).map((view) => ({
      name: view,
      reach: (page: Page) => answer(page).getByRole('radio', { name: view }).check(),
    })),
    ...[/Headers/, /Requests/].map((tab) => ({
      name: String(tab),
      reach: (page: Page) => answer(page).getByRole('tab', { name: tab }).click(),
    })),
    ...['revoked', 'forbidden', 'moved', 'echo'].map((path) => ({
      name: path,
      reach: async (page: Page) => {
        await send(page, path)
        await answer(page).getByRole('heading', { level: 2 }).first().waitFor()
      },
    })),
    state('body and query', {}, async (page) => {
      await button(page, 'Add parameter').click()
      await page.getByLabel('Send parameter 1').uncheck()
      const parts = page.getByRole('tablist', { name: 'Parts of the request' })
      await parts.getByRole('tab', { name: /Body/ }).click()
      await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"a": nope}')
    }),
    byButton('Copy as cURL'),
    state('saving', { leave: closeDialog }, async (page) => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog(page).waitFor()
    }),
    state('another origin', { leave: closeDialog }, async (page) => {
      await page.getByLabel('Path or full address').fill('http://127.0.0.1:9/v1/locations')
      await page.keyboard.press('Control+Enter')
      await dialog(page).waitFor()
    }),
    state('waiting', {}, async (page) => {
      await page.getByLabel('Path or full address').fill('never')
      await page.keyboard.press('Enter')
      await answer(page).getByText('Waiting for the response').waitFor()
    }),
    state('cancelled', {}, async (page) => {
      await button(page, 'Cancel').click()
      await answer(page).getByText('The request was cancelled.').waitFor()
    }),
    state(
      'saved requests',
      { leave: (page) => page.getByRole('radio', { name: 'History' }).check() },
      (page) => page.getByRole('radio', { name: 'Saved' }).check(),
    ),
  ],
}

export const serviceChapters: readonly Chapter[] = [authorization, console]
