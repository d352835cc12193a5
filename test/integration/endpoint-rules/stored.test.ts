import { describe, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { RuleUse } from '#contract/endpoint-rules.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { openTestEngine, sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { ask, rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

type Rule = CallInput<'responses.set'>['rules'][number]

function rule(changes: Partial<Rule> = {}): Rule {
  const answer = { kind: 'status', status: 500, headers: [], body: '' } as const
  return {
    type: null,
    response: { ...answer, headers: [] },
    delayMs: 0,
    when: { kind: 'always' },
    enabled: true,
    ...changes,
  }
}
const ofType = (path: string, type: string) => post(path, JSON.stringify({ type, data: {} }))

/** Whether the store in a folder has the time of this response. */
function isTimeStored(dataDir: string, type: string): boolean {
  const db = openReader(storePath(dataDir))
  const row = db
    .prepare('SELECT 1 FROM delivery WHERE type = ? AND responded_us IS NOT NULL')
    .get(type)
  db.close()
  return row !== undefined
}

async function setRules({ engine, endpointId }: TestEngine, rules: Rule[]): Promise<void> {
  await engine.call('responses.set', { endpointId, rules })
}

async function send(
  tab: Pick<TestEngine, 'port' | 'path'>,
  bytes = post(tab.path, goodBody),
): Promise<number> {
  return (await ask(tab.port, bytes)).status
}

describe('the stored response', () => {
  const tab = sharedTestEngine()

  test.for([
    ['X-Line', 'a\r\nX-Injected: b'],
    ['not a name', 'x'],
    ['', 'x'],
    ['X-Wide', '漢'],
  ] as const)('never contains a header that HTTP does not allow: %o', async ([name, value]) => {
    const answer = { kind: 'status', status: 500, headers: [[name, value]], body: '' } as const
    const headers: [string, string][] = [[name, value]]
    await expect(
      setRules(tab(), [rule({ response: { ...answer, headers } })]),
    ).rejects.toMatchObject({ code: 'bad_input' })
  })

  test('updates the count of each rule, which is deleted with the rule', async () => {
    const { engine, endpointId } = tab()
    let uses: RuleUse[] = []
    const stop = engine.on('responses.used', (changes) => {
      uses = changes
    })
    const [one] = await engine.call('responses.set', {
      endpointId,
      rules: [rule({ when: { kind: 'first', count: 1 } })],
    })
    await send(tab())
    await send(tab())
    const expected = [{ ruleId: one?.id, matchCount: 2, applied: 1 }]
    await until('the uses', () => uses[0]?.matchCount === 2)
    expect(uses).toEqual(expected)
    expect((await engine.call('app.snapshot', {})).ruleUses).toEqual(expected)
    // Unrelated changes do not affect the count.
    await engine.call('endpoints.update', { id: endpointId, name: 'Renamed' })
    expect(await send(tab())).toBe(200)
    await engine.call('responses.off', {})
    expect(await send(tab())).toBe(200)
    await until('no uses', () => uses.length === 0)
    stop()
  })
})

test.runIf(full)(
  'killed with pending responses: those deliveries are stored without a status; those with late responses have one',
  async () => {
    await using folder = ownedFolder()
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      await setRules(tab, [
        rule({
          type: 'SLOW',
          delayMs: 100,
          response: { kind: 'status', status: 202, headers: [], body: '' },
        }),
        rule({ type: 'NEVER', delayMs: 120_000 }),
        rule({ type: 'DROP', response: { kind: 'drop' } }),
      ])
    }
    await using tab = await spawnListening(folder.path, ['listen'])
    const clients = await Promise.all(
      ['NEVER', 'SLOW', 'DROP', 'QUICK'].map(async (type) => {
        const client = await rawClient(tab.port)
        await client.send(ofType(tab.path, type))
        return { type, client }
      }),
    )
    for (const { type, client } of clients) {
      if (type === 'DROP') await client.closed()
      else if (type !== 'NEVER') await client.answer()
    }
    await until('all four', () => tab.lines().length === 5)
    await until('the late response in the store', () => isTimeStored(folder.path, 'SLOW'))
    tab.child.kill('SIGKILL')
    await tab.ended
    const { stdout } = await runCli(['delivery', 'list', '--json', '--data', folder.path])
    const statuses = jsonLines(stdout).map(
      ({ type, status, respondedBy }) =>
        `${String(type)} ${String(status)} ${typeof respondedBy === 'string' ? respondedBy : 'nobody'}`,
    )
    expect(statuses.toSorted()).toEqual([
      'DROP null rule',
      'NEVER null nobody',
      'QUICK 200 nobody',
      'SLOW 202 rule',
    ])
    for (const { client } of clients) await client[Symbol.asyncDispose]()
  },
)
