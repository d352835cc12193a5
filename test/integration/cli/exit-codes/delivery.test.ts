import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodBody, post } from '#test/support/requests.ts'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { hasTerminal, jsonLines, runCli, startInTerminal } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { expectExitCodes, type Row } from './rows.ts'

let folder: OwnedFolder
beforeAll(() => {
  folder = ownedFolder()
})
// Registered before the folder is locked, so that it runs after the release.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path, { secret: 'of the exit codes' })

beforeAll(async () => {
  const bodies = [goodBody, goodBody, goodBody.toString().replace('OPEN', 'CLOSE'), 'no JSON']
  const { path } = held()
  await held().receive(...bodies.map((body) => post(path, body)))
  const sent = await run('resend', '1', '--to', 'http://127.0.0.1:9/')
  expect(sent.code).toBe(1)
})

const run = (...args: string[]) => runCli([...args, '--data', folder.path])

/** In this order, since some change the data. */
const rows: readonly Row[] = [
  ['delivery', 2, 'usage'],
  ['deliveries fly', 2, 'usage'],

  ['delivery list', 0, [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }]],
  ['delivery ls -n 1', 0, [{ id: 4 }]],
  ['delivery list --type CLOSE_TAB', 0, [{ id: 3 }]],
  ['delivery list --type CLOSE_TAB --type none', 0, [{ id: 4 }, { id: 3 }]],
  ['delivery list --type OPEN_TAB --filter id:9 --verdict valid', 2, 'bad_filter'],
  ['delivery list --type OPEN_TAB --verdict valid', 0, []],
  ['delivery list --filter CLOSE_TAB%or%OPEN_TAB --finding none --limit 1', 0, [{ id: 2 }]],
  ['delivery list --finding body.not_json --since 1h', 0, [{ id: 4 }]],
  ['delivery list --finding body.* --before 1h', 0, []],
  ['delivery list --type ORDER_PLACD', 2, 'usage'],
  ['delivery list --finding body.nojson', 2, 'usage'],
  ['delivery list --verdict wrong', 2, 'usage'],
  ['delivery list --since someday', 2, 'usage'],
  ['delivery list --limit 0', 2, 'usage'],
  ['delivery list --log none.tabscope', 3, 'not_found'],

  ['delivery show latest', 0, [{ id: 4 }]],
  ['delivery show 1 3', 0, [{ id: 1 }, { id: 3 }]],
  ['delivery show', 2, 'usage'],
  ['delivery show x', 2, 'usage'],
  ['delivery show 1 2 --body', 2, 'usage'],
  [
    'delivery show 98 1 99',
    3,
    [
      { id: 1 },
      {
        code: 'not_found',
        message: 'Delivery 98, 99 does not exist. To list deliveries: tabscope delivery list',
      },
    ],
  ],

  ['delivery headers latest 99', 3, 'not_found'],
  ['delivery headers 1', 0],
  ['delivery headers', 2, 'usage'],
  ['delivery diagnose 1 latest', 0, [{ deliveryId: 1 }, { deliveryId: 4 }]],
  ['delivery diagnose 99', 3, 'not_found'],
  ['delivery diagnose 1 --secret-env TABSCOPE_NOT_SET', 2, 'usage'],
  ['delivery diagnose 1 --secret-stdin', 2, 'usage'],
  ['delivery diagnose 1 --secret-env A --secret-stdin', 2, 'usage'],
  ['delivery trace latest 1', 0, [{ deliveryId: 4 }, { deliveryId: 1 }]],
  ['delivery trace 99', 3, 'not_found'],
  ['delivery trace', 2, 'usage'],
  ['delivery related 1 1', 0, [{ deliveryId: 1, sameBody: { total: 1 } }]],
  ['delivery related 99', 3, 'not_found'],
  ['delivery related 0', 2, 'usage'],

  ['delivery diff 1 2', 0, [{ equal: true }]],
  ['delivery diff 1 latest', 1, [{ equal: false, deliveryIds: [1, 4] }]],
  ['delivery diff 1 99', 3, 'not_found'],
  ['delivery diff 1', 2, 'usage'],

  ['delivery attempts 1', 0, [{ event: 'attempt', deliveryId: 1, status: null }]],
  ['delivery attempts latest', 0, []],
  ['delivery attempts 99', 3, 'not_found'],
  ['delivery attempts', 2, 'usage'],
  ['attempt list', 0, [{ event: 'attempt', id: 1 }]],
  ['attempt list --delivery 1 --limit 1', 0, [{ id: 1 }]],
  ['attempt list --delivery latest', 0, []],
  ['attempt list --delivery 99', 3, 'not_found'],
  ['attempt list --delivery x', 2, 'usage'],
  ['attempt show 1', 0, [{ id: 1, response: null, error: { code: 'refused' } }]],
  ['attempt show 1 99', 3, 'not_found'],
  ['attempt show', 2, 'usage'],

  [
    'delivery note latest,1 seen',
    0,
    [
      { id: 4, noted: true },
      { id: 1, noted: true },
    ],
  ],
  ['delivery note 99,2 seen', 3, [{ code: 'not_found' }]],
  ['delivery note 1', 2, 'usage'],
  ['delivery tag 2 bug done', 0, [{ id: 2, tags: ['bug', 'done'], pinned: true }]],
  ['delivery tag 2,99 bug', 3, [{ code: 'not_found' }]],
  ['delivery tag 2', 2, 'usage'],
  [
    'delivery pin latest 3',
    0,
    [
      { id: 4, pinned: true },
      { id: 3, pinned: true },
    ],
  ],
  ['delivery unpin 1 99', 3, [{ code: 'not_found' }]],
  ['delivery pin', 2, 'usage'],
  ['delivery unpin 3', 0, [{ id: 3, pinned: false }]],
  ['delivery unpin', 2, 'usage'],
  ['delivery pin 99', 3, 'not_found'],

  ['delivery recheck 1 latest', 0, [{ checked: 2 }]],
  ['delivery recheck --type OPEN_TAB --dry-run', 0, [{ checked: 2, dryRun: true }]],
  ['delivery recheck --type ORDER_PLACED', 3, 'not_found'],
  ['delivery recheck 1 99', 3, [{ code: 'not_found' }]],
  ['delivery recheck', 2, 'usage'],
  ['delivery recheck 1 --verdict valid', 2, 'usage'],

  ['conformance', 0, [{ type: 'CLOSE_TAB' }, { type: 'OPEN_TAB' }, { type: null }]],
  ['conformance --since someday', 2, 'usage'],
  ['conformance --before 2h30', 2, 'usage'],
  ['conformance --log none.tabscope', 3, 'not_found'],

  ['wait --since 1h --type CLOSE_TAB', 0, [{ id: 3 }]],
  ['wait --timeout 1ms', 1, 'timeout'],
  ['wait --timeout 30', 2, 'usage'],
  ['wait --count 0', 2, 'usage'],

  ['delivery delete 1', 4, 'confirmation_required'],
  ['delivery delete 1 99 --yes', 3, [{ code: 'not_found' }]],
  ['delivery delete --yes', 2, 'usage'],
  ['delivery delete 1 --type OPEN_TAB --yes', 2, 'usage'],
  ['delivery delete --type ORDER_PLACED --yes', 3, 'not_found'],
  ['delivery delete --verdict invalid -n', 0, [{ dryRun: true, deliveries: 4, pinned: 3 }]],
  ['delivery rm latest --yes', 0, [{ event: 'deleted', deliveries: 1, pinned: 1 }]],
  ['delivery delete --type OPEN_TAB --yes', 0, [{ deliveries: 2, pinned: 2 }]],
  ['delivery list', 0, [{ id: 3 }]],
]

