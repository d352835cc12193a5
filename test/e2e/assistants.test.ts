import { expect, it } from 'vitest'
import { startCountingHandler } from '../support/rehearsal/counting-handler.ts'
import { goTo, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { mcpClient } from '../support/mcp-client.ts'

const fresh = sharedProduct()

it('asks the user before an assistant sends', async () => {
  const product = await fresh()
  await using handler = await startCountingHandler('another secret')
  await using page = await openPage(product.ui)
  await goTo(page, 'Setup', 'Assistants')
  await page.getByText('Assistants cannot send anything.').waitFor()
  await page.getByRole('button', { name: 'Add target' }).click()
  const form = page.getByRole('dialog', { name: 'Add target' })
  const submit = form.getByRole('button', { name: 'Add target' })
  await form.getByLabel('Name').fill('Not a name')
  await form.getByText('Use up to 40 lower-case letters').waitFor()
  await form.getByLabel('Name').fill('handler')
  await form.getByLabel('URL').fill('ftp://127.0.0.1/')
  await submit.click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('URL').fill(handler.url)
  await submit.click()
  const targets = page.getByRole('table', { name: 'Targets' })
  await targets.getByRole('cell', { name: handler.url }).waitFor()

  const client = await mcpClient(product.dataDir, ['--allow-send'], 'Helper \u202E<b>')
  const send = () =>
    client.callTool({
      name: 'send',
      arguments: { target: 'handler', type: 'OPEN_TAB', fields: { data: { note: '\u202E<b>' } } },
    })
  // On any page, also after a reload.
  await goTo(page, 'Deliveries', 'Live')
  const question = page.getByRole('dialog', { name: 'Allow a coding assistant to send?' })
  const declined = send()
  await question.waitFor()
  await expect.poll(() => question.textContent()).toContain(handler.url)
  expect(await question.textContent()).not.toContain('\u202E')
  await page.reload()
  await question.waitFor()
  await expect
    .poll(() =>
      question
        .getByRole('button', { name: 'Decline' })
        .evaluate((button) => button === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Enter')
  expect(await declined).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^declined: /) }],
  })
  expect(handler.received).toBe(0)
  const allowed = send()
  await question.getByRole('button', { name: 'Allow once' }).click()
  expect(await allowed).toMatchObject({ structuredContent: { status: 401 } })
  await question.waitFor({ state: 'detached' })
  expect(handler.received).toBe(1)

  await goTo(page, 'Setup', 'Assistants')
  await page.getByRole('button', { name: 'Remove handler' }).click()
  await page.getByText('Assistants cannot send anything.').waitFor()
  expect(await send()).toMatchObject({ isError: true })
  await client.close()
})
