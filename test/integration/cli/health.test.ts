import { expect, test } from 'vitest'
import { z } from 'zod'
import { Rollups } from '#engine/health/rollups.ts'
import { openWriter } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const minuteMs = 60_000

/** A delivery in each minute of this hour and the three before it, for four weeks and until 50 minutes ago. */
function fillStore(dataDir: string): void {
  const db = openWriter(storePath(dataDir))
  const now = Date.now()
  const rollups = new Rollups(db)
  for (const week of [4, 3, 2, 1, 0]) {
    const date = new Date(now)
    date.setMinutes(0, 0, 0)
    date.setDate(date.getDate() - week * 7)
    for (let minute = -180; minute < 60; minute += 1) {
      const at = date.getTime() + minute * minuteMs
      if (at > now) break
      rollups.presence({ at, tunnel: 'closed', relayDown: false })
      if (week === 0 && at > now - 50 * minuteMs) continue
      rollups.delivery(0, {
        receivedUs: at * 1000,
        createdAt: at - 500,
        endpointId: 1,
        locationName: 'Pier 9',
        type: 'ORDER_PLACED',
        verdict: 'valid',
        via: null,
        sentBy: null,
        findings: [],
      })
    }
  }
  rollups.flush()
  while (rollups.step());
  db.close()
}

const lines = async (args: readonly string[], dataDir: string) =>
  jsonLines((await runCli([...args, '--data', dataDir, '--json'])).stdout)

test('health shows a silence, as do status and --check, until it is snoozed or a delivery arrives', async () => {
  await using folder = ownedFolder()
  await using closing = new AsyncDisposableStack()
  {
    await using tab = await openTabscope(folder.path, { background: true })
    await until('the first minute is counted', async () => {
      const { stdout } = await runCli(['health', '--data', tab.dataDir])
      return stdout.toString().includes('Alerts: none. They need 3 of the same weekday and hour')
    })
  }
  fillStore(folder.path)
  const stopped = await runCli(['health', '--check', '--data', folder.path])
  expect([stopped.code, stopped.stdout.toString()]).toEqual([
    1,
    expect.stringContaining('Tabscope is not running, so nothing is watched.'),
  ])

  const tab = closing.use(await openTabscope(folder.path, { background: true }))
  const silence = /^No delivery at Pier 9 since \d\d:\d\d; usually 60 in this hour\.$/
  const [health] = await until('the alert is raised', async () => {
    const found = await lines(['health', '--by', 'location'], folder.path)
    const [{ active } = {}] = found
    return Array.isArray(active) && active.length > 0 && found
  })
  expect(health).toMatchObject({
    isWatched: true,
    learned: [{ endpointId: 1, hours: 4 }],
    active: [{ kind: 'silence', location: 'Pier 9', message: expect.stringMatching(silence) }],
    groups: [{ key: 'Pier 9' }],
  })
  const [status] = await lines(['status'], folder.path)
  expect(status?.['problems']).toEqual([{ code: 'alert', message: expect.stringMatching(silence) }])
  const check = async (): Promise<number | null> =>
    (await runCli(['health', '--check', '--data', folder.path])).code
  expect(await check()).toBe(1)

  const snooze = (time: string) =>
    runCli(['health', '--endpoint', 'sandbox', '--snooze', time, '--data', folder.path])
  expect((await snooze('2h')).stderr).toMatch(/^The alerts of Samples are not shown until 2/)
  expect(await check()).toBe(0)
  await snooze('0s')
  expect(await check()).toBe(1)
  expect((await runCli(['health', '--snooze', '2h', '--data', folder.path])).code).toBe(2)

  await tab.receive(post(tab.path, goodBody))
  await until('the silence ended', async () => (await check()) === 0)
})

test('duplicates are counted, also again, and an event log with the counts shows them after the import', async () => {
  await using folder = ownedFolder()
  {
    await using tab = await openTabscope(folder.path)
    await tab.receive(post(tab.path, goodBody), post(tab.path, goodBody))
    const counted = () =>
      until('the duplicate is found', async () => {
        const [health] = await lines(['health'], folder.path)
        const { duplicates } = z.object({ duplicates: z.array(z.number()) }).parse(health)
        return duplicates.reduce((sum, each) => sum + each, 0) === 1 && health
      })
    const before = await counted()
    const again = await runCli(['health', '--count-again', '--data', folder.path])
    expect(again.stderr).toBe('2 deliveries are counted again.\n')
    expect(await counted()).toMatchObject({ total: before['total'] })
    await tab.engine.call('deliveries.clear', {})
    const forget = ['health', '--count-again', '--forget-deleted', '--data', folder.path]
    expect((await runCli(forget)).code).toBe(0)
    expect((await lines(['health'], folder.path))[0]).toMatchObject({ total: { received: 0 } })
  }
  fillStore(folder.path)
  const exported = async (name: string, ...options: string[]): Promise<string> => {
    const file = `${folder.path}/${name}`
    expect((await runCli(['export', '-o', file, '--data', folder.path, ...options])).code).toBe(0)
    return file
  }
  const masked = await exported('masked.ndjson', '--health')
  const [own] = await lines(['health', '--range', 'month', '--by', 'location'], folder.path)
  const ofLog = async (file: string) =>
    (await lines(['health', '--range', 'month', '--by', 'location', '--log', file], folder.path))[0]
  expect(await ofLog(masked)).toMatchObject({
    total: own?.['total'],
    groups: [{ key: 'location 1' }],
    active: [],
  })
  const without = await exported('without.ndjson')
  expect(await ofLog(without)).toMatchObject({ countedFrom: null, groups: [] })
})
