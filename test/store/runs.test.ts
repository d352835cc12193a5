import { describe, expect, it } from 'vitest'
import { readRun, readRuns } from '#engine/authorization/oauth/runs.ts'
import type { RunFields } from '#engine/authorization/oauth/store.ts'
import type { Store } from '#engine/app/threads/store.ts'
import { sampleRun } from '#test/support/event-log/sample-log.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const { id: _, ...sample } = sampleRun
const begun: RunFields = {
  ...sample,
  kind: 'authorize',
  agent: 'none',
  state: 'running',
  startedAt: 1000,
  endedAt: null,
  redirectUrl: 'https://a.example/cb',
  tokenId: null,
}
const sealed = (name: string) => ({ name, sealed: Buffer.from(`sealed ${name}`) })
const insert = ({ writer }: Store) => writer.call('insertRun', begun)
const ids = async ({ reader }: Store) =>
  (await reader.call('runs', { limit: 500 })).map(({ id }) => id)

describe('runs in the store', () => {
  it('are shown as closed after the process died', async () => {
    const { store } = await openTestStore(tempFolder())
    const id = await insert(store)
    await store.writer.call('updateRun', {
      run: { ...begun, id, state: 'waiting', acceptsPaste: true, timeoutAt: 5000 },
      secrets: [],
    })
    const closed = { state: 'failed', failure: { code: 'closed' } }
    const context = { store, runs: new Map() }
    expect(await readRun(context, id)).toMatchObject({
      ...closed,
      acceptsPaste: false,
      timeoutAt: null,
    })
    expect(await readRuns(context, { limit: 1 })).toMatchObject([closed])
  })

  it('keep 200 records of each integration, and delete the masked values of the others', async () => {
    const { store } = await openTestStore(tempFolder())
    const oldest = await insert(store)
    await store.writer.call('updateRun', {
      run: { ...begun, id: oldest },
      secrets: [sealed('code')],
    })
    for (let i = 0; i < 199; i += 1) await insert(store)
    expect(await ids(store)).toHaveLength(200)
    const newest = await insert(store)
    const kept = await ids(store)
    expect(kept).toHaveLength(200)
    expect(kept[0]).toBe(newest)
    expect(kept).not.toContain(oldest)
  })

  it('keep what is in progress when the rest is cleared', async () => {
    const { store } = await openTestStore(tempFolder())
    const [first, second] = [await insert(store), await insert(store)]
    await store.writer.call('clearRuns', { integrationId: 1, upTo: 999, except: [first] })
    expect(await ids(store)).toEqual([first])
    expect(second).toBeGreaterThan(first)
  })

  it('are deleted with their integration, and do not return', async () => {
    const { store } = await openTestStore(tempFolder())
    const id = await insert(store)
    await store.writer.call('deleteEndpoint', 1)
    await store.writer.call('deleteIntegration', 1)
    await store.writer.call('updateRun', { run: { ...begun, id }, secrets: [sealed('code')] })
    expect(await ids(store)).toEqual([])
    expect(await store.reader.call('runSecret', { runId: id, name: 'code' })).toBeNull()
  })
})
