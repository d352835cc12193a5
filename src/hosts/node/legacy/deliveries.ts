import { readClaims } from '#contract/forwarded.ts'
import { tellClaims } from '#contract/forwarded-words.ts'
import { deliveryOutput, deliveryLine } from '../delivery-line.ts'
import { deliveryDetail } from '../delivery-detail.ts'
import type { Page } from '#engine/search/search.ts'
import { filterOf, needsIndex } from '../filter-option.ts'
import { folderOf, idOf, parse, wholeNumber } from '../options.ts'
import { say, writeBytes, writeJson, writeLine } from '../output.ts'
import { counted } from '../text.ts'
import { openForReading, type Reading } from '../reading.ts'
import { openLogForReading } from '../log-reading.ts'
import { UsageError } from '../usage-error.ts'
import { note, pin, tag } from './annotate.ts'
import { attempts } from './deliveries-attempts.ts'
import { headers } from './delivery-headers.ts'
import { diagnose } from './deliveries-diagnose.ts'
import { recheck } from './deliveries-recheck.ts'
import { related, trace } from './deliveries-trace.ts'

/** What can be done with what is in the store, whether Tabscope runs or not. */
const verbs: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  list,
  show,
  headers,
  attempts,
  note,
  tag,
  pin: (args) => pin(args, true),
  unpin: (args) => pin(args, false),
  trace,
  related,
  diagnose,
  recheck,
}

export async function deliveries([verb, ...args]: string[]): Promise<number> {
  const run = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (run) return run(args)
  throw new UsageError(`deliveries needs one of: ${Object.keys(verbs).join(', ')}.`)
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {
    filter: { type: 'string' },
    limit: { type: 'string' },
    log: { type: 'string' },
  })
  const limit = wholeNumber('limit', values.limit, 1, 10_000_000) ?? 50
  const filter = filterOf(values.filter)
  await using store = await openOne(values, needsIndex(filter))
  const asOf = Date.now()
  let upTo: number | null = null
  let told = 0
  for (let offset = 0; offset < limit;) {
    const page: Page = await store.page({
      filter,
      upTo,
      asOf,
      offset,
      limit: Math.min(500, limit - offset),
    })
    for (const row of page.rows) {
      if (values.json) writeJson(deliveryOutput(row))
      else writeLine(deliveryLine(row))
    }
    if (page.rows.length === 0 && page.complete) break
    offset += page.rows.length
    told = offset
    upTo = page.upTo
    if (told >= limit && page.complete && page.total > told) {
      say(`${told} of ${counted(page.total, 'delivery', 'deliveries')}. Use --limit N for more.`)
    }
  }
  if (told === 0 && !values.json) {
    say(values.filter === undefined ? 'There is no delivery yet.' : 'No delivery fits the filter.')
  }
  return 0
}

async function show(args: string[]): Promise<number> {
  const { values, positionals } = parse(
    args,
    { body: { type: 'boolean' }, log: { type: 'string' } },
    1,
  )
  const id = idOf('deliveries show needs the ID of a delivery.', positionals[0])
  await using store = await openOne(values)
  if (values.body) {
    await writeBytes(await store.body(id))
    return 0
  }
  const delivery = await store.delivery(id)
  if (values.json) {
    const claims = tellClaims(readClaims(delivery.headers), delivery.via)
    writeJson({ ...deliveryOutput(delivery), ...delivery, claims, event: 'delivery' })
  } else writeLine(deliveryDetail(delivery, await store.body(id)))
  return 0
}

/** The live store, or the log that `--log` names. */
function openOne(
  values: Parameters<typeof folderOf>[0] & { readonly log?: string | undefined },
  indexed = false,
): Promise<Reading> {
  const folder = folderOf(values)
  return values.log === undefined
    ? openForReading(folder, indexed)
    : openLogForReading(folder, values.log)
}