test('commands for deliveries', () => expectExitCodes(rows, folder.path))

test('with --quiet, a list contains only IDs or names, and what is shown is complete', async () => {
  const only = async (...args: string[]) => (await run(...args, '-q')).stdout.toString()
  expect(await only('event-log', 'formats')).toMatch(/^ndjson\ncsv\n/)
  expect(await only('conformance')).toMatch(/^[A-Z_]+\n/)
  expect(await only('delivery', 'show', 'latest')).toContain('\n')
  const { code, stdout, stderr } = await run('delivery', 'list', '-q')
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({
    code: 0,
    stdout: '3\n',
    stderr: '',
  })
})

test('an empty list, an unknown type and a timeout say what to do', async () => {
  for (const [command, message] of [
    ['attempt list --delivery 3', 'No attempts. To send a delivery: tabscope resend ID'],
    ['delivery list --type OPEN_TAB', 'No delivery matches.'],
    ['delivery list --type open_tab', 'Unknown event type "open_tab". Did you mean OPEN_TAB?'],
    [
      'wait --since 1h --finding body.empty --timeout 0s',
      'Only 0 of 1 delivery matched within 0 s.',
    ],
  ] as const) {
    expect((await run(...command.split(' '))).stderr).toBe(`${message}\n`)
  }
})

test.skipIf(!hasTerminal())(
  'delete asks on a terminal, and deletes nothing without confirmation',
  async () => {
    for (const [keys, code] of [
      ['\u0003', 130],
      ['y\r', 0],
    ] as const) {
      expect(jsonLines((await run('delivery', 'list', '--json')).stdout)).toHaveLength(1)
      await using asked = startInTerminal('delivery', 'delete', '3', '--data', folder.path)
      await until('the question', () =>
        asked.shown().includes('Permanently delete 1 delivery? [y/N]'),
      )
      asked.child.stdin?.write(keys)
      expect({ keys, code: (await asked.ended).code }).toEqual({ keys, code })
    }
    const left = await run('delivery', 'list')
    expect(left.stderr).toBe('No deliveries. To receive webhooks: tabscope listen\n')
  },
)
