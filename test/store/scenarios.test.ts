import { expect, test } from 'vitest'
import type { ScenarioRun } from '#contract/scenarios.ts'
import type { Copy } from '#engine/scenarios/store.ts'
import type { Store } from '#engine/store/store.ts'
import { logDelivery } from '#test/support/event-log.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function copyOf(index: number, bytes: number): Copy {
  const { kind: _, body: __, attempts: ___, ...fields } = logDelivery(index + 1)
  return { fields, body: Buffer.alloc(bytes, 'a') }
}

const record = {
  savedAt: 1,
  deliveries: 3,
  bytes: 3,
  firstAt: 1,
  lastAt: 2,
  endpointId: null,
  leftOut: [],
  redaction: null,
}
const running: Omit<ScenarioRun, 'id'> = {
  scenario: 'evening',
  startedAt: 1,
  endedAt: null,
  state: 'running',
  url: 'http://localhost:1/',
  speed: 1,
  keepIds: false,
  seed: 1,
  total: 3,
  ok: 0,
  failed: 0,
  unsigned: 0,
  comparedTo: null,
  changed: 0,
  problem: null,
}

async function save({ writer }: Store, bytes = 1): Promise<number> {
  const id = await writer.call('insertScenario')
  for (const from of [0, 1, 2]) {
    await writer.call('addCopies', { id, from, copies: [copyOf(from, bytes)] })
  }
  return id
}

test('after a crash, a run is interrupted with what was sent, and an incomplete scenario is not listed', async () => {
  const folder = tempFolder()
  const { store, close } = await openTestStore(folder)
  const id = await save(store)
  await store.writer.call('nameScenario', { id, name: 'evening', record })
  const runId = await store.writer.call('insertScenarioRun', { scenarioId: id, run: running })
  const result = { position: 0, status: 200, error: null, durationMs: 1 }
  const run = { ...running, id: runId, ok: 1 }
  await store.writer.call('recordScenarioResults', { run, results: [result] })
  const unnamed = await save(store)
  // Nothing else is written when a process dies.
  await close()
  const { store: again } = await openTestStore(folder)
  const found = await again.reader.call('scenarioWithRuns', 'evening')
  expect(found?.runs).toMatchObject([{ id: runId, state: 'interrupted', ok: 1 }])
  expect(found?.deliveries).toHaveLength(3)
  expect(await again.reader.call('scenarioResults', runId)).toEqual([result])
  expect(await again.reader.call('scenarios')).toMatchObject([{ id, name: 'evening' }])
  expect(await again.reader.call('unnamedScenarios')).toEqual([unnamed])
})

test('a scenario with the same name is replaced, and deleted in parts with its runs', async () => {
  const { store } = await openTestStore(tempFolder())
  const { reader, writer } = store
  const old = await save(store, 5 * 1024 * 1024)
  await writer.call('nameScenario', { id: old, name: 'evening', record })
  const runId = await writer.call('insertScenarioRun', { scenarioId: old, run: running })
  const id = await save(store)
  await writer.call('nameScenario', { id, name: 'evening', record })
  expect(await reader.call('scenario', 'evening')).toMatchObject({ id, lastRun: null })
  let parts = 0
  while (await writer.call('deleteScenarioPart', old)) parts += 1
  expect(parts).toBe(2)
  expect(await reader.call('scenarioRun', runId)).toBeNull()
  expect((await reader.call('scenarioWithRuns', 'evening'))?.deliveries).toHaveLength(3)
})
