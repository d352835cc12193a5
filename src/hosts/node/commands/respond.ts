import { Option } from '@commander-js/extra-typings'
import type { ResponseRule, RuleResponse, RuleUse } from '#contract/endpoint-rules.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { collected, decimal, duration, header, integer } from '../command-line/values.ts'
import { warnUnknownType } from '../command-line/forwarding.ts'
import { configurationOf, withSession } from '../session/in-session.ts'
import { printMessage } from '../output/output.ts'
import { endpointOf, onScriptFailureOption } from '../command-line/send-options.ts'
import { printList } from '../output/table.ts'
import { UsageError } from '../command-line/errors.ts'

const fixed = ['status', 'body', 'header']

const withOptions = defineCommand(
  'add',
  'Add a response rule; replaces the rule for the same event type',
  [
    [
      'Fail the first two deliveries of an event type',
      'respond add --type OPEN_TAB --status 503 --first 2',
    ],
    ['Respond to every delivery after two seconds', 'respond add --delay 2s'],
    ['Respond as a saved script says', 'respond add --script busy --on-script-failure hold'],
    ['Close a tenth of the connections without a response', 'respond add --drop --share 0.1'],
  ],
)
  .option('--endpoint <path>', 'Endpoint that the rule belongs to (default: the first)')
  .option('--type <type>', 'Event type (default: every type)')
  .option('--status <status>', 'Response status (default: 200)', integer('--status', 200, 599))
  .option('--body <text>', 'Response body')
  .option('--header <header>', 'Response header as "Name: value" (repeatable)', collected(header))
  .addOption(new Option('--drop', 'Close the connection without a response').conflicts(fixed))
  .addOption(
    new Option('--script <name>', 'Respond as a saved script says').conflicts([...fixed, 'drop']),
  )
  .addOption(onScriptFailureOption())
  .option('--delay <duration>', 'Delay before the response', duration('--delay', { to: 120_000 }))
  .option(
    '--first <count>',
    'Apply only to the first <count> deliveries',
    integer('--first', 1, 1_000_000),
  )
  .addOption(
    new Option('--share <share>', 'Apply only to a random share of deliveries, 0 to 1')
      .argParser(decimal('--share', 0, 1))
      .conflicts('first'),
  )

const add = withOptions.action(
  action((options) => {
    const { type = null, delay, endpoint } = options
    const response = responseOf(options)
    if (type !== null) warnUnknownType(type, 'The rule is added anyway.')
    return withSession('create', async (session) => {
      const { endpoints } = await session.call('app.snapshot', {})
      const rules = await session.call('responses.add', {
        endpointId: endpointOf(endpoints, endpoint).id,
        type,
        response,
        delayMs: Math.round(delay ?? 0),
        when: whenOf(options),
        enabled: true,
      })
      const { ruleUses } = await session.call('app.snapshot', {})
      printRules(
        rules.filter((each) => each.type === type),
        ruleUses,
      )
    })
  }),
)

type Options = ReturnType<typeof withOptions.opts>

function whenOf({ first, share }: Options): ResponseRule['when'] {
  if (first !== undefined) return { kind: 'first', count: first }
  return share === undefined ? { kind: 'always' } : { kind: 'share', share }
}

function responseOf(options: Options): RuleResponse {
  const { status, body, header: headers = [], drop, delay, script, onScriptFailure } = options
  if (onScriptFailure !== undefined && script === undefined) {
    throw new UsageError('--on-script-failure requires --script.')
  }
  if (script !== undefined) {
    return { kind: 'script', script, onFailure: onScriptFailure ?? 'continue' }
  }
  if (drop) return { kind: 'drop' }
  if (status === undefined && body === undefined && !delay) {
    throw new UsageError('respond add requires --status, --drop, --delay, --body or --script.')
  }
  return { kind: 'status', status: status ?? 200, headers, body: body ?? '' }
}

const list = declare('list', {
  does: 'List response rules in order of precedence',
  examples: [['List all response rules', 'respond list']],
  access: 'read',
  run: configurationOf,
  print: ({ responses, ruleUses }) => printRules(responses, ruleUses),
})

const off = declare('off', {
  does: 'Disable response rules; every delivery gets status 200',
  examples: [
    ['Disable the rules of all endpoints', 'respond off'],
    ['Disable the rules of one endpoint', 'respond off --endpoint main'],
  ],
  call: 'responses.off',
  usage: '--endpoint <path>',
  descriptions: { endpointId: 'Endpoint whose rules are disabled (default: all)' },
  print: async (rules, _, session) => {
    printRules(rules, (await session.call('app.snapshot', {})).ruleUses)
    if (!globals.json) printMessage('Every delivery gets status 200.')
  },
})

const remove = declare('remove', {
  does: 'Remove a response rule; the others keep their IDs',
  examples: [
    ['Remove a response rule', 'respond remove 4'],
    ['Remove it with the short form', 'respond rm 4'],
  ],
  call: 'responses.remove',
  usage: '<rule>',
  descriptions: { id: 'Response rule ID' },
  print: removed('rule', 'response rule'),
})

export const command = group(
  'respond',
  'Set how an endpoint responds (default: status 200)',
  [add, list, off, remove],
  add,
)

function printRules(rules: readonly ResponseRule[], uses: readonly RuleUse[]): void {
  const rows = rules.map((rule) => {
    const { matchCount = 0, applied = 0 } = uses.find(({ ruleId }) => ruleId === rule.id) ?? {}
    return { ...rule, matchCount, applied }
  })
  printList(
    'rule',
    rows,
    {
      ID: ({ id }) => id,
      State: ({ enabled }) => (enabled ? ['green', 'on'] : ['gray', 'off']),
      Type: ({ type }) => type ?? 'every type',
      Response: ({ response }) => responseText(response),
      Delay: ({ delayMs }) => `${delayMs} ms`,
      'Applies to': ({ when }) => whenText(when),
      Applied: ({ applied, matchCount }) => `${applied} of ${matchCount}`,
    },
    'No response rules. To add one: tabscope respond add --status 503',
  )
}

function responseText(response: RuleResponse): string {
  if (response.kind === 'drop') return 'none, closes the connection'
  return response.kind === 'script' ? `script ${response.script}` : String(response.status)
}

function whenText(when: ResponseRule['when']): string {
  switch (when.kind) {
    case 'always':
      return 'all deliveries'
    case 'first':
      return `first ${when.count}`
    case 'share':
      return `${Math.round(when.share * 100)}% at random`
  }
}
