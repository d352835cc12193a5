import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path)

beforeAll(async () => {
  const { path } = held()
  await held().receive(
    post(path, goodBody),
    post(path, JSON.stringify({ type: '\u001B[31mRED' })),
    head('GET /elsewhere HTTP/1.1', ['Host: a']),
  )
})

const run = (...args: string[]) => runCli([...args, '--data', folder.path])

async function json(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

test('note sets the note of a delivery, and an empty text removes it', async () => {
  expect(await json('delivery', 'note', '1', 'why?')).toMatchObject([
    { event: 'delivery', id: 1, noted: true, pinned: true },
  ])
  expect(await json('delivery', 'show', '1')).toMatchObject([{ note: 'why?' }])
  expect(await json('delivery', 'note', '1', '')).toMatchObject([{ id: 1, noted: false }])
  expect(await json('delivery', 'show', '1')).toMatchObject([{ note: '' }])
})

test('tag adds and removes tags', async () => {
  expect(await json('delivery', 'tag', '2', 'to fix', ' seen ')).toMatchObject([
    { id: 2, tags: ['to fix', 'seen'], pinned: true },
  ])
  expect(await json('delivery', 'tag', '2', 'seen', 'third')).toMatchObject([
    { tags: ['to fix', 'seen', 'third'] },
  ])
  const line = (await run('delivery', 'tag', '2', 'third', '--remove')).stdout.toString()
  expect(line).toContain(String.raw`\u001b[31mRED`)
  expect(line).toContain('(pinned) #to fix #seen\n')
})

test('conformance counts by type and by time', async () => {
  const types = await json('conformance')
  expect(types).toMatchObject([
    { event: 'conformance', type: '\u001B[31mRED', count: 1 },
    { event: 'conformance', type: 'OPEN_TAB', count: 1 },
    { event: 'conformance', type: null, count: 1 },
  ])
  expect(types[2]).toMatchObject({
    firstId: 3,
    findings: expect.arrayContaining([
      expect.objectContaining({
        code: 'request.no_endpoint',
        count: 1,
        firstId: 3,
        lastId: 3,
      }),
    ]),
  })
  expect(await json('conformance', '--since', 'yesterday')).toEqual(types)
  const none = await run('conformance', '--before', '2020-01-01')
  expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining('No deliveries') })
  const text = (await run('conformance', '--utc')).stdout.toString()
  expect(text).toMatch(/^no type +1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +3 {2}/m)
  expect(text).toMatch(/^no type +1 {2}warning +request\.no_endpoint +request /m)
  expect(text).toContain(String.raw`\u001b[31mRED`)
})
