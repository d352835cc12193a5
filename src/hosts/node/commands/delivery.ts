import { Option } from '@commander-js/extra-typings'
import type { CallOutput } from '#contract/calls.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import type { DeliverySummary, Verdict } from '#contract/models.ts'
import { secretOf } from '../secret-text.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { allAttempts, attemptColumns } from '../attempt-text.ts'
import {
  action,
  group,
  defineCommand,
  type Example,
  type ExitCode,
} from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { confirmRemoval } from '../confirm.ts'
import { collected, deliveryId, integer } from '../command-line/values.ts'
import {
  deliveriesOf,
  deliveryIds,
  forEachDelivery,
  sessionDeliveryIds,
  type DeliveryRef,
} from '../delivery-ids.ts'
import { deliveryColumns, deliveryPrinter } from '../delivery-line.ts'
import { needsIndex } from '../filter-option.ts'
import { withSession } from '../in-session.ts'
import { isFile, logDescription, withLog } from '../log-option.ts'
import {
  colored,
  print,
  printDetails,
  printMessage,
  writeBytes,
  writeJson,
  writeLine,
} from '../output.ts'
import type { Reading } from '../reading.ts'
import { selectionOf, selects, withSelection, type Selection } from '../selection.ts'
import type { Session } from '../session.ts'
import { Table, printTable } from '../table.ts'
import { untilIndexed } from '../until-indexed.ts'
import { UsageError } from '../errors.ts'

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
      await using store = await openReading(log, needsIndex(filter))
      const table = new Table(deliveryColumns, [])
      const printDelivery = await deliveryPrinter()
      let listed = 0
      for await (const { rows, complete, total } of pagesOf(store, filter, limit)) {
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
      if (listed === 0) {
        printMessage(
          filter === ''
            ? 'No deliveries. To receive webhooks: tabscope listen'
            : 'No delivery matches.',
        )
      }
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
      const { deliveryDetail, deliveryJson, shownBody } = await import('../delivery-detail.ts')
      await using store = await openReading(log)
      let shown = 0
      await forEachDelivery(await deliveryIds(words, (input) => store.page(input)), async (id) => {
        if (onlyBody) return await writeBytes(await store.body(id))
        const delivery = await store.delivery(id)
        const body = await store.body(id)
        const decoded = shownBody(delivery, body)
        printDetails('delivery', deliveryJson(delivery, body, decoded), () =>
          between(shown, deliveryDetail(delivery, decoded)),
        )
        shown += 1
      })
    }),
  )

const headers = ofEach(
  'headers',
  'Check each header of a delivery against the API documentation',
  [['For the newest delivery', 'delivery headers latest']],
  async (session, of, index) => {
    const checks = await session.call('deliveries.headers', of)
    if (globals.json) {
      for (const check of checks) writeJson('header', { ...check, deliveryId: of.id })
      return
    }
    const { claimLines } = await import('../delivery-detail.ts')
    const claims = claimLines(await session.call('deliveries.get', of))
    writeLine(between(index, headersText(of.id, checks, claims)))
  },
)

const note = defineCommand(
  'note',
  'Set the note of a delivery and pin it; an empty text removes the note',
  [
    ['Add a note', 'delivery note 12 "signed with the old secret"'],
    ['Remove it', 'delivery note 12 ""'],
  ],
)
  .argument('<deliveries>', `${someDeliveries}, separated by commas`, deliveryList)
  .argument('<text>', 'Text of the note')
  .action(
    action((words, text) =>
      changeEach(words, (session, id) => session.call('deliveries.annotate', { id, note: text })),
    ),
  )

const tag = defineCommand('tag', 'Add tags to a delivery and pin it, or remove tags', [
  ['Add two tags', 'delivery tag 12 bug "to do"'],
  ['Add one tag to several deliveries', 'delivery tag 12,13,14 bug'],
  ['Remove a tag', 'delivery tag 12 bug --remove'],
])
  .argument('<deliveries>', `${someDeliveries}, separated by commas`, deliveryList)
  .argument('<tag...>', 'Tags, up to 20 per delivery')
  .option('--remove', 'Remove these tags')
  .action(
    action((words, tags, { remove }) => {
      const change = remove ? { removeTags: tags } : { addTags: tags }
      return changeEach(words, (session, id) =>
        session.call('deliveries.annotate', { id, ...change }),
      )
    }),
  )

const pin = defineCommand('pin', 'Pin deliveries so that retention keeps them', [
  ['Pin one', 'delivery pin 12'],
  ['Pin the newest delivery', 'delivery pin latest'],
])
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .action(action((words) => setPinned(words, true)))

const unpin = defineCommand('unpin', 'Unpin deliveries so that retention can delete them', [
  ['Unpin one', 'delivery unpin 12'],
  ['Unpin several', 'delivery unpin 12 13'],
])
  .argument('<delivery...>', someDeliveries, collected(deliveryId))
  .action(action((words) => setPinned(words, false)))

