import { Option } from '@commander-js/extra-typings'
import type { CallOutput } from '#contract/calls.ts'
import type { Verdict } from '#contract/models.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, group, defineCommand, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { confirmRemoval } from '../command-line/confirm.ts'
import { collect, collected, deliveryId, integer, secretFrom } from '../command-line/values.ts'
import {
  deliveriesOf,
  forEachDelivery,
  sessionDeliveryIds,
  type DeliveryRef,
  untilIndexed,
  storedBody,
} from '../session/delivery-ids.ts'
import { deliveryColumns, deliveryPrinter } from '../output/delivery-line.ts'
import { needsIndex } from '../command-line/filter-option.ts'
import { withSession } from '../session/in-session.ts'
import { logDescription, withLog } from '../session/log-option.ts'
import { print, printDetails, printMessage, writeBytes, writeLine } from '../output/output.ts'
import { selectionOf, selects, withSelection, type Selection } from '../session/selection.ts'
import type { Session } from '../session/session.ts'
import { Table } from '../output/table.ts'
import { UsageError } from '../command-line/errors.ts'

const someDeliveries = 'Delivery IDs, or latest'
const listAll = 'To list deliveries: tabscope delivery list'
const verdicts: readonly Verdict[] = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked']
const pageSize = 500

const list = withSelection(
  defineCommand('list', 'List deliveries, newest first', [
    ['The newest 50', 'delivery list'],
    [
      'Orders of the last two hours with an invalid signature',
      'delivery list --type ORDER_PLACED --verdict invalid --since 2h',
    ],
    [
      'IDs of deliveries that match a filter',
      'delivery list --filter \'location:"Pier 9" status:>=400\' --limit 1000 -q',
    ],
  ]),
)
  .option(
    '-n, --limit <count>',
    'Maximum number of deliveries',
    integer('--limit', 1, 10_000_000),
    50,
  )
  .option('--log <log>', logDescription)
  .action(
    action(async ({ limit, log, ...selection }) => {
      const filter = await selectionOf(selection)
      const isIndexed = needsIndex(filter)
      const table = new Table(deliveryColumns, [])
      const printDelivery = await deliveryPrinter()
      return withLog(log, async (session, logId) => {
        if (logId === null) await untilStored(session, isIndexed)
        let listed = 0
        for await (const page of pagesOf(session, logId, filter, limit)) {
          const { rows, complete, total } = page
          if (listed === 0 && rows.length > 0 && !globals.json && !globals.quiet) {
            writeLine(table.header())
          }
          for (const row of rows) printDelivery(row, (each) => table.row(each))
          listed += rows.length
          if (listed >= limit && complete && total > listed) {
            printMessage(
              `${listed} of ${plural(total, 'delivery', 'deliveries')}. Use --limit N for more.`,
            )
          }
        }
        if (listed > 0) return
        printMessage(
          filter === ''
            ? 'No deliveries. To receive webhooks: tabscope listen'
            : 'No delivery matches.',
        )
      })
    }),
  )

const show = defineCommand('show', 'Show deliveries with headers, body and findings', [
  ['The newest delivery', 'delivery show latest'],
  ['Save the exact bytes of a body', 'delivery show 12 --body > body.json'],
  ['Several deliveries as JSON', 'delivery show 12 13 --json'],
])
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .option('--body', 'Print only the body, byte for byte as received')
  .option('--log <log>', logDescription)
  .action(
    action(async (words, { body: onlyBody, log }) => {
      if (onlyBody && words.length > 1) throw new UsageError('--body accepts only one delivery.')
      const { deliveryDetail, deliveryJson, shownBody } =
        await import('../output/delivery-detail.ts')
      return readEach(words, log, async (session, of, index) => {
        if (onlyBody) return await writeBytes(await storedBody(session, of.id, of.log))
        const delivery = await session.call('deliveries.get', of)
        const body = await storedBody(session, of.id, of.log)
        const decoded = shownBody(delivery, body)
        printDetails('delivery', deliveryJson(delivery, body, decoded), () =>
          between(index, deliveryDetail(delivery, decoded)),
        )
      })
    }),
  )

