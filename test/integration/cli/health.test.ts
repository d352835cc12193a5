import { expect, test } from 'vitest'
import { createCounting } from '#engine/deliveries/health/counts.ts'
import { writePresence } from '#engine/deliveries/health/running.ts'
import { openWriter } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const minuteMs = 60_000

/** A delivery in each minute of this hour, the three before it and the next, which may begin during the test; for four weeks and until 50 minutes ago. */
function fillStore(dataDir: string): void {
  const db = openWriter(storePath(dataDir))
  const now = Date.now()
  const counting = createCounting(db)
  for (const week of [4, 3, 2, 1, 0]) {
    const date = new Date(now)
    date.setMinutes(0, 0, 0)
    date.setDate(date.getDate() - week * 7)
    for (let minute = -180; minute < 120; minute += 1) {
      const at = date.getTime() + minute * minuteMs
      if (at > now) break
      writePresence(db, { at, tunnel: 'closed', relayDown: false })
      if (week === 0 && at > now - 50 * minuteMs) continue
      counting.deliveries([
        {
          receivedUs: at * 1000,
          createdAt: at - 500,
          endpointId: 1,
          locationName: 'Pier 9',
          type: 'ORDER_PLACED',
          verdict: 'valid',
          via: null,
          sentBy: null,
        },
      ])
    }
  }
  db.close()
}

const lines = async (args: readonly string[], dataDir: string) =>
  jsonLines((await runCli([...args, '--data', dataDir, '--json'])).stdout)

test('--check exits with 1 if everything fails in the first hour, and says from when the other alerts work', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path, { background: true, secret: 'a secret' })
  const check = () => runCli(['health', '--check', '--data', tab.dataDir])
  expect((await check()).code).toBe(0)
  const unsigned = head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 2'])
  for (let count = 0; count < 12; count += 1)
    await tab.receive(Buffer.concat([unsigned, Buffer.from('{}')]))
  await until('the check after them', async () => (await check()).code === 1)
  const text = (await check()).stdout.toString()
  expect(text.slice(text.indexOf('Alerts:')).split('\n')).toEqual([
    'Alerts:',
    '  100 % of the deliveries to Samples in the last hour had an invalid or missing signature.',
    expect.stringMatching(
      /^ {2}A new cause at Samples, in \d+ deliver\w+: The signature header is missing$/,
    ),
    'Learning what is usual: about three weeks left, until silence and delay alert. Failures and new causes alert now.',
    '',
  ])
})

test.runIf(full)(
  'health shows a silence, as do status and --check, until it is snoozed or a delivery arrives',
  async () => {
    await using folder = ownedFolder()
    await using closing = new AsyncDisposableStack()
    {
      await using tab = await openTabscope(folder.path, { background: true })
      await until('the first minute is counted', async () => {
        const { stdout } = await runCli(['health', '--data', tab.dataDir])
        return stdout.toString().includes('Learning what is usual: about three weeks left,')
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
    expect(status?.['problems']).toEqual([
      { code: 'alert', message: expect.stringMatching(silence) },
    ])
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
  },
)