const attempts = ofEach(
  'attempts',
  'List attempts to send a delivery, newest first',
  [['For the newest delivery', 'delivery attempts latest']],
  async (session, of) => {
    await session.call('deliveries.get', of)
    const { rows, notForwarded } = await allAttempts(
      (input) => session.call('attempts.list', { ...input, log: of.log }),
      { deliveryId: of.id },
    )
    printTable('attempt', rows, attemptColumns, (row) => row)
    for (const reason of notForwarded) {
      if (globals.json) writeJson('not_forwarded', { deliveryId: of.id, reason })
      else printMessage(escapeControls(`Delivery ${of.id} was not forwarded: ${reason}`))
    }
    if (rows.length + notForwarded.length === 0) {
      printMessage(`No attempts to send delivery ${of.id}. To send it: tabscope resend ${of.id}`)
    }
  },
)

const trace = ofEach(
  'trace',
  'Show all deliveries about the same tab, order, guest or product',
  [['For the newest delivery', 'delivery trace latest']],
  indexed(async (session, of, index) => {
    const { traceJson, traceText } = await import('../trace-text.ts')
    const found = await session.call('deliveries.trace', of)
    print('trace', traceJson(of.id, found), () => between(index, traceText(found, of.id)))
  }),
)

const related = ofEach(
  'related',
  'Show deliveries with the same bytes or the same event',
  [['For the newest delivery', 'delivery related latest']],
  indexed(async (session, of, index) => {
    const { relatedJson, relatedText } = await import('../trace-text.ts')
    const found = await session.call('deliveries.related', of)
    print('related', relatedJson(of.id, found), () => between(index, relatedText(found)))
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
  .addOption(secretStdin())
  .option('--computed <digest>', 'Digest that your handler computed, to find out what it did')
  .option('--all', 'Also list what was ruled out')
  .option('--log <log>', logDescription)
  .action(
    action(async (words, { computed, all, log, ...secret }) => {
      const candidate = await secretOf(secret)
      const { diagnosisText } = await import('../diagnosis-text.ts')
      return readEach(words, log, async (session, of, index) => {
        const found = await session.call('deliveries.diagnose', { ...of, candidate, computed })
        print('diagnosis', { ...found, deliveryId: of.id }, () =>
          between(index, diagnosisText(found, all ?? false)),
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
  .addOption(secretStdin('With --log: read the secret from stdin'))
  .action(
    action(async (words, { dryRun, log, secretEnv, secretStdin: fromStdin, ...selection }) => {
      const given = await secretOf({ secretEnv, secretStdin: fromStdin })
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

function secretStdin(description = 'Read a secret to try from stdin') {
  return new Option('--secret-stdin', description).conflicts('secretEnv')
}

/** Prints the verdict of each delivery of an event log with the given secret. Changes nothing. Throws `UsageError`, and `not_found` if nothing matches. */
async function recheckLog(
  log: string,
  words: readonly DeliveryRef[] | undefined,
  selection: Selection,
  secret: string | undefined,
): Promise<ExitCode> {
  if (secret === undefined) {
    throw new UsageError('recheck --log requires --secret-env or --secret-stdin.')
  }
  const named = words ?? []
  const filter = named.length > 0 || selects(selection) ? await oneOf(named, selection) : ''
  const { DeliverySummary: Summary } = await import('#contract/models.ts')
  const { namedKey, verify } = await import('#engine/signature/verify.ts')
  const keys = [namedKey('given', secret)]
  const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
  let changed = 0
  let incomplete = 0
  return withLog(log, async (session, logId) => {
    const { readingOf } = await import('../reading.ts')
    const store = readingOf(session, logId)
    const printDelivery = await deliveryPrinter()
    await forEachDelivery(await idsInLog(store, named, filter), async (id) => {
      const delivery = await store.delivery(id)
      const { received, ofLog } = await session.call('deliveries.signature', { id, log: logId })
      if (delivery.arrival !== 'complete' || ofLog?.omitted != null || ofLog?.bodyRedacted) {
        incomplete += 1
        printMessage(`Delivery ${id} was not checked: the log does not have its exact body.`)
        return
      }
      const { verdict } = verify(await store.body(id), received, keys)
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

/** Oldest first. */
async function idsInLog(
  store: Pick<Reading, 'page'>,
  words: readonly DeliveryRef[],
  filter: string | null,
): Promise<number[]> {
  if (filter === null) return deliveryIds(words, (input) => store.page(input))
  const ids: number[] = []
  for await (const { rows } of pagesOf(store, filter)) ids.push(...rows.map(({ id }) => id))
  return ids.toReversed()
}

/** Up to `most` deliveries, newest first, as of now. */
async function* pagesOf(
  store: Pick<Reading, 'page'>,
  filter: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<CallOutput<'deliveries.page'>> {
  const asOf = Date.now()
  let upTo: number | null = null
  for (let offset = 0; offset < most;) {
    const limit = Math.min(pageSize, most - offset)
    const input = { filter, upTo, asOf, offset, limit }
    const page: CallOutput<'deliveries.page'> = await store.page(input)
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
      const { diffDeliveries, diffText } = await import('../delivery-diff.ts')
      await using store = await openReading(log)
      const page: Reading['page'] = (input) => store.page(input)
      const ids = [...(await deliveryIds([before], page)), ...(await deliveryIds([after], page))]
      const sides: Parameters<typeof diffDeliveries>[0][] = []
      await forEachDelivery(ids, async (id) => {
        sides.push({ delivery: await store.delivery(id), body: await store.body(id) })
      })
      const [first, second] = sides
      if (first === undefined || second === undefined) throw new TypeError('A side is missing.')
      const found = diffDeliveries(first, second)
      print('diff', found, () => diffText(found))
      return found.equal ? 0 : 1
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
  headers,
  diagnose,
  diff,
  trace,
  related,
  attempts,
  note,
  tag,
  pin,
  unpin,
  recheck,
  remove,
])

/** The live store, or the event log that `--log` names. With `indexed`, its search index is complete. */
async function openReading(log: string | undefined, indexed = false): Promise<Reading> {
  if (log === undefined) {
    const { openForReading } = await import('../reading.ts')
    return openForReading(dataFolder(), indexed)
  }
  if (!isFile(log)) {
    const { refuseNoData } = await import('../session.ts')
    refuseNoData(dataFolder())
  }
  const { openLogForReading } = await import('../reading.ts')
  return openLogForReading(dataFolder(), log)
}

interface Place {
  readonly id: number
  readonly log: number | null
}

/** `index` counts from 0. */
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

/** A command that shows something about each of some deliveries. */
function ofEach(
  name: string,
  description: string,
  examples: readonly [Example, ...Example[]],
  work: Work,
) {
  return defineCommand(name, description, examples)
    .argument('<delivery...>', someDeliveries, collected(deliveryId))
    .option('--log <log>', logDescription)
    .action(action((words, { log }) => readEach(words, log, work)))
}

/** For calls that use the search index; an event log is indexed when it is imported. */
function indexed(work: Work): Work {
  return async (session, of, index) => {
    const behind = of.log === null && index === 0 ? await untilIndexed(session) : 0
    await work(session, of, index)
    if (behind > 0)
      printMessage(`The search index is ${behind} deliveries behind. Results may be missing.`)
  }
}

/** An empty line before each text but the first. */
function between(index: number, text: string): string {
  return index === 0 ? text : `\n${text}`
}

/** Changes nothing unless all of the deliveries exist. */
function changeEach(
  words: readonly DeliveryRef[],
  change: (session: Session, id: number) => Promise<DeliverySummary>,
): Promise<ExitCode> {
  return withSession('change', async (session) => {
    const printDelivery = await deliveryPrinter()
    for (const { id } of await deliveriesOf(session, words)) {
      printDelivery(await change(session, id))
    }
  })
}

function setPinned(words: readonly DeliveryRef[], pinned: boolean): Promise<ExitCode> {
  return changeEach(words, (session, id) => session.call('deliveries.annotate', { id, pinned }))
}

/** `12,13,latest` */
function deliveryList(text: string): DeliveryRef[] {
  return text.split(',').map(deliveryId)
}

/** The filter; null if deliveries are named by their IDs. Throws `UsageError` for both or neither. */
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

/** Throws `not_found` if one does not exist or nothing matches. */
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

/** Those of the service first, then those of the tunnel or proxies with their claims. */
function headersText(id: number, checks: readonly HeaderCheck[], claims: string[]): string {
  const added = checks.filter(({ source }) => source === 'proxy')
  return [
    `Headers of delivery ${id}. Only the body is signed: a valid signature proves nothing about the headers.`,
    '',
    ...checks.filter(({ source }) => source !== 'proxy').map(headerText),
    ...(added.length > 0
      ? ['', 'Added by a tunnel or proxy, not by the service:', '']
      : claims.length > 0
        ? ['']
        : []),
    ...claims,
    ...added.map(headerText),
  ].join('\n')
}

function headerText(check: HeaderCheck): string {
  const { name, value, matches, expected, note, meaning } = check
  return [
    `${markOf(check)}  ${colored('cyan', escapeControls(name))}${value === null ? '' : `: ${escapeControls(value)}`}`,
    ...(matches === true ? [] : detail('expected  ', expected)),
    ...detail('', note),
    ...detail('means     ', meaning),
  ].join('\n')
}

function detail(label: string, text: string | null): string[] {
  return text === null ? [] : [`               ${label}${escapeControls(text)}`]
}

function markOf({ index, matches }: HeaderCheck): string {
  if (index === null) return colored('red', '✗ missing    ')
  if (matches === null) return colored('gray', '– not checked')
  return matches ? colored('green', '✓ matches    ') : colored('red', '✗ differs    ')
}