const annotate = defineCommand(
  'annotate',
  'Set the note of deliveries, add or remove tags, and pin them so that retention keeps them',
  [
    [
      'Add a note and a tag, which also pins it',
      'delivery annotate 12 --note "wrong total" --tag bug',
    ],
    ['Remove both from several deliveries', 'delivery annotate 12 13 --note "" --untag bug'],
    ['Pin the newest delivery', 'delivery annotate latest --pin'],
  ],
)
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .option('--note <text>', 'Text of the note; an empty text removes it')
  .option('--tag <tag>', 'Add a tag, up to 20 per delivery (repeatable)', collect)
  .option('--untag <tag>', 'Remove a tag (repeatable)', collect)
  .option('--pin', 'Keep them, whatever the storage limits')
  .addOption(new Option('--unpin', 'Let retention delete them').conflicts('pin'))
  .action(
    action((words, { note, tag: addTags, untag: removeTags, pin, unpin }) => {
      if ([note, addTags, removeTags, pin, unpin].every((given) => given === undefined)) {
        throw new UsageError('Specify --note, --tag, --untag, --pin or --unpin.')
      }
      return withSession('change', async (session) => {
        const printDelivery = await deliveryPrinter()
        // Nothing is changed unless all of them exist.
        for (const { id } of await deliveriesOf(session, words)) {
          const pinned = pin ?? (unpin && false)
          printDelivery(
            await session.call('deliveries.annotate', { id, pinned, note, addTags, removeTags }),
          )
        }
      })
    }),
  )

const trace = defineCommand(
  'trace',
  'Show all deliveries about the same tab, order, guest or product',
  [['For the newest delivery', 'delivery trace latest']],
)
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .option('--log <log>', logDescription)
  .action(
    action(async (words, { log }) => {
      const { traceJson, traceText } = await import('../output/trace-text.ts')
      return readEach(words, log, async (session, of, index) => {
        // An event log is indexed when it is imported.
        const behind = of.log === null && index === 0 ? await untilIndexed(session) : 0
        const found = await session.call('deliveries.trace', of)
        print('trace', traceJson(of.id, found), () => between(index, traceText(found, of.id)))
        if (behind > 0) {
          printMessage(`The search index is ${behind} deliveries behind. Results may be missing.`)
        }
      })
    }),
  )

const diagnose = defineCommand(
  'diagnose',
  'Find out why the signature of a delivery does not match',
  [
    ['For the newest delivery', 'delivery diagnose latest'],
    ['Try another secret without storing it', 'delivery diagnose 12 --secret-env OTHER_SECRET'],
    ['Find out what your handler computed', 'delivery diagnose 12 --computed 5f2c…'],
  ],
)
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .option('--secret-env <name>', 'Environment variable with a secret to try')
  .option('--computed <digest>', 'Digest that your handler computed, to find out what it did')
  .option('--log <log>', logDescription)
  .action(
    action(async (words, { computed, log, secretEnv }) => {
      const candidate = secretFrom('secret', undefined, secretEnv)
      const { diagnosisText } = await import('../output/diagnosis-text.ts')
      return readEach(words, log, async (session, of, index) => {
        const found = await session.call('deliveries.diagnose', { ...of, candidate, computed })
        print('diagnosis', { ...found, deliveryId: of.id }, () =>
          between(index, diagnosisText(found)),
        )
      })
    }),
  )

const recheck = withSelection(
  defineCommand(
    'recheck',
    'Check signatures again with the current secrets; the original verdict is kept',
    [
      ['Check two deliveries', 'delivery recheck 12 13'],
      ['Check all deliveries with an invalid signature', 'delivery recheck --verdict invalid'],
      [
        'Check the deliveries of a file with another secret; the file is not changed',
        'delivery recheck --log capture.har --secret-env OTHER_SECRET',
      ],
    ],
  ),
)
  .argument('[delivery...]', someDeliveries, collected(deliveryId))
  .option('-n, --dry-run', 'Only show how many would be checked')
  .option('--log <log>', `${logDescription}. Prints the verdicts with the given secret`)
  .option('--secret-env <name>', 'With --log: environment variable with the secret')
  .action(
    action(async (words, { dryRun, log, secretEnv, ...selection }) => {
      const given = secretFrom('secret', undefined, secretEnv)
      if (log !== undefined) {
        if (dryRun) throw new UsageError('--dry-run cannot be used with --log: nothing is changed.')
        return recheckLog(log, words, selection, given)
      }
      if (given !== undefined) {
        throw new UsageError(
          'recheck uses the stored secrets. With another secret: tabscope delivery diagnose',
        )
      }
      const filter = await oneOf(words, selection)
      return withSession('change', async (session) => {
        const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
        if (dryRun) {
          const { deliveries } = await countOf(session, words, filter)
          print(
            'rechecked',
            { dryRun, checked: deliveries, changed: 0, incomplete: 0, counts },
            () => `Would check ${plural(deliveries, 'delivery', 'deliveries')}.`,
          )
          return 0
        }
        const which =
          filter === null
            ? { ids: (await deliveriesOf(session, words)).map(({ id }) => id) }
            : { filter }
        let changed = 0
        let incomplete = 0
        let page = await session.call('deliveries.recheck', which)
        for (;;) {
          for (const verdict of verdicts) counts[verdict] += page.counts[verdict]
          changed += page.changed
          incomplete += page.incomplete
          if (page.complete) break
          const { reached: after, upTo, asOf } = page
          page = await session.call('deliveries.recheck', { ...which, after, upTo, asOf })
        }
        const checked = Object.values(counts).reduce((sum, count) => sum + count, 0)
        if (checked + incomplete === 0) throw nothingMatches()
        print('rechecked', { checked, changed, incomplete, counts }, () => {
          const more =
            incomplete === 0
              ? ''
              : `\n${incomplete} not checked: the body was not received completely`
          return `${checked} checked${countsText(counts)}; ${changed} changed${more}`
        })
      })
    }),
  )

