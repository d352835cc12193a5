import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../../support/axe.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { show } from './steps.ts'

afterAll(closeBrowser)

it('sets up an integration, and looks at it while it is written', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('button', { name: /Integration: Sandbox/ }).click()
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Pier 9 staging')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })

  const preflight = page.getByRole('region', { name: 'Preflight' })
  await preflight.getByText(/things to mend/).waitFor()
  expect(await preflight.locator('li[data-outcome="error"]').count()).toBe(4)

  // Each change is looked at before it is stored.
  await page.getByLabel('Base URL').fill('http://service.example')
  await preflight.getByText('http://service.example/api/oauth/token').waitFor()
  await preflight.getByRole('button', { name: 'Use this' }).first().click()
  await preflight.getByText('https://service.example/api/oauth/token').waitFor()
  expect(await page.getByLabel('Base URL').inputValue()).toBe('https://service.example')
  await page.getByLabel('Access ID').fill('int_1')
  await page.getByLabel('Access ID').press('Enter')

  await page.getByRole('button', { name: 'Set access secret' }).click()
  await dialog.getByLabel('Access secret').fill('pier-9-access-secret-0123')
  await dialog.getByRole('button', { name: 'Store access secret' }).click()
  await page.getByText('••••••••0123').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain('pier-9-access-secret')
  await page.getByRole('button', { name: 'Reveal access secret' }).click()
  await page.getByText('pier-9-access-secret-0123').waitFor()
  await page.getByRole('button', { name: 'Hide access secret' }).click()

  const url = page.getByRole('textbox', { name: 'Redirect URL' })
  await url.fill('https://pier9.example/back#fragment')
  await preflight
    .getByText(/fragment/)
    .first()
    .waitFor()
  await url.fill('https://pier9.example/back')
  await url.press('Enter')
  await page.getByRole('radio', { name: 'https://pier9.example/back', checked: true }).waitFor()
  await preflight.getByText('Ready', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Add redirect URL' }).click()
  await url.fill('https://pier9.example/back')
  await url.press('Enter')
  await page.getByText('This address is listed already.').waitFor()
  await url.fill('http://127.0.0.1:4781/callback')
  await url.press('Enter')
  await page.getByRole('radio', { name: 'http://127.0.0.1:4781/callback' }).check()
  await preflight.getByText('Tabscope listens there while a flow waits.').waitFor()
  await page.getByRole('button', { name: 'Remove https://pier9.example/back' }).click()
  await page.getByRole('radio').nth(1).waitFor({ state: 'detached' })

  // No redirect comes through a tunnel: said while it is written, where it is listed, and with what to use instead.
  await page.getByRole('button', { name: 'Add redirect URL' }).click()
  await url.fill('https://mine.loca.lt/cb')
  await preflight.getByText(/^Redirect URLThe public server of localtunnel most likely/).waitFor()
  await url.press('Enter')
  await preflight.getByText(/Listed, but not in use: The public server of localtunnel/).waitFor()
  await page.getByRole('radio', { name: /https:\/\/mine\.loca\.lt\/cb/ }).check()
  await page.getByText('No redirect comes through a tunnel').waitFor()
  await preflight.getByText('Ready, with a doubt').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await preflight.getByRole('button', { name: 'Use this' }).click()
  await page.getByRole('radio', { name: 'http://127.0.0.1:4781/callback', checked: true }).waitFor()
  await page.getByText('No redirect comes through a tunnel').waitFor({ state: 'detached' })

  // It is the current one now, and stays so.
  await page.reload()
  await page.getByRole('button', { name: /Integration: Pier 9 staging/ }).waitFor()
  await page.getByRole('button', { name: 'Remove integration' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: /Integration: Sandbox/ }).waitFor()
  expect(watched.faults).toEqual([])
})

it('says what is missing before a user can be sent anywhere, and records a run that could not begin', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('button', { name: /Integration:/ }).click()
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Half done')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await goTo(page, 'Authorization')
  await show(page, 'Authorize')
  await page.getByRole('heading', { name: 'Not ready yet' }).waitFor()
  await page.keyboard.press('a')
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText('not_ready').waitFor()
  await why.getByRole('link', { name: 'Open the setup' }).click()
  await page.getByRole('region', { name: 'Preflight' }).waitFor()

  // A new endpoint may belong to either.
  await goTo(page, 'Endpoints')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Hook')
  await form.getByLabel('Integration').selectOption('Half done')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.waitFor({ state: 'detached' })
  await goTo(page, 'Authorization')
  await show(page, 'Setup')
  await page.getByText('Endpoints belong to it').waitFor()
  expect(await page.getByRole('button', { name: 'Remove integration' }).isDisabled()).toBe(true)
  expect(watched.faults).toEqual([])
})
