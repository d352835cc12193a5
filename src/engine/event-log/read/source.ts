import {
  LogEnd,
  type LogEndpoint,
  LogHead,
  type LogIntegration,
  type LogRun,
  type LogToken,
} from '#contract/event-log.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import { type Db, prepare } from '../../store/driver.ts'
import type { LogItem } from '../items.ts'
import { createDeliveriesReader } from './deliveries.ts'
import { openSelection } from './selection.ts'
import { field } from '#catalogue/payload.ts'
import { verdicts } from '#contract/verdicts.ts'
import { parseBody } from '../../capture/parse-body.ts'
import { blockOf, firstOf, lastOf } from '../../search/scan.ts'
import { readStats } from '../../store/deliveries.ts'
import { readEndpoints } from '../../store/endpoints.ts'
import { readIntegrations } from '../../store/integrations.ts'
import { countRuns, readRunsAfter } from '../../store/runs.ts'
import { readTokens } from '../../store/tokens.ts'

/** Records of one read: each holds whole exchanges. */
const readRuns = 8

/** Integrations, endpoints, tokens and runs, each by their ids. Never a secret, never a token: what seals them stays where it is. */
function* readAuthorization(
  db: Db,
): Generator<LogIntegration | LogEndpoint | LogToken | LogRun, void, undefined> {
  for (const { id, name, kind, brand, baseUrl } of readIntegrations(db)) {
    yield { kind: 'integration', id, name, brand, baseUrl, sandbox: kind === 'sandbox' }
  }
  for (const endpoint of readEndpoints(db)) {
    const { id, integrationId, name, slug, applicationId, customHeaders } = endpoint
    yield {
      kind: 'endpoint',
      id,
      integrationId,
      name,
      slug,
      applicationId,
      customHeaders: [...customHeaders],
    }
  }
  for (const token of readTokens(db)) {
    yield {
      kind: 'token',
      id: token.id,
      integrationId: token.integrationId,
      label: token.label,
      initiated: token.initiated,
      expires: token.expires,
      expiresIn: token.expiresIn,
      obtainedAt: token.obtainedAt,
      version: token.version,
      standing: token.standing,
      findings: [...token.findings],
      events: [...token.events],
    }
  }
  for (let after = 0; ;) {
    const runs = readRunsAfter(db, after, readRuns)
    for (const run of runs) yield { kind: 'run', run }
    const last = runs.at(-1)
    if (!last) return
    after = last.id
  }
}

/** How many there are of each. */
function countAuthorization(db: Db): {
  integrations: number
  endpoints: number
  tokens: number
  runs: number
} {
  return {
    integrations: readIntegrations(db).length,
    endpoints: readEndpoints(db).length,
    tokens: readTokens(db).length,
    runs: countRuns(db),
  }
}

/** So many are kept in mind, at most: memory must not grow with the store. */
const mostHandles = 100_000
/** What carries a guest's handle is small. */
const bodyLimit = 64 * 1024

/** Types whose `data.handle` is how a guest can be reached: phone number or e-mail address (SPEC, "Guests"). */
const guestTypes = ['GUEST_SUBSCRIBED', 'GUEST_UNSUBSCRIBED'] as const

function list(values: readonly string[]): string {
  return values.map((each) => `'${each}'`).join(', ')
}

/**
 * Handles of guests, those of the newest deliveries first, each once. A block of ids at a time, by the index over types, so that a store
 * without guests is looked through in an instant.
 */
function* readHandles(db: Db): Generator<string, void, undefined> {
  const find = prepare<[number, number], number>(
    db,
    `SELECT id FROM delivery INDEXED BY delivery_by_type
     WHERE type IN (${list(guestTypes)}) AND verdict IN (${list(verdicts)}) AND id BETWEEN ? AND ?
     ORDER BY id DESC`,
  ).pluck()
  const bodyOf = prepare<[number, number], Uint8Array | null>(
    db,
    'SELECT body FROM delivery_content WHERE id = ? AND length(body) <= ?',
  ).pluck()
  const told = new Set<string>()
  for (let block = blockOf(readStats(db).newestId); block >= 0; block -= 1) {
    for (const id of find.all(firstOf(block), lastOf(block))) {
      const parsed = parseBody(bodyOf.get(id, bodyLimit) ?? new Uint8Array())
      const handle = parsed.kind === 'object' ? field(parsed.payload.data, 'handle') : undefined
      if (typeof handle !== 'string' || handle.trim() === '' || told.has(handle)) continue
      told.add(handle)
      yield handle
      if (told.size >= mostHandles) return
    }
  }
}

