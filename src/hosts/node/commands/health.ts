import { Option } from '@commander-js/extra-typings'
import type { CliLine } from '#contract/cli-output.ts'
import { healthGroupings, healthRanges } from '#contract/constants.ts'
import { describeLearning } from '#contract/health-alerts.ts'
import type { HealthOverview } from '#contract/health.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { alertText } from '../output/alert-text.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { choice, duration } from '../command-line/values.ts'
import { UsageError } from '../command-line/errors.ts'
import { configurationOf, withSession } from '../session/in-session.ts'
import { print, printMessage } from '../output/output.ts'
import { endpointOf } from '../command-line/send-options.ts'
import { tableText } from '../output/table.ts'
import { facts, formatTime } from '../output/text.ts'

type Health = CliLine<'health'>

export const command = defineCommand(
  'health',
  'Show what arrived over time, compared with the same weekday and hour, and the alerts',
  [
    ['The last day', 'health'],
    ['The last week, by location', 'health --range week --by location'],
    ['In a script: exit with 1 if an alert is active', 'health --check'],
    ['Snooze the alerts of an endpoint', 'health --endpoint sandbox --snooze 8h'],
  ],
)
  .addOption(
    new Option('--range <range>', 'Until now')
      .argParser(choice('--range', healthRanges))
      .default('day' as const),
  )
  .addOption(
    new Option('--by <what>', 'What deliveries are grouped by')
      .argParser(choice('--by', healthGroupings))
      .default('endpoint' as const),
  )
  .option('--endpoint <path>', 'Only this endpoint: the part of its URL after /hooks/')
  .option('--location <name>', 'Only this location')
  .option('--type <type>', 'Only this event type')
  .option('--check', 'Exit with 1 if an alert is active, or if Tabscope is not running')
  .option(
    '--snooze <duration>',
    'Snooze the alerts of the endpoint for this time; 0s ends that',
    duration('--snooze', { from: 0, to: 30 * 86_400_000 }),
  )
  .action(
    action(({ check = false, snooze, ...options }) => {
      if (snooze !== undefined) return snoozeAlerts(options.endpoint, snooze)
      return withSession('read', async (session): Promise<ExitCode> => {
        const { endpoints } = await configurationOf(session)
        const endpoint =
          options.endpoint === undefined ? undefined : endpointOf(endpoints, options.endpoint)
        const { range, by, location, type } = options
        const overview = await session.call('health.overview', {
          range,
          by,
          endpointId: endpoint?.id,
          location,
          type,
        })
        const { alerts, learned } = await session.call('health.alerts', {})
        const isWatched = session.joined
        const active = isWatched ? alerts : []
        const health: Health = {
          ...overview,
          isWatched,
          learned,
          active: active.map((alert) => ({ ...alert, message: alertText(alert, endpoints) })),
        }
        print('health', health, () => healthText(health))
        return check && (active.length > 0 || !isWatched) ? 1 : 0
      })
    }),
  )

function snoozeAlerts(slug: string | undefined, ms: number): Promise<ExitCode> {
  if (slug === undefined) throw new UsageError('--snooze requires --endpoint.')
  const snoozedUntil = ms === 0 ? null : Date.now() + ms
  return withSession('change', async (session) => {
    const { id, name } = endpointOf((await configurationOf(session)).endpoints, slug)
    await session.call('health.setRule', { endpointId: id, snoozedUntil })
    printMessage(
      snoozedUntil === null
        ? `The alerts of ${name} are shown.`
        : `The alerts of ${name} are not shown until ${formatTime(snoozedUntil)}.`,
    )
    return 0
  })
}

function healthText(health: Health): string {
  if (health.countedFrom === null) return 'Nothing was counted yet.'
  const { received, usual, delay, response } = health.total
  const { ok, rejected, noResponse } = health.handler
  const failed = sum(health.failed)
  const rows: (readonly [string, string])[] = [
    ['From', formatTime(Math.max(health.from, health.countedFrom))],
    [
      'Received',
      `${formatCount(received)}${usual === null ? '' : `, usually ${formatCount(Math.round(usual))}`}`,
    ],
    ['Signature', `${formatCount(failed)} invalid or missing`],
    ['Delay', percentileText(delay)],
    [
      'Handler',
      `${formatCount(sum(ok))} accepted, ${formatCount(sum(rejected))} rejected, ${formatCount(sum(noResponse))} without a response`,
    ],
    ['Response time', percentileText(response)],
  ]
  return [facts(rows), groupsText(health), alertsText(health)].join('\n\n')
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, each) => total + each, 0)
}

function percentileText({ p50, p90 }: HealthOverview['total']['delay']): string {
  if (p50 === null || p90 === null) return 'unknown'
  return `${formatDuration(p50)} (median), ${formatDuration(p90)} (90 %)`
}

function groupsText({ groups, endpoints }: Health): string {
  const nameOf = ({ key, others }: HealthOverview['groups'][number]): string => {
    if (others) return 'others'
    return endpoints.find(({ id }) => String(id) === key)?.name ?? (key === '' ? 'none' : key)
  }
  return tableText(groups, {
    Name: (group) => ['bold', nameOf(group)],
    Deliveries: ({ total }) => total,
    Failed: ({ failed }) => failed,
    Last: ({ lastAt }) => lastAt && formatTime(lastAt),
  })
}

function alertsText({ isWatched, active, learned }: Health): string {
  if (!isWatched) return 'Alerts: Tabscope is not running, so nothing is watched.'
  const none = active.length === 0 ? 'Alerts: none.' : 'Alerts:'
  const learning = describeLearning(learned)
  const lines = active.map(({ message }) => `  ${message}`)
  return [none, ...lines, ...(learning === null ? [] : [learning])].join('\n')
}
