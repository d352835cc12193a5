import type { Page } from 'playwright-core'
import { authorizeFor } from '../console-service.ts'
import { authorize, openAuthorization, show } from '../steps.ts'
import { button, byButton, closeDialog, dialog, escape, type Chapter } from './chapter.ts'

const card = (page: Page) => page.getByTestId('token-card')

const authorization: Chapter = {
  name: 'authorization',
  states: [
    {
      name: 'options',
      hash: '#/authorization',
      reach: (page) => page.getByText('Options for this run').click(),
    },
    {
      name: 'waiting',
      reach: async (page) => {
        await openAuthorization(page)
        await page.locator('.authorize-waiting summary').click()
      },
    },
    {
      name: 'denied',
      reach: async (page) => {
        const theirs = page.context().pages().at(-1)
        await theirs?.getByRole('button', { name: 'Deny' }).click()
        await page.getByRole('region', { name: 'Why it failed' }).waitFor()
        await theirs?.close()
      },
    },
    {
      name: 'record with a revealed code',
      reach: async (page) => {
        await authorize(page)
        for (const summary of await page.locator('.http > summary').all()) await summary.click()
        await page.getByTestId('run-record').locator('.mask').first().click()
        await page.locator('.mask-open').waitFor()
      },
    },
    {
      name: 'label of a token',
      hash: '#/authorization/tokens',
      reach: (page) =>
        card(page)
          .getByRole('button', { name: /edit label/ })
          .click(),
      leave: escape,
    },
    byButton('Revoke locally'),
    {
      name: 'revoked token',
      reach: async (page) => {
        await button(page, 'Revoke locally').click()
        await dialog(page).getByRole('button', { name: 'Revoke locally' }).click()
        await dialog(page).waitFor({ state: 'detached' })
      },
    },
    { name: 'refresh after a token', reach: (page) => show(page, 'Refresh') },
    {
      name: 'integrations',
      reach: async (page) => {
        await button(page, /^Integration:/).click()
        await page.getByRole('menu').waitFor()
      },
    },
    {
      name: 'new integration',
      reach: async (page) => {
        await page.getByRole('menuitem', { name: 'New integration' }).click()
        await dialog(page).waitFor()
      },
      leave: closeDialog,
    },
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
    {
      name: 'body and query',
      reach: async (page) => {
        await button(page, 'Add parameter').click()
        await page.getByLabel('Send parameter 1').uncheck()
        const parts = page.getByRole('tablist', { name: 'Parts of the request' })
        await parts.getByRole('tab', { name: /Body/ }).click()
        await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"a": nope}')
      },
    },
    byButton('Copy as cURL'),
    {
      name: 'saving',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await dialog(page).waitFor()
      },
      leave: closeDialog,
    },
    {
      name: 'another origin',
      reach: async (page) => {
        await page.getByLabel('Path or full address').fill('http://127.0.0.1:9/v1/locations')
        await page.keyboard.press('Control+Enter')
        await dialog(page).waitFor()
      },
      leave: closeDialog,
    },
    {
      name: 'waiting',
      reach: async (page) => {
        await page.getByLabel('Path or full address').fill('never')
        await page.keyboard.press('Enter')
        await answer(page).getByText('Waiting for the response').waitFor()
      },
    },
    {
      name: 'cancelled',
      reach: async (page) => {
        await button(page, 'Cancel').click()
        await answer(page).getByText('The request was cancelled.').waitFor()
      },
    },
    {
      name: 'saved requests',
      reach: (page) => page.getByRole('radio', { name: 'Saved' }).check(),
      leave: (page) => page.getByRole('radio', { name: 'History' }).check(),
    },
  ],
}

export const serviceChapters: readonly Chapter[] = [authorization, console]
