import { deliveryEvent, deliveryLine } from '../delivery-line.ts'
import type { Page } from '#engine/search/search.ts'
import { filterOf, needsIndex } from '../filter-option.ts'
import { folderOf, idOf, parse, wholeNumber } from '../options.ts'
import { say, writeBytes, writeJson, writeLine } from '../output.ts'
import { counted } from '../text.ts'
import { openForReading, type Reading } from '../reading.ts'
import { UsageError } from '../usage-error.ts'

/** What can be done with what is in the store, whether Tabscope runs or not. */
const verbs: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  list,
  show,
  headers: async (args) => (await import('./delivery-headers.ts')).headers(args),
  attempts: async (args) => (await import('./deliveries-attempts.ts')).attempts(args),
  note: async (args) => (await import('./annotate.ts')).note(args),
  tag: async (args) => (await import('./annotate.ts')).tag(args),
  pin: async (args) => (await import('./annotate.ts')).pin(args, true),
  unpin: async (args) => (await import('./annotate.ts')).pin(args, false),
  trace: async (args) => (await import('./deliveries-trace.ts')).trace(args),
  related: async (args) => (await import('./deliveries-trace.ts')).related(args),
  diagnose: async (args) => (await import('./deliveries-diagnose.ts')).diagnose(args),
  recheck: async (args) => (await import('./deliveries-recheck.ts')).recheck(args),
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
      if (values.json) writeJson(deliveryEvent(row))
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
  const { deliveryDetail } = await import('../delivery-detail.ts')
  if (values.json) {
    const { readClaims } = await import('#contract/forwarded.ts')
    const { tellClaims } = await import('#contract/forwarded-words.ts')
    const claims = tellClaims(readClaims(delivery.headers), delivery.via)
    writeJson({ ...deliveryEvent(delivery), ...delivery, claims, event: 'delivery' })
  } else writeLine(deliveryDetail(delivery, await store.body(id)))
  return 0
}

/** The live store, or the log that `--log` names. */
async function openOne(
  values: Parameters<typeof folderOf>[0] & { readonly log?: string | undefined },
  indexed = false,
): Promise<Reading> {
  const folder = folderOf(values)
  if (values.log === undefined) return openForReading(folder, indexed)
  const { openLogForReading } = await import('../log-reading.ts')
  return openLogForReading(folder, values.log)
}