function countsText(counts: Readonly<Record<Verdict, number>>): string {
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `, ${counts[verdict]} ${verdict}`)
    .join('')
}

async function recheckLog(
  log: string,
  words: readonly DeliveryRef[] | undefined,
  selection: Selection,
  secret: string | undefined,
): Promise<ExitCode> {
  if (secret === undefined) {
    throw new UsageError('recheck --log requires --secret-env.')
  }
  const named = words ?? []
  const filter = named.length > 0 || selects(selection) ? await oneOf(named, selection) : ''
  const { DeliverySummary: Summary } = await import('#contract/models.ts')
  const { namedKey, verify } = await import('#engine/payload/signature/verify.ts')
  const keys = [namedKey('given', secret)]
  const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
  let changed = 0
  let incomplete = 0
  return withLog(log, async (session, logId) => {
    const printDelivery = await deliveryPrinter()
    await forEachDelivery(await idsInLog(session, logId, named, filter), async (id) => {
      const delivery = await session.call('deliveries.get', { id, log: logId })
      const { received, ofLog } = await session.call('deliveries.signature', { id, log: logId })
      if (delivery.arrival !== 'complete' || ofLog?.omitted != null || ofLog?.bodyRedacted) {
        incomplete += 1
        printMessage(`Delivery ${id} was not checked: the log does not have its exact body.`)
        return
      }
      const { verdict } = verify(await storedBody(session, id, logId), received, keys)
      counts[verdict] += 1
      if (verdict !== delivery.verdict) changed += 1
      printDelivery(Summary.parse({ ...delivery, verdict, causes: null }))
    })
    const checked = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (checked + incomplete === 0) throw nothingMatches()
    print('rechecked', { checked, changed, incomplete, counts }, () => {
      return `${checked} checked${countsText(counts)}. The event log was not changed.`
    })
    return 0
  })
}

async function idsInLog(
  session: Session,
  log: number | null,
  words: readonly DeliveryRef[],
  filter: string | null,
): Promise<number[]> {
  if (filter === null) return sessionDeliveryIds(session, words, log)
  const ids: number[] = []
  for await (const { rows } of pagesOf(session, log, filter)) ids.push(...rows.map(({ id }) => id))
  return ids.toReversed()
}

