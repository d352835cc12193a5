import { successRate } from '#contract/success-rate.ts'
import type { CliLine } from '#contract/cli-output.ts'
import { group } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { UsageError } from '../command-line/errors.ts'
import { configurationOf } from '../session/in-session.ts'
import { print } from '../output/output.ts'
import { printList } from '../output/table.ts'
import { failedText, formatTime } from '../output/text.ts'

type Target = CliLine<'forward_target'>

const add = declare('add', {
  does: 'Forward deliveries of an endpoint to a URL',
  examples: [
    ['Forward all deliveries', 'forward add http://127.0.0.1:3000/webhooks'],
    [
      'Forward one event type, and retry up to three times',
      'forward add http://127.0.0.1:3000 --types OPEN_TAB --retries 3',
    ],
    ['Change each request by a saved script', 'forward add http://127.0.0.1:3000 --script table'],
  ],
  call: 'forwards.add',
  access: 'create',
  sends: true,
  usage: `<url> --endpoint <path> --types <types> --retries <count> --timeout <duration>
    --concurrency <count> --queue-limit <count> --script <name> --on-script-failure <action>`,
  descriptions: { endpointId: 'Endpoint whose deliveries are forwarded (default: the first)' },
  flags: {
    '--return-response': ["Return the target's response to the sender", { mode: 'return' }],
  },
  check: ({ onScriptFailure, script }) => {
    if (onScriptFailure !== undefined && script === undefined) {
      throw new UsageError('--on-script-failure requires --script.')
    }
  },
  run: async (session, { types, ...input }, send) => {
    const { typesOf } = await import('../command-line/forwarding.ts')
    const target = { ...input, types: typesOf(types?.join()) }
    return send(() => session.call('forwards.add', target))
  },
  print: (target) => printTarget('Added', target),
})

const list = declare('list', {
  does: 'List forward targets, with their health while Tabscope is running',
  examples: [['List all forward targets', 'forward list']],
  access: 'read',
  run: async (session) => ({
    ...(await configurationOf(session)),
    scripts: await session.call('scripts.list', {}),
  }),
  print: ({ forwards, forwardHealth, scripts }) => {
    const rows = forwards.map((target): Target => {
      const health = forwardHealth.find(({ forwardId }) => forwardId === target.id)
      return { ...target, ...(health && { health }) }
    })
    printList(
      'forward_target',
      rows,
      {
        ID: ({ id }) => id,
        State: ({ enabled }) => (enabled ? ['green', 'on'] : ['gray', 'off']),
        URL: ({ url }) => url,
        Types: ({ types }) => types.join(', ') || 'all types',
        Response: ({ mode }) => (mode === 'return' ? "the target's" : '200, then forward'),
        Script: ({ script }) => {
          const failed = scripts.find(({ name }) => name === script)?.failed
          return failed ? ['red', `${script} failed for ${failedText(failed)}`] : script
        },
        Health: ({ enabled, health }) => (enabled && health ? healthText(health) : ''),
      },
      'No forward targets. To add one: tabscope forward add URL',
    )
  },
})

const toggle = (name: 'on' | 'off', verb: 'Enable' | 'Disable') =>
  declare(name, {
    does: `${verb} a forward target`,
    examples: [[`${verb} a forward target`, `forward ${name} 2`]],
    call: 'forwards.update',
    usage: '<target>',
    descriptions: { id: 'Forward target ID' },
    run: (session, { id }) => session.call('forwards.update', { id, enabled: name === 'on' }),
    print: (target) => printTarget(`${verb}d`, target),
  })

const remove = declare('remove', {
  does: 'Remove a forward target',
  examples: [
    ['Remove a forward target', 'forward remove 2'],
    ['Remove it with the short form', 'forward rm 2'],
  ],
  call: 'forwards.remove',
  usage: '<target>',
  descriptions: { id: 'Forward target ID' },
  print: removed('forward_target'),
})

export const command = group('forward', 'Forward deliveries to other servers as they arrive', [
  add,
  list,
  toggle('on', 'Enable'),
  toggle('off', 'Disable'),
  remove,
])

function printTarget(verb: string, target: Target): void {
  print('forward_target', target, () => `${verb} forward target ${target.id}: ${target.url}`)
}

/** "6 of the last 9 delivered (66%), last response: 200" */
function healthText(health: NonNullable<Target['health']>): string {
  const rate = successRate(health)
  const { lastStatus, lastError, retryAt } = health
  if (lastStatus === null && lastError === null) return 'nothing sent yet'
  const last = `last response: ${lastStatus ?? lastError ?? 'none'}`
  const retry = retryAt === null ? [] : [`retry at ${formatTime(retryAt)}`]
  return [...(rate === null ? [] : [rate]), last, ...retry].join(', ')
}
