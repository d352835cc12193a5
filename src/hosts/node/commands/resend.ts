import { Option } from '@commander-js/extra-typings'
import type { CallInput } from '#contract/calls.ts'
import type { Header } from '#contract/models.ts'
import type { JobPace, JobPlan } from '#contract/sending.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { attemptLine, attemptTable } from '../output/attempt-text.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { collected, decimal, deliveryId, integer } from '../command-line/values.ts'
import { sessionDeliveryIds, untilIndexed, storedBody } from '../session/delivery-ids.ts'
import { withSession } from '../session/in-session.ts'
import { followJob } from '../session/job-run.ts'
import { print, printMessage, writeJson, writeLine } from '../output/output.ts'
import { toTarget } from '../command-line/confirm.ts'
import { printAttempt, sendOne } from '../session/send-one.ts'
import { bytesOf, signOf, withFields, withSendOptions } from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { UsageError } from '../command-line/errors.ts'

const paces = ['rate', 'spacing', 'concurrency', 'stopOnFailure'] as const

function others(name: (typeof paces)[number]): string[] {
  return ['set', ...paces.filter((each) => each !== name)]
}

const withOptions = withSendOptions(
  defineCommand('resend', 'Send captured deliveries again, exactly as received or edited', [
    ['Send the newest delivery to a server', 'resend latest --to http://127.0.0.1:3000/webhooks'],
    ['Send a delivery with a different total, signed again', 'resend 12 --set data.total=0'],
    [
      'Send all deliveries that match a filter, ten per second',
      'resend --filter type:OPEN_TAB --rate 10 --to http://127.0.0.1:3000',
    ],
    ['Show what would be sent, and where', 'resend --filter verdict:invalid --dry-run'],
  ]).argument('[delivery...]', 'Delivery IDs, or latest', collected(deliveryId)),
)
  .addOption(new Option('--keep', 'Keep the signature as captured').conflicts(['sign', 'unsigned']))
  .option('--script <name>', 'Saved script that changes each request')
  .option('--filter <filter>', 'Send deliveries that match a filter')
  .addOption(
    new Option('--rate <rate>', 'Requests per second')
      .argParser(decimal('--rate', 0.1, 1000))
      .conflicts(others('rate')),
  )
  .addOption(
    new Option('--spacing <speed>', 'Keep the original timing, sped up by this factor')
      .argParser(decimal('--spacing', 0.01, 1000))
      .conflicts(others('spacing')),
  )
  .addOption(
    new Option('--concurrency <count>', 'Concurrent requests')
      .argParser(integer('--concurrency', 1, 64))
      .conflicts(others('concurrency')),
  )
  .addOption(
    new Option('--stop-on-failure', 'Pause when a request fails').conflicts(
      others('stopOnFailure'),
    ),
  )
  .option('-n, --dry-run', 'Show how many requests would be sent, and where')

export const command = withOptions.action(
  action(async (given = [], options) => {
    const { filter, set = [], body: file } = options
    checkSelection(given, options)
    const isIndexed = filter !== undefined && (await checkFilter(filter))
    const body = await bytesOf(file)
    return await withSession('change', async (session) => {
      const { endpoints } = await session.call('app.snapshot', {})
      const common: Common = {
        url: options.to ?? null,
        sign: signOf(options, endpoints),
        edits: { headers: options.header ?? [], body },
        script: options.script ?? null,
        timeout: Math.ceil(options.timeout),
        insecure: options.insecure ?? false,
      }
      const ids = await sessionDeliveryIds(session, given)
      if (isIndexed) await untilIndexed(session)
      const pace = paceOf(options)
      const [only] = ids
      const isOne = ids.length === 1 && pace === undefined
      if (isOne && only !== undefined && !options.dryRun) {
        return await resendOne(session, options, only, common, set)
      }
      const which = filter === undefined ? { ids } : { filter }
      const plan = await planOf(session, which, common.url)
      if (options.dryRun) {
        print('plan', plan, () => `Would send ${planText(plan)}`)
        return 0
      }
      if (!globals.json) printMessage(`Sending ${planText(plan)}`)
      if (set.length > 0) return await resendEach(session, options, ids, common, set)
      return await followJob(session, () =>
        toTarget(session, options, () => session.call('jobs.start', { ...which, ...common, pace })),
      )
    })
  }),
)

