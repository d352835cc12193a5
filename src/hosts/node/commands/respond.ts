import { Option } from '@commander-js/extra-typings'
import type { CallInput } from '#contract/calls.ts'
import type {
  ForwardTarget,
  ResponseRule,
  RuleResponse,
  RuleUse,
} from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { collected, decimal, duration, id, integer } from '../command-line/values.ts'
import { warnUnknownType } from '../forwarding.ts'
import { configurationOf, withSession } from '../in-session.ts'
import { print, printMessage } from '../output.ts'
import { endpointOf, header, onScriptFailureOption } from '../send-options.ts'
import { printTable, type Column } from '../table.ts'
import { UsageError } from '../errors.ts'

const add = defineCommand('add', 'Add a response rule; replaces the rule for the same event type', [
  [
    'Fail the first two deliveries of an event type',
    'respond add --type OPEN_TAB --status 503 --first 2',
  ],
  ['Respond to every delivery after two seconds', 'respond add --delay 2s'],
  ['Respond as a saved script says', 'respond add --script busy --on-script-failure hold'],
  ['Close a tenth of the connections without a response', 'respond add --drop --share 0.1'],
])
  .option('--endpoint <path>', 'Endpoint that the rule belongs to (default: the first)')
  .option('--type <type>', 'Event type (default: every type)')
  .option('--status <status>', 'Response status (default: 200)', integer('--status', 200, 599))
  .option('--body <text>', 'Response body')
  .option('--header <header>', 'Response header as "Name: value" (repeatable)', collected(header))
  .addOption(
    new Option('--drop', 'Close the connection without a response').conflicts([
      'status',
      'body',
      'header',
    ]),
  )
  .addOption(
    new Option('--script <name>', 'Respond as a saved script says').conflicts([
      'status',
      'body',
      'header',
      'drop',
    ]),
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
  .action(
    action((options) => {
      const { type, delay, first, share, endpoint } = options
      const rule: Omit<CallInput<'responses.add'>, 'endpointId'> = {
        type: type ?? null,
        response: responseOf(options),
        delayMs: Math.round(delay ?? 0),
        when:
          first === undefined
            ? share === undefined
              ? { kind: 'always' }
              : { kind: 'share', share }
            : { kind: 'first', count: first },
        enabled: true,
      }
      if (type !== undefined) warnUnknownType(type, 'The rule is added anyway.')
      return withSession('create', async (session) => {
        const { endpoints } = await session.call('app.snapshot', {})
        const { id: endpointId } = endpointOf(endpoints, endpoint)
        const rules = await session.call('responses.add', { endpointId, ...rule })
        const added = rules.filter((each) => each.type === rule.type)
        const { ruleUses } = await session.call('app.snapshot', {})
        printRules(added, ruleUses)
      })
    }),
  )

interface ResponseOptions {
  readonly status?: number | undefined
  readonly body?: string | undefined
  readonly header?: Header[] | undefined
  readonly drop?: true | undefined
  readonly delay?: number | undefined
  readonly script?: string | undefined
  readonly onScriptFailure?: ForwardTarget['onScriptFailure'] | undefined
}

/** Throws `UsageError`. */
function responseOf(options: ResponseOptions): RuleResponse {
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

const list = defineCommand('list', 'List response rules in order of precedence', [
  ['List all response rules', 'respond list'],
  ['As JSON', 'respond list --json'],
]).action(
  action(() =>
    withSession('read', async (session) => {
      const { responses, ruleUses } = await configurationOf(session)
      if (responses.length === 0 && !globals.json) {
        printMessage('No response rules. To add one: tabscope respond add --status 503')
      }
      printRules(responses, ruleUses)
    }),
  ),
)

const off = defineCommand('off', 'Disable response rules; every delivery gets status 200', [
  ['Disable the rules of all endpoints', 'respond off'],
  ['Disable the rules of one endpoint', 'respond off --endpoint main'],
])
  .option('--endpoint <path>', 'Endpoint whose rules are disabled (default: all)')
  .action(
    action(({ endpoint }) =>
      withSession('change', async (session) => {
        const { endpoints } = await session.call('app.snapshot', {})
        const which =
          endpoint === undefined ? {} : { endpointId: endpointOf(endpoints, endpoint).id }
        const rules = await session.call('responses.off', which)
        const { ruleUses } = await session.call('app.snapshot', {})
        printRules(rules, ruleUses)
        if (!globals.json) printMessage('Every delivery gets status 200.')
      }),
    ),
  )

const remove = defineCommand('remove', 'Remove a response rule; the others keep their IDs', [
  ['Remove a response rule', 'respond remove 4'],
  ['Remove it with the short form', 'respond rm 4'],
])
  .argument('<rule>', 'Response rule ID', id)
  .action(
    action((rule) =>
      withSession('change', async (session) => {
        await session.call('responses.remove', { id: rule })
        print('removed', { kind: 'rule', id: rule }, () => `Removed response rule ${rule}.`)
      }),
    ),
  )

export const command = group(
  'respond',
  'Set how an endpoint responds (default: status 200)',
  [add, list, off, remove],
  add,
)

function printRules(rules: readonly ResponseRule[], ruleUses: readonly RuleUse[]): void {
  const rows = rules.map((rule) => ({
    rule,
    use: ruleUses.find(({ ruleId }) => ruleId === rule.id),
  }))
  printTable('rule', rows, columns, ({ rule, use }) => ({
    ...rule,
    matchCount: use?.matchCount ?? 0,
    applied: use?.applied ?? 0,
  }))
}

interface Row {
  readonly rule: ResponseRule
  readonly use: RuleUse | undefined
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', value: ({ rule }) => String(rule.id), align: 'right' },
  {
    title: 'State',
    value: ({ rule }) => (rule.enabled ? 'on' : 'off'),
    style: ({ rule }) => (rule.enabled ? 'green' : 'gray'),
  },
  { title: 'Type', value: ({ rule }) => rule.type ?? 'every type' },
  {
    title: 'Response',
    value: ({ rule: { response } }) =>
      response.kind === 'drop' ? 'none, closes the connection' : responseText(response),
  },
  { title: 'Delay', value: ({ rule: { delayMs } }) => `${delayMs} ms`, align: 'right' },
  { title: 'Applies to', value: ({ rule }) => whenText(rule) },
  {
    title: 'Applied',
    value: ({ use }) => `${use?.applied ?? 0} of ${use?.matchCount ?? 0}`,
    align: 'right',
  },
]

function responseText(response: Exclude<ResponseRule['response'], { kind: 'drop' }>): string {
  return response.kind === 'script' ? `script ${response.script}` : String(response.status)
}

function whenText({ when }: ResponseRule): string {
  switch (when.kind) {
    case 'always':
      return 'all deliveries'
    case 'first':
      return `first ${when.count}`
    case 'share':
      return `${Math.round(when.share * 100)}% at random`
  }
}
