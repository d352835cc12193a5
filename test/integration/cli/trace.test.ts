import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliLines } from '#contract/cli-output.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const at = (seconds: number): string =>
  new Date(Date.parse('2026-03-14T20:41:00.000Z') + seconds * 1000).toISOString()
const tab = '\u001b[31m tab-1'
const payloads = [
  {
    type: 'OPEN_TAB',
    targetUuid: tab,
    createdAt: at(0),
    data: { name: '\u202eMiller', spotName: 'T4', total: 0 },
  },
  {
    type: 'ITEM_ADDED',
    targetUuid: 'i-1',
    createdAt: at(190),
    data: { name: 'Fries', price: 0.1, quantity: 3, tabUuid: tab },
  },
  {
    type: 'ITEM_ADDED',
    targetUuid: 'i-1',
    createdAt: at(190),
    data: { name: 'Fries', price: 0.1, quantity: 3, tabUuid: tab },
  },
]
const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())

beforeAll(async () => {
  await using tab = await openTabscope(folder.path)
  await tab.receive(...payloads.map((payload) => post(tab.path, JSON.stringify(payload))))
})

const run = (...args: string[]) => runCli(['delivery', ...args, '--data', folder.path])

test('trace prints the deliveries with an ID, in order, with sums', async () => {
  const result = await run('trace', '2', '--utc')
  expect(result.stderr).toBe('')
  expect(result.code).toBe(0)
  const text = result.stdout.toString()
  expect(text).toContain('tab \\u001b[31m tab-1 “\\u202eMiller”, 3 deliveries')
  expect(text).not.toMatch(/\u001b|\u202e/)
  expect(text).toMatch(/>2 +2026-03-14 20:44:10\.000Z +\+190\.000 s +0\.3 +0\.3 +– +0 /)
  expect(text).toContain('Observed: the same bytes as #2, so it is not counted again.')
  expect(text).toContain('is an assumption')

  const json = await run('trace', '3', '--json')
  const [line, ...rest] = jsonLines(json.stdout)
  expect(rest).toEqual([])
  const traced = cliLines.trace.parse(line)
  expect(traced.deliveryId).toBe(3)
  expect(traced.entries.map(({ delivery }) => delivery.id)).toEqual([1, 2, 3])
  expect(traced.indexedId).toBe(3)

  const [missing] = jsonLines((await run('trace', '99', '--json')).stdout)
  expect(missing).toMatchObject({ code: 'not_found' })
})