type Options = ReturnType<typeof withOptions.opts>

type Common = Omit<CallInput<'deliveries.resend'>, 'id' | 'key' | 'url' | 'edits'> & {
  readonly url: string | null
  readonly edits: { readonly headers: Header[]; readonly body: Uint8Array | null }
}

type TargetOptions = Parameters<typeof sendOne>[1]

function checkSelection(given: readonly unknown[], options: Options): void {
  const byId = given.length > 0
  const byFilter = options.filter !== undefined
  if (!byId && !byFilter) throw new UsageError('resend requires delivery IDs or --filter.')
  if (byId && byFilter) throw new UsageError('Use only one of delivery IDs and --filter.')
  if (options.set !== undefined && options.filter !== undefined) {
    throw new UsageError('--set cannot be used with --filter. Specify delivery IDs.')
  }
}

async function checkFilter(filter: string): Promise<boolean> {
  const { filterOf, needsIndex } = await import('../command-line/filter-option.ts')
  return needsIndex(filterOf(filter))
}

/** Undefined: one request after the other. */
function paceOf({ rate, spacing, concurrency, stopOnFailure }: Options): JobPace | undefined {
  if (rate !== undefined) return { how: 'rate', perSecond: rate }
  if (spacing !== undefined) return { how: 'spacing', speed: spacing, longestGap: 60_000 }
  if (concurrency !== undefined) return { how: 'concurrent', concurrency: concurrency }
  return stopOnFailure ? { how: 'one_by_one', stopOnFailure } : undefined
}

async function resendOne(
  session: Session,
  asking: TargetOptions,
  delivery: number,
  common: Common,
  set: readonly string[],
): Promise<ExitCode> {
  const { attempt, exitCode } = await sendEdited(session, asking, delivery, common, set)
  await printAttempt(session, attempt)
  printDone([exitCode])
  return exitCode
}

async function resendEach(
  session: Session,
  asking: TargetOptions,
  ids: readonly number[],
  common: Common,
  set: readonly string[],
): Promise<ExitCode> {
  const exitCodes: ExitCode[] = []
  if (!globals.json && !globals.quiet) writeLine(attemptTable.header())
  for (const delivery of ids) {
    const { attempt, exitCode } = await sendEdited(session, asking, delivery, common, set)
    print('attempt', attempt, () => attemptLine(attempt))
    exitCodes.push(exitCode)
    if (exitCode === 130) break
  }
  printDone(exitCodes)
  return exitCodes.find((code) => code !== 0) ?? 0
}

async function sendEdited(
  session: Session,
  asking: TargetOptions,
  delivery: number,
  common: Common,
  set: readonly string[],
): ReturnType<typeof sendOne> {
  const { headers, body } = common.edits
  const edits =
    set.length === 0
      ? common.edits
      : { headers, body: await withFields(body ?? (await storedBody(session, delivery)), set) }
  return sendOne(session, asking, (key) =>
    session.call('deliveries.resend', { ...common, edits, id: delivery, key }),
  )
}

function printDone(exitCodes: readonly ExitCode[]): void {
  if (!globals.json) return
  const sent = exitCodes.filter((code) => code === 0).length
  writeJson('done', { sent, failed: exitCodes.length - sent })
}

async function planOf(
  session: Session,
  which: { ids: number[] } | { filter: string },
  url: string | null,
): Promise<JobPlan> {
  const plan = await session.call('jobs.plan', { ...which, url })
  if (plan.missing.length === 0) return plan
  const names = plan.missing.slice(0, 10).join(', ')
  const more = plan.missing.length > 10 ? ` and ${plan.missing.length - 10} more` : ''
  throw new AppError('not_found', `Delivery ${names}${more} does not exist. Nothing was sent.`)
}

function planText({ requests, targets }: JobPlan): string {
  const total = plural(requests, 'delivery', 'deliveries')
  const names = targets.map(({ url, location }) =>
    url === null
      ? 'without a target (use --to)'
      : `to ${url}${location === 'own' ? ' (this Tabscope)' : ''}`,
  )
  const [only = ''] = names
  if (names.length === 1) return `${total} ${only}.`
  const parts = targets.map((target, index) => `${target.requests} ${names[index] ?? ''}`)
  return `${total}: ${parts.join(', ')}.`
}
