import { Option } from '@commander-js/extra-typings'
import type {
  Scenario,
  ScenarioDelivery,
  ScenarioResult,
  ScenarioRun,
} from '#contract/scenarios.ts'
import { countsText, leftOutText, paceText, runOf } from '#contract/scenario-texts.ts'
import type { Job, JobItem } from '#contract/sending.ts'
import { formatCount, formatDuration, formatSize, plural } from '#shared/text/format.ts'
import { action, defineCommand, group, type ExitCode } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import {
  collected,
  decimal,
  deliveryId,
  duration,
  integer,
  secretFrom,
} from '../command-line/values.ts'
import { confirmUnredacted, toTarget } from '../command-line/confirm.ts'
import { sessionDeliveryIds } from '../session/delivery-ids.ts'
import { UsageError } from '../command-line/errors.ts'
import { withSession } from '../session/in-session.ts'
import { resolvePath } from '../command-line/io.ts'
import { followItems } from '../session/job-run.ts'
import { isFile, logDescription, logOf } from '../session/log-option.ts'
import { print, printDetails, printMessage, writeJson, writeLine } from '../output/output.ts'
import { selectionOf, selects, withSelection } from '../session/selection.ts'
import { endpointOf } from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { printList, Table, type Column } from '../output/table.ts'
import { facts, formatTime, roundMs } from '../output/text.ts'

const save = withSelection(
  defineCommand('save', 'Save copies of deliveries as a scenario, to send them again and again', [
    ['Save an evening', 'scenario save friday --since 18:00 --before 23:30'],
    ['Save three deliveries', 'scenario save refund 12 13 14'],
    ['Save all deliveries of an event log', 'scenario save friday --log friday.tabscope'],
  ]),
)
  .argument('<name>', 'Name of the scenario')
  .argument('[delivery...]', 'Delivery IDs, or latest', collected(deliveryId))
  .option('--log <log>', logDescription)
  .option('--force', 'Replace the scenario with this name, and delete its runs')
  .action(
    action(async (name, words = [], { log: logName, force = false, ...selection }) => {
      if (words.length > 0 && selects(selection)) {
        throw new UsageError('Use either delivery IDs or a selection such as --since 18:00.')
      }
      if (words.length === 0 && !selects(selection) && logName === undefined) {
        throw new UsageError(
          'scenario save requires delivery IDs, a selection such as --since 18:00, or --log.',
        )
      }
      const filter = await selectionOf(selection)
      return withSession(isFile(logName) ? 'create' : 'change', async (session) => {
        const log = await logOf(session, logName)
        const ids = words.length === 0 ? null : await sessionDeliveryIds(session, words, log)
        const scenario = await session.call('scenarios.save', {
          name,
          what: { log, filter, ids },
          force,
        })
        print('scenario', scenario, () => savedText(scenario))
      })
    }),
  )

const list = declare('list', {
  does: 'List scenarios',
  examples: [['List all scenarios', 'scenario list']],
  call: 'scenarios.list',
  access: 'read',
  print: (scenarios) =>
    printList(
      'scenario',
      scenarios,
      {
        Name: ({ name }) => name,
        Deliveries: ({ deliveries }) => deliveries,
        Size: ({ bytes }) => formatSize(bytes),
        First: ({ firstAt }) => formatTime(firstAt),
        Duration: ({ firstAt, lastAt }) => formatDuration(lastAt - firstAt),
        'Last run': ({ lastRun }) => lastRun && runText(lastRun),
      },
      'No scenarios. To save one: tabscope scenario save NAME --since 18:00',
    ),
})

const ofScenario = {
  usage: '<name>',
  descriptions: { name: 'Name of the scenario' },
} as const

const show = declare('show', {
  does: 'Show the deliveries and runs of a scenario',
  examples: [['Show a scenario', 'scenario show friday']],
  call: 'scenarios.get',
  ...ofScenario,
  access: 'read',
  print: ({ scenario, deliveries, runs }) => {
    printDetails('scenario', scenario, () => scenarioText(scenario))
    const isText = !globals.json && !globals.quiet
    if (isText) writeLine('')
    printList('scenario_delivery', deliveries, {
      '#': ({ position }) => position + 1,
      Received: ({ receivedAt }) => formatTime(receivedAt),
      Type: ({ type }) => type,
      Title: ({ title }) => title,
    })
    if (runs.length === 0) return
    if (isText) writeLine('')
    printList('scenario_run', runs, {
      Run: ({ id }) => id,
      Started: ({ startedAt }) => formatTime(startedAt),
      Result: runText,
      Pace: ({ speed }) => paceText(speed),
      Target: ({ url }) => url,
    })
  },
})

