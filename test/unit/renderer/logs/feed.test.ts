import { expect, it } from 'vitest'
import { feedLimit } from '#contract/constants.ts'
import { uploadFile, type ReadableFile } from '#parts/event-logs/import-files.tsx'
import { createClient } from '#client/client.ts'
import { someImport } from '../../../support/sample-logs.ts'
import { FakeHost } from '../fake-host.ts'

/** A file of the given size that records which parts were read. */
function file(size: number): ReadableFile & { readonly read: [number, number][] } {
  const read: [number, number][] = []
  return {
    name: `${'n'.repeat(400)}.ndjson`,
    size,
    read,
    slice: (from, to) => ({
      arrayBuffer: async () => {
        read.push([from, to])
        return new ArrayBuffer(to - from)
      },
    }),
  }
}

function open(): { host: FakeHost; client: ReturnType<typeof createClient> } {
  const host = new FakeHost()
  const client = createClient(host.transport, () => 0)
  host.open()
  host.welcome()
  return { host, client }
}

const done = someImport(0, { id: 7, state: 'done', logId: 3 })

it('sends a file piece by piece, marks the last one, and waits for the result', async () => {
  const { host, client } = open()
  host.answer = () => done
  const given = file(feedLimit + 5)
  expect(await uploadFile(client, given)).toEqual(done)
  expect(given.read).toEqual([
    [0, feedLimit],
    [feedLimit, feedLimit + 5],
  ])
  const [begun, ...rest] = host.calls.map(({ name, input }) => ({ name, input }))
  expect(begun).toEqual({
    name: 'logs.import',
    input: { from: { kind: 'feed', name: 'n'.repeat(300), size: feedLimit + 5 } },
  })
  expect(rest).toMatchObject([
    { name: 'logs.feed', input: { id: 7, end: false } },
    { name: 'logs.feed', input: { id: 7, end: true } },
    { name: 'logs.imported', input: { id: 7 } },
  ])
})

it('reads the next chunk only after the response to the previous one', async () => {
  const { host, client } = open()
  host.answer = ({ name }) => (name === 'logs.feed' ? undefined : done)
  const given = file(4 * feedLimit)
  void uploadFile(client, given)
  await expect.poll(() => host.calls.filter(({ name }) => name === 'logs.feed').length).toBe(1)
  expect(given.read).toHaveLength(1)
})

it('uploads an empty file', async () => {
  const { host, client } = open()
  host.answer = () => done
  await uploadFile(client, file(0))
  expect(host.calls.filter(({ name }) => name === 'logs.feed')).toMatchObject([
    { input: { end: true } },
  ])
})

it('requests the result if the import ended before the file', async () => {
  const { host, client } = open()
  const failed = someImport(0, { id: 7, state: 'failed' })
  host.answer = ({ id, name }) => {
    if (name !== 'logs.feed') return failed
    const error = { code: 'run_over', message: 'It is over.', retry: 'never' } as const
    queueMicrotask(() => host.tell({ kind: 'reply', id, ok: false, error }))
    return undefined
  }
  expect(await uploadFile(client, file(10 * feedLimit))).toEqual(failed)
  expect(host.calls.map(({ name }) => name)).not.toContain('logs.cancelImport')
})

it('stores nothing of an unreadable file', async () => {
  const { host, client } = open()
  host.answer = () => done
  const broken: ReadableFile = {
    name: 'a-folder',
    size: 10,
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }),
  }
  await expect(uploadFile(client, broken)).rejects.toThrow('NotReadableError')
  expect(host.calls.map(({ name }) => name)).toEqual(['logs.import', 'logs.cancelImport'])
})