async function* pagesOf(
  session: Session,
  log: number | null,
  filter: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<CallOutput<'deliveries.page'>> {
  const asOf = Date.now()
  let upTo: number | null = null
  for (let offset = 0; offset < most;) {
    const limit = Math.min(pageSize, most - offset)
    const input = { filter, upTo, asOf, offset, limit, log }
    const page: CallOutput<'deliveries.page'> = await session.call('deliveries.page', input)
    yield page
    if (page.rows.length === 0 && page.complete) return
    offset += page.rows.length
    ;({ upTo } = page)
  }
}

const diff = defineCommand(
  'diff',
  'Compare headers and bodies of two deliveries; exit code 1 if they differ',
  [['Compare with the newest delivery', 'delivery diff 12 latest']],
)
  .argument('<before>', 'Delivery ID, or latest', deliveryId)
  .argument('<after>', 'Delivery ID, or latest', deliveryId)
  .option('--log <log>', logDescription)
  .action(
    action(async (before, after, { log }) => {
      const { diffDeliveries, diffText } = await import('../output/delivery-diff.ts')
      return withLog(log, async (session, logId) => {
        const [first = 0] = await sessionDeliveryIds(session, [before], logId)
        const [second = 0] = await sessionDeliveryIds(session, [after], logId)
        const sides: Parameters<typeof diffDeliveries>[0][] = []
        await forEachDelivery([first, second], async (id) => {
          const delivery = await session.call('deliveries.get', { id, log: logId })
          sides.push({ delivery, body: await storedBody(session, id, logId) })
        })
        const [one, other] = sides
        if (one === undefined || other === undefined) throw new TypeError('A side is missing.')
        const found = diffDeliveries(one, other)
        print('diff', found, () => diffText(found))
        return found.equal ? 0 : 1
      })
    }),
  )

const remove = withSelection(
  defineCommand(
    'delete',
    'Delete deliveries with their notes, tags and attempts, including pinned ones',
    [
      ['Delete two deliveries', 'delivery delete 12 13'],
      ['Show how many a filter would delete', "delivery delete --filter 'own:send' --dry-run"],
      [
        'Delete everything older than 30 days without confirmation',
        'delivery delete --before 30d --yes',
      ],
    ],
  ),
)
  .argument('[delivery...]', someDeliveries, collected(deliveryId))
  .option('-n, --dry-run', 'Only show how many would be deleted')
  .option('-y, --yes', 'Skip the confirmation')
  .action(
    action(async (words, { dryRun, yes, ...selection }) => {
      const filter = await oneOf(words, selection)
      return withSession('change', async (session) => {
        const { deliveries, pinned, upTo, ids } = await countOf(session, words, filter)
        const what = `${plural(deliveries, 'delivery', 'deliveries')}${pinned === 0 ? '' : `, ${pinned} of them pinned`}`
        if (dryRun) {
          print('deleted', { dryRun, deliveries, pinned }, () => `Would delete ${what}.`)
          return 0
        }
        if (!(await confirmRemoval(`This permanently deletes ${what}.`, yes ?? false))) return 1
        const which = filter === null ? { ids } : { filter, upTo }
        const { deleted } = await session.call('deliveries.delete', which)
        print(
          'deleted',
          { deliveries: deleted, pinned },
          () => `Deleted ${plural(deleted, 'delivery', 'deliveries')}.`,
        )
      })
    }),
  )

export const command = group('delivery', 'List, show, compare, annotate and delete deliveries', [
  list,
  show,
  diagnose,
  diff,
  trace,
  annotate,
  recheck,
  remove,
])

interface Place {
  readonly id: number
  readonly log: number | null
}

type Work = (session: Session, of: Place, index: number) => Promise<void>

function readEach(
  words: readonly DeliveryRef[],
  log: string | undefined,
  work: Work,
): Promise<ExitCode> {
  return withLog(log, async (session, logId) => {
    let index = 0
    await forEachDelivery(await sessionDeliveryIds(session, words, logId), async (id) => {
      await work(session, { id, log: logId }, index)
      index += 1
    })
  })
}

async function untilStored(session: Session, isIndexed: boolean): Promise<void> {
  if (isIndexed) await untilIndexed(session)
  else if (!session.stored) await session.call('deliveries.stored', {})
}

function between(index: number, text: string): string {
  return index === 0 ? text : `\n${text}`
}

async function oneOf(
  words: readonly DeliveryRef[] | undefined,
  selection: Selection,
): Promise<string | null> {
  const named = (words ?? []).length > 0
  if (named && selects(selection))
    throw new UsageError('Use delivery IDs or selection options, not both.')
  if (named) return null
  if (selects(selection)) return selectionOf(selection)
  throw new UsageError(
    'Specify delivery IDs, or select deliveries with an option such as --filter.',
  )
}

async function countOf(
  session: Session,
  words: readonly DeliveryRef[],
  filter: string | null,
): Promise<{ deliveries: number; pinned: number; upTo: number | null; ids: number[] }> {
  if (filter === null) {
    const rows = await deliveriesOf(session, words)
    const pinned = rows.filter((row) => row.pinned).length
    return { deliveries: rows.length, pinned, upTo: null, ids: rows.map(({ id }) => id) }
  }
  await untilIndexed(session)
  const all = await totalOf(session, filter, null)
  if (all.total === 0) throw nothingMatches()
  const { total: pinned } = await totalOf(session, `${grouped(filter)} is:pinned`.trim(), all.upTo)
  return { deliveries: all.total, pinned, upTo: all.upTo, ids: [] }
}

function grouped(filter: string): string {
  return filter.trim() === '' ? '' : `(${filter})`
}

async function totalOf(session: Session, filter: string, upTo: number | null) {
  const asOf = Date.now()
  for (;;) {
    const page = await session.call('deliveries.page', { filter, upTo, asOf, offset: 0, limit: 1 })
    if (page.complete) return page
  }
}

function nothingMatches(): AppError {
  return new AppError('not_found', `No delivery matches. ${listAll}`)
}
