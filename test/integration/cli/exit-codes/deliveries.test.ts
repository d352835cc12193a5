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
  ['deliveries', 2, 'usage'],
  ['deliveries fly', 2, 'usage'],

  ['deliveries list', 0, [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }]],
  ['deliveries ls -n 1', 0, [{ id: 4 }]],
  ['deliveries list --type CLOSE_TAB', 0, [{ id: 3 }]],
  ['deliveries list --type CLOSE_TAB --type none', 0, [{ id: 4 }, { id: 3 }]],
  ['deliveries list --type OPEN_TAB --filter id:9 --verdict valid', 2, 'bad_filter'],
  ['deliveries list --type OPEN_TAB --verdict valid', 0, []],
  ['deliveries list --filter CLOSE_TAB%or%OPEN_TAB --finding none --limit 1', 0, [{ id: 2 }]],
  ['deliveries list --finding body.not_json --since 1h', 0, [{ id: 4 }]],
  ['deliveries list --finding body.* --before 1h', 0, []],
  ['deliveries list --type ORDER_PLACD', 2, 'usage'],
  ['deliveries list --finding body.nojson', 2, 'usage'],
  ['deliveries list --verdict wrong', 2, 'usage'],
  ['deliveries list --since someday', 2, 'usage'],
  ['deliveries list --limit 0', 2, 'usage'],
  ['deliveries list --log none.tabscope', 3, 'not_found'],

  ['deliveries show latest', 0, [{ id: 4 }]],
  ['deliveries show 1 3', 0, [{ id: 1 }, { id: 3 }]],
  ['deliveries show', 2, 'usage'],
  ['deliveries show x', 2, 'usage'],
  ['deliveries show 1 2 --body', 2, 'usage'],
  [
    'deliveries show 98 1 99',
    3,
    [
      { id: 1 },
      {
        code: 'not_found',
        message: 'Delivery 98, 99 does not exist. To list deliveries: tabscope deliveries list',
      },
    ],
  ],

  ['deliveries headers latest 99', 3, 'not_found'],
  ['deliveries headers 1', 0],
  ['deliveries headers', 2, 'usage'],
  ['deliveries diagnose 1 latest', 0, [{ deliveryId: 1 }, { deliveryId: 4 }]],
  ['deliveries diagnose 99', 3, 'not_found'],
  ['deliveries diagnose 1 --secret-env TABSCOPE_NOT_SET', 2, 'usage'],
  ['deliveries diagnose 1 --secret-stdin', 2, 'usage'],
  ['deliveries diagnose 1 --secret-env A --secret-stdin', 2, 'usage'],
  ['deliveries trace latest 1', 0, [{ deliveryId: 4 }, { deliveryId: 1 }]],
  ['deliveries trace 99', 3, 'not_found'],
  ['deliveries trace', 2, 'usage'],
  ['deliveries related 1 1', 0, [{ deliveryId: 1, sameBody: { total: 1 } }]],
  ['deliveries related 99', 3, 'not_found'],
  ['deliveries related 0', 2, 'usage'],

  ['deliveries diff 1 2', 0, [{ equal: true }]],
  ['deliveries diff 1 latest', 1, [{ equal: false, deliveryIds: [1, 4] }]],
  ['deliveries diff 1 99', 3, 'not_found'],
  ['deliveries diff 1', 2, 'usage'],

  ['deliveries attempts 1', 0, [{ event: 'attempt', deliveryId: 1, status: null }]],
  ['deliveries attempts latest', 0, []],
  ['deliveries attempts 99', 3, 'not_found'],
  ['deliveries attempts', 2, 'usage'],
  ['attempts list', 0, [{ event: 'attempt', id: 1 }]],
  ['attempts list --delivery 1 --limit 1', 0, [{ id: 1 }]],
  ['attempts list --delivery latest', 0, []],
  ['attempts list --delivery 99', 3, 'not_found'],
  ['attempts list --delivery x', 2, 'usage'],
  ['attempts show 1', 0, [{ id: 1, response: null, error: { code: 'refused' } }]],
  ['attempts show 1 99', 3, 'not_found'],
  ['attempts show', 2, 'usage'],

  [
    'deliveries note latest,1 seen',
    0,
    [
      { id: 4, noted: true },
      { id: 1, noted: true },
    ],
  ],
  ['deliveries note 99,2 seen', 3, [{ code: 'not_found' }]],
  ['deliveries note 1', 2, 'usage'],
  ['deliveries tag 2 bug done', 0, [{ id: 2, tags: ['bug', 'done'], pinned: true }]],
  ['deliveries tag 2,99 bug', 3, [{ code: 'not_found' }]],
  ['deliveries tag 2', 2, 'usage'],
  [
    'deliveries pin latest 3',
    0,
    [
      { id: 4, pinned: true },
      { id: 3, pinned: true },
    ],
  ],
  ['deliveries unpin 1 99', 3, [{ code: 'not_found' }]],
  ['deliveries pin', 2, 'usage'],
  ['deliveries unpin 3', 0, [{ id: 3, pinned: false }]],
  ['deliveries unpin', 2, 'usage'],
  ['deliveries pin 99', 3, 'not_found'],

  ['deliveries recheck 1 latest', 0, [{ checked: 2 }]],
  ['deliveries recheck --type OPEN_TAB --dry-run', 0, [{ checked: 2, dryRun: true }]],
  ['deliveries recheck --type ORDER_PLACED', 3, 'not_found'],
  ['deliveries recheck 1 99', 3, [{ code: 'not_found' }]],
  ['deliveries recheck', 2, 'usage'],
  ['deliveries recheck 1 --verdict valid', 2, 'usage'],

  ['conformance', 0, [{ type: 'CLOSE_TAB' }, { type: 'OPEN_TAB' }, { type: null }]],
  ['conformance --since someday', 2, 'usage'],
  ['conformance --before 2h30', 2, 'usage'],
  ['conformance --log none.tabscope', 3, 'not_found'],

  ['wait --since 1h --type CLOSE_TAB', 0, [{ id: 3 }]],
  ['wait --timeout 1ms', 1, 'timeout'],
  ['wait --timeout 30', 2, 'usage'],
  ['wait --count 0', 2, 'usage'],

  ['deliveries delete 1', 4, 'confirmation_required'],
  ['deliveries delete 1 99 --yes', 3, [{ code: 'not_found' }]],
  ['deliveries delete --yes', 2, 'usage'],
  ['deliveries delete 1 --type OPEN_TAB --yes', 2, 'usage'],
  ['deliveries delete --type ORDER_PLACED --yes', 3, 'not_found'],
  ['deliveries delete --verdict invalid -n', 0, [{ dryRun: true, deliveries: 4, pinned: 3 }]],
  ['deliveries rm latest --yes', 0, [{ event: 'deleted', deliveries: 1, pinned: 1 }]],
  ['deliveries delete --type OPEN_TAB --yes', 0, [{ deliveries: 2, pinned: 2 }]],
  ['deliveries list', 0, [{ id: 3 }]],
]

test('commands for deliveries', () => expectExitCodes(rows, folder.path))

test('with --quiet, a list contains only IDs', async () => {
  const { code, stdout, stderr } = await run('deliveries', 'list', '-q')
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({
    code: 0,
    stdout: '3\n',
    stderr: '',
  })
})

test('an empty list, an unknown type and a timeout say what to do', async () => {
  for (const [command, message] of [
    ['attempts list --delivery 3', 'No attempts. To send a delivery: tabscope resend ID'],
    ['deliveries list --type OPEN_TAB', 'No delivery matches.'],
    ['deliveries list --type open_tab', 'Unknown event type "open_tab". Did you mean OPEN_TAB?'],
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
      expect(jsonLines((await run('deliveries', 'list', '--json')).stdout)).toHaveLength(1)
      await using asked = startInTerminal('deliveries', 'delete', '3', '--data', folder.path)
      await until('the question', () =>
        asked.shown().includes('Permanently delete 1 delivery? [y/N]'),
      )
      asked.child.stdin?.write(keys)
      expect({ keys, code: (await asked.ended).code }).toEqual({ keys, code })
    }
    const left = await run('deliveries', 'list')
    expect(left.stderr).toBe('No deliveries. To receive webhooks: tabscope listen\n')
  },
)
