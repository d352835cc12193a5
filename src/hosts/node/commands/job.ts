import { action, group, defineCommand, type ExitCode } from '../command-line/command.ts'
import { id, integer } from '../command-line/values.ts'
import { attemptTable } from '../attempt-text.ts'
import { globals } from '../command-line/globals.ts'
import { withSession } from '../in-session.ts'
import { Attempts, followJob, jobSummary, printItem } from '../job-run.ts'
import { print, printDetails, printMessage, writeLine } from '../output.ts'
import { toTarget } from '../send-one.ts'
import { printTable, type Column } from '../table.ts'
import { facts, formatTime } from '../text.ts'
import type { Job } from '#contract/sending.ts'

const maxItems = 1000

const columns: readonly Column<Job>[] = [
  { title: 'ID', value: (job) => String(job.id), align: 'right' },
  { title: 'Created', value: ({ createdAt }) => formatTime(createdAt), style: () => 'gray' },
  { title: 'State', value: ({ state }) => state },
  { title: 'Total', value: ({ total }) => String(total), align: 'right' },
  { title: 'OK', value: ({ ok }) => String(ok), align: 'right' },
  { title: 'Failed', value: ({ failed }) => String(failed), align: 'right' },
  { title: 'Waiting', value: ({ waiting }) => String(waiting), align: 'right' },
  { title: 'Target', value: ({ url }) => url ?? 'default targets' },
  { title: 'Filter', value: ({ filter }) => filter ?? '' },
]

const list = defineCommand('list', 'List jobs that re-send many deliveries, newest first', [
  ['List the newest jobs', 'job list'],
  ['The newest job as JSON', 'job list --limit 1 --json'],
])
  .option('-n, --limit <count>', 'Maximum number of jobs', integer('--limit', 1, 10_000), 50)
  .action(
    action(({ limit }) =>
      withSession('read', async (session) => {
        const jobs = await session.call('jobs.list', {})
        if (jobs.length === 0 && !globals.json) {
          printMessage('No jobs. To start one: tabscope resend --filter FILTER')
        }
        printTable('job', jobs.slice(0, limit), columns, (job) => job)
        if (jobs.length > limit) {
          printMessage(`${limit} of ${jobs.length} jobs. Use --limit N for more.`)
        }
      }),
    ),
  )

const show = defineCommand('show', 'Show a job, with its failed, unsent and uncertain deliveries', [
  ['Show a job', 'job show 3'],
  ['Show all of its deliveries', 'job show 3 --all'],
])
  .argument('<job>', 'Job ID', id)
  .option('--all', 'Also show successful and waiting deliveries')
  .option(
    '-n, --limit <count>',
    'Maximum number of deliveries',
    integer('--limit', 1, maxItems),
    50,
  )
  .action(
    action((jobId, { all, limit }) =>
      withSession('read', async (session) => {
        const job = await session.call('jobs.get', { id: jobId })
        printDetails('job', job, () => jobText(job))
        const items = await session.call('jobs.items', {
          id: jobId,
          states: all ? [] : ['failed', 'skipped', 'uncertain'],
          limit,
        })
        const attempts = new Attempts(session)
        if (items.length > 0 && !globals.json && !globals.quiet) {
          writeLine(`\n${attemptTable.header()}`)
        }
        for (const item of items) await printItem(job, item, attempts)
        const { failed, skipped, uncertain, total } = job
        const count = all ? total : failed + skipped + uncertain
        if (count > items.length) {
          printMessage(`${items.length} of ${count} deliveries. Use --limit N for more.`)
        }
      }),
    ),
  )

const pause = defineCommand('pause', 'Pause a job after its requests in flight', [
  ['Pause a job', 'job pause 3'],
  ['As JSON', 'job pause 3 --json'],
])
  .argument('<job>', 'Job ID', id)
  .action(action((jobId) => stop(jobId, 'jobs.pause')))

const cancel = defineCommand('cancel', 'Cancel a job; waiting deliveries are not sent', [
  ['Cancel a job', 'job cancel 3'],
  ['As JSON', 'job cancel 3 --json'],
])
  .argument('<job>', 'Job ID', id)
  .action(action((jobId) => stop(jobId, 'jobs.cancel')))

const resume = defineCommand('resume', 'Resume a paused or interrupted job, and follow it', [
  ['Resume a job', 'job resume 3'],
  [
    'Also send deliveries that may have been received before a crash',
    'job resume 3 --send-uncertain',
  ],
])
  .argument('<job>', 'Job ID', id)
  .option('--send-uncertain', 'Also send deliveries that may have been received before a crash')
  .option('--allow-target', 'Allow a target outside the local network')
  .action(
    action((jobId, { sendUncertain, allowTarget }) =>
      withSession('change', (session) =>
        followJob(session, () =>
          toTarget(session, { allowTarget }, () =>
            session.call('jobs.resume', { id: jobId, uncertain: sendUncertain ? 'send' : 'skip' }),
          ),
        ),
      ),
    ),
  )

const retry = defineCommand(
  'retry',
  'Retry the failed deliveries of a job as a new job, and follow it',
  [
    ['Retry failed deliveries', 'job retry 3'],
    ['As JSON', 'job retry 3 --json'],
  ],
)
  .argument('<job>', 'Job ID', id)
  .option('--allow-target', 'Allow a target outside the local network')
  .action(
    action((jobId, { allowTarget }) =>
      withSession('change', (session) =>
        followJob(session, () =>
          toTarget(session, { allowTarget }, () =>
            session.call('jobs.resendFailed', { id: jobId }),
          ),
        ),
      ),
    ),
  )

export const command = group('job', 'List, pause, resume and cancel jobs that re-send deliveries', [
  list,
  show,
  pause,
  resume,
  cancel,
  retry,
])

function stop(jobId: number, how: 'jobs.pause' | 'jobs.cancel'): Promise<ExitCode> {
  return withSession('change', async (session) => {
    const job = await session.call(how, { id: jobId })
    print('job', job, () => `Job ${jobId} is ${job.state}. ${jobSummary(job)}`)
  })
}

function jobText(job: Job): string {
  const { id, state, reason, createdAt, endedAt, url, filter, edited } = job
  return facts([
    ['Job', String(id)],
    ['State', reason === null ? state : `${state}: ${reason}`],
    ['Created', formatTime(createdAt)],
    ...(endedAt === null ? [] : [['Ended', formatTime(endedAt)] as const]),
    ['Target', url ?? 'the default target of each delivery'],
    ...(filter === null ? [] : [['Filter', filter] as const]),
    ['Edited', edited ? 'yes' : 'no'],
    ['Result', jobSummary(job)],
  ])
}
