import { action, group, defineCommand } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { integer } from '../command-line/values.ts'
import { attemptTable } from '../output/attempt-text.ts'
import { globals } from '../command-line/globals.ts'
import { withSession } from '../session/in-session.ts'
import { followJob, jobSummary, printItem } from '../session/job-run.ts'
import { print, printDetails, printMessage, writeLine } from '../output/output.ts'
import { printList } from '../output/table.ts'
import { facts, formatTime } from '../output/text.ts'
import type { Job } from '#contract/sending.ts'

const list = defineCommand('list', 'List jobs that re-send many deliveries, newest first', [
  ['List the newest jobs', 'job list'],
])
  .option('-n, --limit <count>', 'Maximum number of jobs', integer('--limit', 1, 10_000), 50)
  .action(
    action(({ limit }) =>
      withSession('read', async (session) => {
        const jobs = await session.call('jobs.list', {})
        printList(
          'job',
          jobs.slice(0, limit),
          {
            ID: ({ id }) => id,
            Created: ({ createdAt }) => ['gray', formatTime(createdAt)],
            State: ({ state }) => state,
            Total: ({ total }) => total,
            OK: ({ ok }) => ok,
            Failed: ({ failed }) => failed,
            Waiting: ({ waiting }) => waiting,
            Target: ({ url }) => url ?? 'default targets',
            Filter: ({ filter }) => filter,
          },
          'No jobs. To start one: tabscope resend --filter FILTER',
        )
        if (jobs.length > limit) {
          printMessage(`${limit} of ${jobs.length} jobs. Use --limit N for more.`)
        }
      }),
    ),
  )

const show = declare('show', {
  does: 'Show a job, with its failed, unsent and uncertain deliveries',
  examples: [
    ['Show a job', 'job show 3'],
    ['Show all of its deliveries', 'job show 3 --all'],
  ],
  call: 'jobs.items',
  usage: '<job> -n, --limit <count>',
  descriptions: { id: 'Job ID', limit: 'Maximum number of deliveries (default: 50)' },
  flags: { '--all': ['Also show successful and waiting deliveries', { states: [] }] },
  access: 'read',
  run: async (session, { id, states: all, limit = 50 }) => ({
    job: await session.call('jobs.get', { id }),
    items: await session.call('jobs.items', {
      id,
      states: all ?? ['failed', 'skipped', 'uncertain'],
      limit,
    }),
    isAll: all !== undefined,
  }),
  print: async ({ job, items, isAll }, _, session) => {
    printDetails('job', job, () => jobText(job))
    if (items.length > 0 && !globals.json && !globals.quiet) {
      writeLine(`\n${attemptTable.header()}`)
    }
    for (const item of items) await printItem(session, job, item)
    const { failed, skipped, uncertain, total } = job
    const count = isAll ? total : failed + skipped + uncertain
    if (count > items.length) {
      printMessage(`${items.length} of ${count} deliveries. Use --limit N for more.`)
    }
  },
})

const ofJob = { usage: '<job>', descriptions: { id: 'Job ID' } } as const

const pause = declare('pause', {
  does: 'Pause a job after its requests in flight',
  examples: [['Pause a job', 'job pause 3']],
  call: 'jobs.pause',
  ...ofJob,
  print: printState,
})

const cancel = declare('cancel', {
  does: 'Cancel a job; waiting deliveries are not sent',
  examples: [['Cancel a job', 'job cancel 3']],
  call: 'jobs.cancel',
  ...ofJob,
  print: printState,
})

const sendUncertain = 'Also send deliveries that may have been received before a crash'

const resume = declare('resume', {
  does: 'Resume a paused or interrupted job, and follow it',
  examples: [
    ['Resume a job', 'job resume 3'],
    [sendUncertain, 'job resume 3 --send-uncertain'],
  ],
  call: 'jobs.resume',
  ...ofJob,
  flags: { '--send-uncertain': [sendUncertain, { uncertain: 'send' }] },
  sends: true,
  run: (session, input, send) =>
    followJob(session, () => send(() => session.call('jobs.resume', input))),
  print: (exitCode) => exitCode,
})

const retry = declare('retry', {
  does: 'Retry the failed deliveries of a job as a new job, and follow it',
  examples: [['Retry failed deliveries', 'job retry 3']],
  call: 'jobs.resendFailed',
  ...ofJob,
  sends: true,
  run: (session, input, send) =>
    followJob(session, () => send(() => session.call('jobs.resendFailed', input))),
  print: (exitCode) => exitCode,
})

export const command = group('job', 'List, pause, resume and cancel jobs that re-send deliveries', [
  list,
  show,
  pause,
  resume,
  cancel,
  retry,
])

function printState(job: Job): void {
  print('job', job, () => `Job ${job.id} is ${job.state}. ${jobSummary(job)}`)
}

function jobText(job: Job): string {
  const { id, state, reason, createdAt, endedAt, url, filter, edited } = job
  return facts([
    ['Job', id],
    ['State', reason === null ? state : `${state}: ${reason}`],
    ['Created', formatTime(createdAt)],
    ['Ended', endedAt && formatTime(endedAt)],
    ['Target', url ?? 'the default target of each delivery'],
    ['Filter', filter],
    ['Edited', edited ? 'yes' : 'no'],
    ['Result', jobSummary(job)],
  ])
}