const remove = declare('delete', {
  does: 'Delete a scenario with its copies and runs',
  examples: [
    ['Delete a scenario', 'scenario delete friday'],
    ['Without confirmation', 'scenario delete friday --yes'],
  ],
  call: 'scenarios.remove',
  ...ofScenario,
  confirm: async (session, { name }) => {
    const { scenario } = await session.call('scenarios.get', { name })
    const what = plural(scenario.deliveries, 'delivery', 'deliveries')
    return `This permanently deletes the scenario "${name}" with ${what} and its runs.`
  },
  run: async (session, input) => {
    const { scenario } = await session.call('scenarios.get', input)
    await session.call('scenarios.remove', input)
    return scenario
  },
  print: ({ id, name }) => print('removed', { kind: 'scenario', id }, () => `Deleted "${name}".`),
})

const exportScenario = defineCommand('export', 'Export a scenario as an event log, redacted', [
  ['Share a scenario', 'scenario export friday -o friday.tabscope'],
  ['With all values as received', 'scenario export friday -o friday.tabscope --no-redact --yes'],
])
  .argument('<name>', 'Name of the scenario')
  .requiredOption('-o, --output <file>', 'File to write')
  .option('--force', 'Replace the file if it exists')
  .option('--no-redact', 'Redact nothing: the file contains secrets')
  .option('-y, --yes', 'Confirm --no-redact')
  .action(
    action(async (name, { output, force = false, redact, yes = false }) => {
      const { exportToFile } = await import('./export.ts')
      if (!redact && !(await confirmUnredacted('The file', yes))) return 1
      return withSession('read', async (session) => {
        const { scenario } = await session.call('scenarios.get', { name })
        return exportToFile(
          session,
          { what: { log: scenario.id }, redact, gzip: output.endsWith('.gz') },
          { path: resolvePath(output), overwrite: force },
        )
      })
    }),
  )

const runOptions = defineCommand('run', 'Send the deliveries of a scenario, and compare', [
  [
    'Send at the original pace',
    'scenario run friday --to http://127.0.0.1:3000/webhooks --secret-env WEBHOOK_SECRET',
  ],
  ['Send 60 times as fast, to the last target', 'scenario run friday --speed 60'],
  ['Send as fast as possible', 'scenario run friday --at-once'],
])
  .argument('<name>', 'Name of the scenario')
  .option('--to <url>', 'Target URL (default: that of the last run, else the forward target)')
  .option('--endpoint <path>', 'Endpoint whose secret signs (default: that of each delivery)')
  .option('--secret-env <name>', 'Environment variable that holds the secret')
  .addOption(
    new Option('--speed <factor>', 'Times as fast as the original pace')
      .argParser(decimal('--speed', 0.01, 100_000))
      .default(1)
      .conflicts(['atOnce']),
  )
  .option('--at-once', 'Send as fast as possible, in order')
  .option('--keep-ids', 'Keep the IDs of orders, tabs, items and guests')
  .option('--seed <number>', 'Seed of the new IDs (default: random)', integer('--seed', 0, 2 ** 31))
  .option(
    '--timeout <duration>',
    'Time limit of each request (default: 30s)',
    duration('--timeout', { from: 1, to: 600_000 }),
  )
  .option('--allow-target', 'Allow a target outside the local network')
  .option('--insecure', 'Skip TLS verification')

const run = runOptions.action(
  action((name, options) => {
    const secret = secretFrom('secret', undefined, options.secretEnv)
    if (secret !== undefined && options.endpoint !== undefined) {
      throw new UsageError('Use --endpoint or --secret-env, not both.')
    }
    return withSession('change', async (session) => {
      const endpointId =
        options.endpoint === undefined
          ? null
          : endpointOf((await session.call('app.snapshot', {})).endpoints, options.endpoint).id
      return follow(session, name, () =>
        toTarget(session, options, () =>
          session.call('scenarios.run', {
            name,
            url: options.to ?? null,
            endpointId,
            speed: options.atOnce ? null : options.speed,
            keepIds: options.keepIds,
            insecure: options.insecure,
            secret,
            seed: options.seed,
            timeout: options.timeout && Math.ceil(options.timeout),
          }),
        ),
      )
    })
  }),
)

