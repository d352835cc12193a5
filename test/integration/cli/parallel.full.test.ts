import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runSpawnedCli, spawnListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

/** Number of processes that change the same data folder at the same time. */
const times = 20
const numbers = Array.from({ length: times }, (_, n) => n + 1)

const folder = ownedFolder()
let tab: Listening

beforeAll(async () => {
  tab = await spawnListening(folder.path)
  await using client = await rawClient(tab.port)
  for (const n of numbers) {
    await client.send(post(tab.path, goodBody))
    await client.answers(n)
  }
})
afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const run = (...args: string[]) => runSpawnedCli([...args, '--json', '--data', folder.path])

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

async function inParallel(argsOf: (n: number) => string[]): Promise<void> {
  const results = await Promise.all(numbers.map((n) => run(...argsOf(n))))
  expect(results.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([])
}

test('respond keeps every rule', async () => {
  await inParallel((n) => ['respond', '--type', 'OPEN_TAB', '--status', String(200 + n)])
  expect(await lines('respond', 'list')).toHaveLength(1)
  const types = numbers.map((n) => `TYPE_${n}`)
  await inParallel((n) => ['respond', '--type', `TYPE_${n}`, '--status', '500'])
  const rules = await lines('respond', 'list')
  expect(rules.map(({ type }) => String(type)).toSorted()).toEqual(
    ['OPEN_TAB', ...types].toSorted(),
  )
})

test('delivery note, tag and pin of one delivery do not affect each other', async () => {
  await inParallel((n) => {
    if (n % 3 === 0) return ['delivery', 'note', '2', 'a note']
    return n % 3 === 1 ? ['delivery', 'pin', '2'] : ['delivery', 'tag', '2', `tag ${n}`]
  })
  const [delivery] = await lines('delivery', 'show', '2')
  expect(delivery).toMatchObject({ note: 'a note', pinned: true })
  expect(delivery?.['tags']).toHaveLength(numbers.filter((n) => n % 3 === 2).length)
})

test('forward adds, changes and removes every target', async () => {
  await inParallel((n) => ['forward', 'add', `http://127.0.0.1:9/${n}`])
  const targets = await lines('forward', 'list')
  expect(new Set(targets.map(({ url }) => url)).size).toBe(times)
  const idOf = (n: number): string => String(targets[n - 1]?.['id'])
  await inParallel((n) => ['forward', 'off', idOf(n)])
  expect((await lines('forward', 'list')).filter(({ enabled }) => enabled === true)).toEqual([])
  await inParallel((n) => ['forward', 'remove', idOf(n)])
  expect(await lines('forward', 'list')).toEqual([])
})

test('integration set of one name creates one integration and keeps every field', async () => {
  const fields = [
    ['--base-url', 'http://127.0.0.1:9'],
    ['--access-id', 'id-1'],
    ['--brand', 'Pier'],
    ['--access-secret', 'parallel-secret'],
  ]
  await inParallel((n) => ['integration', 'set', '--name', 'Parallel', ...(fields[n % 4] ?? [])])
  const there = await lines('integration', 'list')
  expect(there.filter(({ name }) => name === 'Parallel')).toEqual([
    expect.objectContaining({
      baseUrl: 'http://127.0.0.1:9',
      accessId: 'id-1',
      brand: 'Pier',
      accessSecret: expect.objectContaining({ set: true }),
    }),
  ])
})
