import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

let folder: OwnedFolder

beforeAll(async () => {
  folder = ownedFolder()
  await using tab = await startListening(folder.path)
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  await client.answers(1)
  await client.send(post(tab.path, JSON.stringify({ type: '\u001B[31mRED' })))
  await client.answers(2)
  await client.send(head('GET /elsewhere HTTP/1.1', ['Host: a']))
  await client.answers(3)
  tab.child.kill('SIGTERM')
  await tab.ended
})
afterAll(() => folder[Symbol.asyncDispose]())

const run = (...args: string[]) => runCli([...args, '--data', folder.path])

async function json(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

/** Once without a running Tabscope, and once while one runs and is notified. */
describe.each(['without a running Tabscope', 'with a running Tabscope'])(
  'deliveries %s',
  (where) => {
    let close: (() => Promise<void>) | null = null
    beforeAll(async () => {
      if (where === 'without a running Tabscope') return
      const tab = await startListening(folder.path)
      close = async () => tab[Symbol.asyncDispose]()
    })
    afterAll(() => close?.())

    test('note sets the note of a delivery, and an empty text removes it', async () => {
      expect(await json('deliveries', 'note', '1', `why ${where}?`)).toMatchObject([
        { event: 'delivery', id: 1, noted: true, pinned: true },
      ])
      expect(await json('deliveries', 'show', '1')).toMatchObject([{ note: `why ${where}?` }])
      expect(await json('deliveries', 'note', '1', '')).toMatchObject([{ id: 1, noted: false }])
      expect(await json('deliveries', 'show', '1')).toMatchObject([{ note: '' }])
    })

    test('tag adds and removes tags', async () => {
      expect(await json('deliveries', 'tag', '2', 'to fix', ' seen ')).toMatchObject([
        { id: 2, tags: ['to fix', 'seen'], pinned: true },
      ])
      expect(await json('deliveries', 'tag', '2', 'seen', 'third')).toMatchObject([
        { tags: ['to fix', 'seen', 'third'] },
      ])
      const line = (await run('deliveries', 'tag', '2', 'third', '--remove')).stdout.toString()
      expect(line).toContain(String.raw`\u001b[31mRED`)
      expect(line).toContain('(pinned) #to fix #seen\n')
      expect(await json('deliveries', 'tag', '2', 'to fix', 'seen', '--remove')).toMatchObject([
        { tags: [] },
      ])
    })

    test('recheck checks signatures again with the current secrets', async () => {
      expect(await json('deliveries', 'recheck', '1', '3')).toEqual([
        {
          event: 'rechecked',
          checked: 2,
          changed: 0,
          incomplete: 0,
          counts: { valid: 0, invalid: 0, missing: 0, unsigned: 1, unchecked: 1 },
        },
      ])
      const all = await run('deliveries', 'recheck', '--filter', '')
      expect(all.stdout.toString()).toBe('3 checked, 1 unsigned, 2 unchecked; 0 changed\n')
      const neither = await run('deliveries', 'recheck')
      expect(neither).toMatchObject({ code: 2 })
      expect(neither.stderr).toContain('Specify delivery IDs, or select deliveries')
    })

    test('pin and unpin', async () => {
      expect(await json('deliveries', 'pin', '3')).toMatchObject([{ id: 3, pinned: true }])
      expect(await json('deliveries', 'unpin', '3')).toMatchObject([{ id: 3, pinned: false }])
    })

    test('of a missing delivery fail with a message', async () => {
      for (const args of [
        ['note', '99', 'a'],
        ['tag', '99', 'a'],
        ['pin', '99'],
      ]) {
        const { code, stdout, stderr } = await run('deliveries', ...args)
        expect({ code, stdout: stdout.toString() }).toEqual({ code: 3, stdout: '' })
        expect(stderr).toContain('Delivery 99 does not exist.')
      }
    })

    test('conformance counts by type and by time', async () => {
      const types = await json('conformance')
      expect(types).toMatchObject([
        { event: 'conformance', type: '\u001B[31mRED', deliveries: 1 },
        { event: 'conformance', type: 'OPEN_TAB', deliveries: 1 },
        { event: 'conformance', type: null, deliveries: 1 },
      ])
      expect(types[2]).toMatchObject({
        firstDeliveryId: 3,
        findingCounts: expect.arrayContaining([
          expect.objectContaining({
            code: 'request.no_endpoint',
            count: 1,
            firstDeliveryId: 3,
            lastDeliveryId: 3,
          }),
        ]),
      })
      expect(await json('conformance', '--since', 'yesterday')).toEqual(types)
      const none = await run('conformance', '--before', '2020-01-01', '--json')
      expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining('No deliveries') })
      expect(jsonLines(none.stdout)).toEqual([])
      const text = (
        await run('conformance', '--since', '2020-01-01T00:00Z', '--utc')
      ).stdout.toString()
      expect(text).toMatch(/^no type +1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +3 {2}/m)
      expect(text).toMatch(/^no type +1 {2}warning +request\.no_endpoint +request /m)
      expect(text).toContain(String.raw`\u001b[31mRED`)
      expect((await run('conformance', '--before', '63d')).stderr).toContain('No deliveries')
    })
  },
)
