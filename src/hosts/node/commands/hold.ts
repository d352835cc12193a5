import { Option } from '@commander-js/extra-typings'
import type { HoldRule, HoldState } from '#contract/hold.ts'
import { formatElapsed, plural } from '#shared/text/format.ts'
import {
  action,
  group,
  defineCommand,
  type Example,
  type ExitCode,
} from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { collected, deliveryId, header, integer } from '../command-line/values.ts'
import { type DeliveryRef, idsOf } from '../session/delivery-ids.ts'
import { UsageError } from '../command-line/errors.ts'
import { withRunning } from '../session/in-session.ts'
import { print, printMessage, writeLine } from '../output/output.ts'
import { bytesOf, signOf, withEditOptions, withEdits } from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { printList } from '../output/table.ts'

/** Rules end when Tabscope closes. */
const start = 'tabscope listen'

const add = declare('add', {
  does: 'Hold deliveries before they are forwarded or responded to',
  examples: [
    ['Hold every delivery before it is forwarded', 'hold add'],
    ['Hold the next two orders', 'hold add --filter type:ORDER_PLACED --next 2'],
    [
      'Respond to one delivery by hand, within 30 seconds',
      'hold add --at response --next 1 --limit 30s',
    ],
  ],
  call: 'hold.add',
  usage: '--filter <filter> --at <place> --next <count> --limit <duration>',
  start,
  check: ({ limitMs, at }) => {
    if (limitMs !== undefined && at !== 'response') {
      throw new UsageError('--limit requires --at response.')
    }
  },
  run: async (session, { filter, ...input }) => {
    const { filterOf } = await import('../command-line/filter-option.ts')
    return session.call('hold.add', { ...input, filter: filterOf(filter) })
  },
  print: async (rule, _, session) => {
    print('hold_rule', rule, () => `Added hold rule ${rule.id}: ${ruleText(rule)}`)
    const { forwards } = await session.call('app.snapshot', {})
    if (rule.at === 'forward' && !forwards.some(({ enabled }) => enabled)) {
      printMessage(
        'Warning: No forward target is on, so nothing is held. To add one: tabscope forward add URL',
      )
    }
  },
})

const list = declare('list', {
  does: 'List hold rules and held deliveries',
  examples: [['List what is held', 'hold list']],
  call: 'hold.state',
  start,
  print: printState,
})

const stop = declare('stop', {
  does: 'Stop holding; what is held stays held',
  examples: [
    ['Stop all hold rules', 'hold stop'],
    ['Stop one hold rule', 'hold stop 2'],
  ],
  call: 'hold.stop',
  usage: '[rule]',
  descriptions: { id: 'Hold rule ID (default: all)' },
  start,
  print: printState,
})

const release = settling('release', 'Released', 'Respond to held deliveries, and forward them', [
  ['Release a delivery', 'hold release 12'],
  ['Release all that are held', 'hold release --all'],
])

const edit = withEditOptions(
  defineCommand('edit', 'Release a held delivery with another body, headers or signature', [
    ['Forward it with a different total, signed again', 'hold edit 12 --set data.total=0'],
    ['Forward it with the body of a file', 'hold edit 12 --body order.json'],
  ]).argument('<delivery>', 'Delivery ID, or latest: the newest that is held', deliveryId),
)
  .addOption(new Option('--keep', 'Keep the signature as captured').conflicts(['sign', 'unsigned']))
  .action(
    action(async (given, options) => {
      if (Object.keys(options).length === 0) {
        throw new UsageError(
          `hold edit requires --body, --set, --header or an option for the signature. To release it unchanged: tabscope hold release ${given}`,
        )
      }
      const body = await bytesOf(options.body)
      return settle('Released', [given], async (session, ids) => {
        const { endpoints } = await session.call('app.snapshot', {})
        const [held = 0] = ids ?? []
        const content = await withEdits(session, await session.call('hold.edit', { id: held }), {
          set: options.set ?? [],
          body,
          headers: options.header ?? [],
          sign: signOf(options, endpoints),
        })
        return session.call('hold.release', { ids, content })
      })
    }),
  )

const drop = settling('drop', 'Dropped', 'Do not forward held deliveries', [
  ['Drop a delivery', 'hold drop 12'],
  ['Drop all that are held before forwarding', 'hold drop --all'],
])

