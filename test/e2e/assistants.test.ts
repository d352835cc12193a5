import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../support/axe.ts'
import { closeBrowser, goTo, openPage } from '../support/product.ts'
import { cliFile } from '../support/run-cli.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const fresh = sharedProduct()

it('shows what an assistant does, and ends its access', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Assistant activity')
  await page.getByText('No calls yet').waitFor()
  expect(await axeFaultsInAll(page)).toEqual([])

  const client = new Client({ name: 'Helper \u202E<b>', version: '1' })
  const args = [cliFile, 'mcp', '--data', product.dataDir]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const rows = page.getByTestId('assistant-call')
  await client.callTool({ name: 'search_deliveries', arguments: { filter: 'verdict:invalid' } })
  await rows.filter({ hasText: 'search_deliveries' }).getByText('done').waitFor()
  expect(await rows.first().textContent()).toContain('verdict:invalid')
  expect(await rows.first().textContent()).not.toContain('\u202E')

  // A call in progress gets nothing, either.
  const waiting = client.callTool({
    name: 'wait_for',
    arguments: { filter: 'method:X', seconds: 2 },
  })
  await rows.filter({ hasText: 'wait_for' }).getByText('running').waitFor()
  const access = page.getByRole('switch', { name: 'Coding assistants may read deliveries' })
  await access.click()
  const refusal = { isError: true, content: [{ text: expect.stringMatching(/^access_off: /) }] }
  expect(await waiting).toMatchObject(refusal)
  expect(await client.callTool({ name: 'status' })).toMatchObject(refusal)
  await rows.filter({ hasText: 'status' }).getByText('refused').waitFor()
  await expect(client.readResource({ uri: 'tabscope://deliveries/1' })).rejects.toThrow(/access/)
  expect(await axeFaultsInAll(page)).toEqual([])

  await access.click()
  await page.getByRole('switch', { checked: true }).waitFor()
  expect(await client.callTool({ name: 'status' })).not.toHaveProperty('isError')
  await client.close()
  expect(watched.faults).toEqual([])
})