export const command = group('scenario', 'Save deliveries by name, and send them again', [
  save,
  run,
  list,
  show,
  exportScenario,
  remove,
])

type Named = ScenarioResult & Pick<ScenarioDelivery, 'type' | 'title'>

/** Prints each result. Resolves to 0 if every response is a success and the same as in the last run, 130 after Ctrl+C. */
async function follow(
  session: Session,
  name: string,
  begin: () => Promise<Job>,
): Promise<ExitCode> {
  const { deliveries, scenario } = await session.call('scenarios.get', { name })
  const span = scenario.lastAt - scenario.firstAt
  let hasHeader = globals.json || globals.quiet
  const table = new Table(resultColumns, [])
  const printResult = ({
    position,
    status,
    error,
    durationMs,
    attemptId,
    before,
  }: JobItem): void => {
    const { type = null, title = '' } = deliveries[position] ?? {}
    const result = { position, status, error, durationMs, attemptId, type, title }
    const named = before === undefined ? result : { ...result, before }
    if (!hasHeader) writeLine(table.header())
    hasHeader = true
    if (globals.json || !globals.quiet) print('scenario_result', named, () => table.row(named))
  }
  const { job, interrupted } = await followItems(session, begin, {
    onInterrupt: 'jobs.cancel',
    started: ({ total, url, pace }) => {
      const speed = pace.how === 'spacing' ? pace.speed : null
      const takes = speed === null ? '' : ` It takes ${formatDuration(span / speed)}.`
      printMessage(
        `Sending ${plural(total, 'delivery', 'deliveries')} to ${url}, ${paceText(speed)}.${takes}`,
      )
    },
    item: printResult,
  })
  const over = runOf(job)
  if (over === null) throw new Error('the job has no scenario')
  if (globals.json) writeJson('scenario_run', over)
  else printSummary(over)
  if (interrupted) return 130
  return over.state === 'done' && over.failed === 0 && over.changed === 0 ? 0 : 1
}

const resultColumns: readonly Column<Named>[] = [
  { title: '#', value: ({ position }) => String(position + 1), align: 'right', width: 5 },
  { title: 'Response', value: responseText, width: 12 },
  {
    title: 'Time',
    value: ({ durationMs }) => (durationMs === null ? '' : `${roundMs(durationMs)} ms`),
    align: 'right',
    width: 9,
  },
  { title: 'Type', value: ({ type }) => type ?? '', width: 18 },
  { title: 'Title', value: ({ title, error }) => (error === null ? title : `${title}: ${error}`) },
]

function responseText({ status, before }: ScenarioResult): string {
  return before === undefined ? statusText(status) : `${statusText(before)} → ${statusText(status)}`
}

function statusText(status: number | null): string {
  return status === null ? 'none' : String(status)
}

function printSummary(over: ScenarioRun): void {
  printMessage(`Run ${over.id}: ${runText(over)}.`)
  if (over.problem !== null) printMessage(over.problem)
  if (over.unsigned > 0) {
    printMessage(
      `${formatCount(over.unsigned)} sent without a signature, because their endpoint has no secret. Use --endpoint or --secret-env.`,
    )
  }
  if (over.comparedTo === null) return
  printMessage(
    over.changed === 0
      ? `The same responses as in run ${over.comparedTo}.`
      : `${plural(over.changed, 'response differs', 'responses differ')} from run ${over.comparedTo}.`,
  )
}

function runText(run: ScenarioRun): string {
  return [
    countsText(run),
    ...(run.changed > 0 ? [`${formatCount(run.changed)} changed`] : []),
    ...(run.state === 'done' ? [] : [run.state]),
  ].join(', ')
}

function savedText(scenario: Scenario): string {
  const { name, deliveries, bytes } = scenario
  const saved = `Saved "${name}": ${plural(deliveries, 'delivery', 'deliveries')}, ${formatSize(bytes)}.`
  return `${saved}${leftOutText(scenario)} To send them: tabscope scenario run "${name}" --to URL`
}

function scenarioText(scenario: Scenario): string {
  const { name, savedAt, deliveries, bytes, firstAt, lastAt } = scenario
  return facts([
    ['Scenario', name],
    ['Saved', formatTime(savedAt)],
    ['Deliveries', `${formatCount(deliveries)}, ${formatSize(bytes)}.${leftOutText(scenario)}`],
    ['Received', `${formatTime(firstAt)} to ${formatTime(lastAt)}`],
  ])
}