const respond = ofHeld('respond', 'Respond to deliveries that are held before the response', [
  ['Respond with an error', 'hold respond 12 --status 503'],
  ['Respond to all of them with a body', `hold respond --all --body '{"accepted":true}'`],
])
  .option('--status <status>', 'Response status', integer('--status', 200, 599), 200)
  .option('--body <text>', 'Response body')
  .option('--header <header>', 'Response header as "Name: value" (repeatable)', collected(header))
  .action(
    action((given, { all, status, body, header: headers }) =>
      settle('Responded to', heldOf('respond', given, all), (session, ids) =>
        session.call('hold.respond', { ids, status, headers, body }),
      ),
    ),
  )

export const command = group('hold', 'Hold deliveries, then release, edit or drop them', [
  add,
  list,
  stop,
  release,
  edit,
  drop,
  respond,
])

function settling(
  name: 'release' | 'drop',
  verb: string,
  description: string,
  examples: readonly [Example, Example],
) {
  return ofHeld(name, description, examples).action(
    action((given, { all }) =>
      settle(verb, heldOf(name, given, all), (session, ids) =>
        session.call(`hold.${name}`, { ids }),
      ),
    ),
  )
}

function ofHeld(
  name: string,
  description: string,
  examples: readonly [Example, Example, ...Example[]],
) {
  return defineCommand(name, description, examples)
    .argument(
      '[delivery...]',
      'Delivery IDs, or latest: the newest that is held',
      collected(deliveryId),
    )
    .option('--all', 'All that are held')
}

function heldOf(
  name: string,
  given: readonly DeliveryRef[] = [],
  all = false,
): readonly DeliveryRef[] | null {
  if (all === given.length > 0) {
    throw new UsageError(
      all ? 'Use delivery IDs or --all, not both.' : `hold ${name} requires delivery IDs or --all.`,
    )
  }
  return all ? null : given
}

function settle(
  verb: string,
  which: readonly DeliveryRef[] | null,
  call: (session: Session, ids: number[] | undefined) => Promise<{ ids: number[] }>,
): Promise<ExitCode> {
  return withRunning(start, async (session) => {
    const { held: before } = await session.call('hold.state', {})
    const newest = before.at(-1)?.deliveryId
    const ids = which === null ? undefined : idsOf(which, newest, 'Nothing is held.')
    const released = await call(session, ids)
    print('released', released, () => {
      const count = released.ids.length
      if (count === 0) return 'Nothing is held.'
      return `${verb} ${plural(count, 'delivery', 'deliveries')}: ${released.ids.join(', ')}`
    })
    if (which !== null) return
    const { held } = await session.call('hold.state', {})
    for (const { deliveryId, uncertain } of held) {
      if (!uncertain) continue
      printMessage(
        `Delivery ${deliveryId} may have been forwarded before a crash, so it stays held. To release it: tabscope hold release ${deliveryId}`,
      )
    }
  })
}

function printState({ rules, held, notHeld }: HoldState): void {
  // With --quiet, only the IDs of what is held: those of rules could be taken for them.
  if (globals.json || !globals.quiet) {
    printList('hold_rule', rules, {
      Rule: ({ id }) => id,
      Held: (rule) => rule.held,
      Holds: ruleText,
    })
  }
  if (rules.length > 0 && held.length > 0 && !globals.json && !globals.quiet) writeLine('')
  const now = Date.now()
  printList(
    'held',
    held,
    {
      ID: ({ deliveryId }) => deliveryId,
      Before: ({ at }) => (at === 'forward' ? 'forwarding' : 'response'),
      For: ({ heldAt }) => between(heldAt, now),
      Released: ({ releaseAt }) => releaseAt && `in ${between(now, releaseAt)}`,
      Delivery: ({ title, type }) => title || type,
      Targets: ({ targets }) => targets.join(', '),
      Reason: ({ reason, uncertain }) =>
        [reason ?? '', uncertain ? 'May have been forwarded.' : ''].join(' ').trim(),
    },
    'Nothing is held.',
  )
  if (globals.json) return
  if (rules.length === 0) printMessage('No hold rules. To add one: tabscope hold add')
  if (notHeld > 0) {
    printMessage(
      `${plural(notHeld, 'delivery was', 'deliveries were')} not held, because 100 deliveries or 64 MiB were held already.`,
    )
  }
}

function between(from: number, to: number): string {
  return formatElapsed(Math.max(0, to - from))
}

function ruleText({ filter, at, remaining, limitMs }: HoldRule): string {
  const which =
    remaining === null
      ? 'every delivery'
      : `the next ${remaining === 1 ? 'delivery' : `${remaining} deliveries`}`
  const matching = filter === '' ? '' : `, filter ${filter}`
  return at === 'forward'
    ? `${which} before forwarding${matching}`
    : `${which} before the response, for ${formatElapsed(limitMs)}${matching}`
}