/** What is read of a store, or of an imported log, for an export. */
export interface LogSource {
  readonly scope: LogHead['scope']
  /** The head and the end of the imported log that this is the whole of; null: it is the live store, or a part. */
  readonly origin: { readonly head: LogHead; readonly end: LogEnd | null } | null
  /** What is asked for cannot be told without the search index. */
  readonly needsIndex: boolean
  /** What was taken out of an imported log before it came here, of all of it and of each part; null: it does not say, or is the live store. */
  readonly redaction: LogHead['redaction'] | null
  /** How many deliveries the search index has still to take in: what they repeat is not known before. */
  behind(): number
  /** Counts in steps, for whoever has something else to do in between; yields how many it has found so far. */
  counting(): Generator<number, void, undefined>
  /** Counted at once where that was not done before. */
  readonly counts: LogHead['counts']
  /** In the order of a log. Each call begins anew. `step` is called again and again, also while nothing is found, and may throw. */
  items(step?: () => void): Generator<LogItem, void, undefined>
  /** Handles of guests in the whole store, for the redaction. */
  handles(): Iterable<string>
}

/**
 * Over a read-only connection. `asOf`: what `since:2h` counts from, in milliseconds since the epoch. Throws `bad_filter`, and `not_found`
 * where the delivery whose trace is asked for is gone.
 */
export function openLogSource(db: Db, what: LogWhat, parts: LogWith, asOf: number): LogSource {
  const selection = openSelection(db, what, asOf)
  const origin = readOrigin(db)
  const none = { integrations: 0, endpoints: 0, tokens: 0, runs: 0 }
  const others = parts.authorization ? countAuthorization(db) : none
  let counted: number | null = null

  function* counting(): Generator<number, void, undefined> {
    if (counted !== null) return
    let found = 0
    if (selection.all !== null) found = selection.all
    else {
      for (const ids of selection.ids()) {
        found += ids.length
        yield found
      }
    }
    counted = found
  }

  return {
    scope: selection.all !== null && origin ? origin.head.scope : scopeOf(what),
    origin: selection.all === null ? null : origin,
    needsIndex: selection.needsIndex,
    redaction: origin?.head.redaction ?? null,
    behind: () => selection.behind(),
    counting,
    get counts() {
      // oxlint-disable-next-line no-empty -- what it yields is for those who wait
      for (const _ of counting()) {
      }
      return { deliveries: counted ?? 0, ...others }
    },
    *items(step) {
      if (parts.authorization) yield* readAuthorization(db)
      const read = createDeliveriesReader(db, parts)
      for (const ids of selection.ids()) {
        step?.()
        for (const delivery of read(ids)) yield { kind: 'delivery', delivery }
      }
    },
    handles: () => readHandles(db),
  }
}

function scopeOf({ filter, from, to, ids, traceOf }: LogWhat): LogHead['scope'] {
  return { filter, from, to, chosen: ids === null ? null : new Set(ids).size, traceOf }
}

/** What an imported log said of itself. */
function readOrigin(db: Db): LogSource['origin'] {
  const row = prepare<[], { head: string; end_line: string | null }>(
    db,
    'SELECT head, end_line FROM log_origin',
  ).get()
  const head = row && LogHead.safeParse(JSON.parse(row.head))
  if (!head?.success) return null
  const end = row?.end_line ? LogEnd.safeParse(JSON.parse(row.end_line)) : null
  return { head: head.data, end: end?.success ? end.data : null }
}
