import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { successRate } from '#contract/success-rate.ts'
import { action, group, defineCommand, type ExitCode } from '../command-line/command.ts'
import { duration, id, integer } from '../command-line/values.ts'
import { confirming } from '../confirm.ts'
import { typesOf } from '../forwarding.ts'
import { configurationOf, withSession } from '../in-session.ts'
import { print, printMessage } from '../output.ts'
import { endpointOf, onScriptFailureOption } from '../send-options.ts'
import { printTable, type Column } from '../table.ts'
import { UsageError } from '../errors.ts'
import { globals } from '../command-line/globals.ts'

const add = defineCommand('add', 'Forward deliveries of an endpoint to a URL', [
  ['Forward all deliveries', 'forward add http://127.0.0.1:3000/webhooks'],
  [
    'Forward one event type, and retry up to three times',
    'forward add http://127.0.0.1:3000 --types OPEN_TAB --retries 3',
  ],
  ['Change each request by a saved script', 'forward add http://127.0.0.1:3000 --script table'],
])
  .argument('<url>', 'URL to forward deliveries to')
  .option('--endpoint <path>', 'Endpoint whose deliveries are forwarded (default: the first)')
  .option('--types <types>', 'Event types, separated by commas (default: all)')
  .option('--return-response', "Return the target's response to the sender")
  .option('--retries <count>', 'Retries of a failed attempt', integer('--retries', 0, 20))
  .option(
    '--timeout <duration>',
    'Time limit of one attempt (default: 10s)',
    duration('--timeout', { from: 1, to: 120_000 }),
  )
  .option('--concurrency <count>', 'Concurrent requests', integer('--concurrency', 1, 32))
  .option(
    '--queue-limit <count>',
    'Maximum number of waiting deliveries; beyond it, the oldest is dropped',
    integer('--queue-limit', 1, 100_000),
  )
  .option('--script <name>', 'Saved script that changes each request')
  .addOption(onScriptFailureOption())
  .option('--allow-target', 'Allow a target outside the local network')
  .action(
    action((url, options) => {
      const types = typesOf(options.types)
      if (options.onScriptFailure !== undefined && options.script === undefined) {
        throw new UsageError('--on-script-failure requires --script.')
      }
      return withSession('create', async (session) => {
        const { endpoints } = await session.call('app.snapshot', {})
        const { id: endpointId } = endpointOf(endpoints, options.endpoint)
        const asks = { allowed: options.allowTarget ?? false, asks: !globals.json }
        const target = await confirming(session, asks, () =>
          session.call('forwards.add', {
            endpointId,
            url,
            types,
            mode: options.returnResponse ? 'return' : 'after',
            retries: options.retries,
            timeoutMs: options.timeout === undefined ? undefined : Math.ceil(options.timeout),
            concurrency: options.concurrency,
            queueLimit: options.queueLimit,
            script: options.script,
            onScriptFailure: options.onScriptFailure,
          }),
        )
        print('forward_target', target, () => `Added forward target ${target.id}: ${target.url}`)
      })
    }),
  )

const list = defineCommand(
  'list',
  'List forward targets, with their health while Tabscope is running',
  [
    ['List all forward targets', 'forward list'],
    ['As JSON', 'forward list --json'],
  ],
).action(
  action(() =>
    withSession('read', async (session) => {
      const { forwards, forwardHealth } = await configurationOf(session)
      if (forwards.length === 0 && !globals.json) {
        printMessage('No forward targets. To add one: tabscope forward add URL')
      }
      const rows = forwards.map((target) => ({
        target,
        health: forwardHealth.find(({ forwardId }) => forwardId === target.id),
      }))
      printTable('forward_target', rows, columns, ({ target, health }) => ({
        ...target,
        ...(health && { health }),
      }))
    }),
  ),
)

const on = defineCommand('on', 'Enable a forward target', [
  ['Enable a forward target', 'forward on 2'],
  ['As JSON', 'forward on 2 --json'],
])
  .argument('<target>', 'Forward target ID', id)
  .action(action((target) => enable(target, true)))

const off = defineCommand('off', 'Disable a forward target', [
  ['Disable a forward target', 'forward off 2'],
  ['As JSON', 'forward off 2 --json'],
])
  .argument('<target>', 'Forward target ID', id)
  .action(action((target) => enable(target, false)))

const remove = defineCommand('remove', 'Remove a forward target', [
  ['Remove a forward target', 'forward remove 2'],
  ['Remove it with the short form', 'forward rm 2'],
])
  .argument('<target>', 'Forward target ID', id)
  .action(
    action((target) =>
      withSession('change', async (session) => {
        await session.call('forwards.remove', { id: target })
        print(
          'removed',
          { kind: 'forward_target', id: target },
          () => `Removed forward target ${target}.`,
        )
      }),
    ),
  )

export const command = group('forward', 'Forward deliveries to other servers as they arrive', [
  add,
  list,
  on,
  off,
  remove,
])

function enable(target: number, isOn: boolean): Promise<ExitCode> {
  return withSession('change', async (session) => {
    const changed = await session.call('forwards.update', { id: target, enabled: isOn })
    const state = isOn ? 'Enabled' : 'Disabled'
    print('forward_target', changed, () => `${state} forward target ${target}: ${changed.url}`)
  })
}

interface Row {
  readonly target: ForwardTarget
  readonly health: ForwardHealth | undefined
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', value: ({ target }) => String(target.id), align: 'right' },
  {
    title: 'State',
    value: ({ target }) => (target.enabled ? 'on' : 'off'),
    style: ({ target }) => (target.enabled ? 'green' : 'gray'),
  },
  { title: 'URL', value: ({ target }) => target.url },
  { title: 'Types', value: ({ target }) => target.types.join(', ') || 'all types' },
  {
    title: 'Response',
    value: ({ target }) => (target.mode === 'return' ? "the target's" : '200, then forward'),
  },
  { title: 'Script', value: ({ target }) => target.script ?? '' },
  {
    title: 'Health',
    value: ({ target, health }) =>
      target.enabled && health !== undefined ? healthText(health) : '',
  },
]

/** "6 of the last 9 delivered (66%), last response: 200" */
function healthText(health: ForwardHealth): string {
  const rate = successRate(health)
  if (rate === null) return 'nothing sent yet'
  const { lastStatus, lastError } = health
  return `${rate}, last response: ${lastStatus ?? lastError ?? 'none'}`
}
