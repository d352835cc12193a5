import { AppError } from '../platform/errors.ts'
import type {
  Arrival,
  Cause,
  Delivery,
  DeliverySummary,
  Facts,
  FindingData,
  Header,
} from '#contract/models.ts'
import { fromTuples, type FindingDifference, type FindingTuple } from './finding-lists.ts'
import { isFailure } from '#catalogue/outcome.ts'
import { verdicts } from '#contract/constants.ts'

// Values written by this store are not validated again with schemas, because even the shortest commands load this file.

function tabSql(column: string, of: string): string {
  return `(SELECT o.${column} FROM delivery AS o INDEXED BY delivery_tab_named
    WHERE o.tab_id = ${of}.tab_id AND o.tab_name IS NOT NULL ORDER BY o.id DESC LIMIT 1)`
}

/** What a row is about, from it or from other deliveries of its tab or guest. `of`: the name of `delivery` in the statement. */
export const known = {
  spot: (of: string) => `coalesce(${of}.spot, ${tabSql('spot', of)})`,
  tab: (of: string) => `coalesce(${of}.tab_name, ${tabSql('tab_name', of)})`,
  guest: (of: string) =>
    `coalesce(${of}.guest_name, (SELECT o.guest_name FROM delivery AS o INDEXED BY delivery_guest_named
    WHERE o.guest_id = ${of}.guest_id AND o.guest_name IS NOT NULL ORDER BY o.id DESC LIMIT 1))`,
} as const

const factsSql = `${known.spot('delivery')} AS known_spot, ${known.tab('delivery')} AS known_tab, ${known.guest('delivery')} AS known_guest,
  CASE WHEN delivery.type = 'CLOSE_TAB' THEN ${tabSql('created_ms', 'delivery')} END AS opened_ms`

const rowsSql = (repeats: string): string =>
  `SELECT delivery.*, (SELECT finding_list.findings FROM finding_list WHERE finding_list.id = finding_list_id) AS finding_list,${factsSql},
   ${repeats} FROM delivery`

export const selectRowsSql = rowsSql(
  `(SELECT first_id FROM delivery_repeat WHERE delivery_repeat.id = delivery.id) AS repeats_id,
   (SELECT criterion FROM delivery_repeat WHERE delivery_repeat.id = delivery.id) AS repeats_by`,
)

/** Without the tables of the search index. */
export const selectUnindexedSql = rowsSql('NULL AS repeats_id, NULL AS repeats_by')

interface FactsRow {
  readonly known_spot: string | null
  readonly zone: string | null
  readonly amount: number | null
  readonly items: string | null
  readonly tab_id: string | null
  readonly known_tab: string | null
  readonly order_id: string | null
  readonly order_name: string | null
  readonly guest_id: string | null
  readonly known_guest: string | null
  /** When the tab of a closed one was created. */
  readonly opened_ms: number | null
}

export interface DeliveryRow extends FactsRow {
  readonly id: number
  readonly received_us: number
  readonly responded_us: number | null
  readonly method: string
  readonly path: string
  readonly endpoint_id: number | null
  readonly type: string | null
  readonly title: string
  readonly target: string | null
  readonly location_name: string | null
  readonly created_ms: number | null
  readonly verdict: string
  readonly findings: string | null
  readonly finding_list: string | null
  readonly causes: string | null
  readonly status: number | null
  readonly bytes: number
  readonly sha256: Uint8Array
  readonly arrival: string
  readonly pinned: number
  readonly tags: string | null
  readonly noted: number
  readonly repeats_id: number | null
  readonly repeats_by: string | null
  readonly sent_by: string | null
  readonly responded_by: string | null
  readonly via: string | null
  /** When the delivery was received; null: it was never checked again. */
  readonly arrival_verdict: string | null
  readonly rechecked_us: number | null
  /** Which secret made the new verdict `valid`. */
  readonly recheck_secret_name: string | null
  /** Status of the last send; 0: there was no response. */
  readonly sent: number | null
}

const arrivals: readonly Arrival[] = ['complete', 'too_large', 'cut_off', 'malformed']

/** Throws `store_failed` for a row whose values were altered on the disk. */
export function toSummary(row: DeliveryRow): DeliverySummary {
  try {
    return decoded(row)
  } catch (error) {
    throw damagedDelivery(row.id, error)
  }
}

/** SQLite does not notice a changed byte within a value. */
export function damagedDelivery(id: number, cause?: unknown): AppError {
  return new AppError(
    'store_failed',
    `Delivery ${id} was altered on the disk: the store is damaged. Restart Tabscope: it checks all deliveries, and keeps those that are intact.`,
    { details: { damaged: true }, cause },
  )
}

function decoded(row: DeliveryRow): DeliverySummary {
  return {
    id: row.id,
    receivedAt: row.received_us / 1000,
    method: row.method,
    path: row.path,
    endpointId: row.endpoint_id,
    type: row.type,
    title: row.title,
    facts: factsOfRow(row),
    target: row.target,
    locationName: row.location_name,
    createdAt: row.created_ms,
    verdict: oneOf(verdicts, row.verdict),
    ...(row.arrival_verdict === null
      ? {}
      : {
          recheck: {
            at: (row.rechecked_us ?? 0) / 1000,
            verdictAtArrival: oneOf(verdicts, row.arrival_verdict),
          },
        }),
    causes: causesOf(row),
    findings: findingsOf(row),
    status: row.status,
    responseMs: row.responded_us === null ? null : row.responded_us / 1000,
    bytes: row.bytes,
    sha256: hexOf(row.sha256),
    arrival: oneOf(arrivals, row.arrival),
    pinned: row.pinned === 1,
    tags: tagsOf(row.tags),
    noted: row.noted === 1,
    duplicateOf:
      row.repeats_id === null
        ? null
        : { id: row.repeats_id, by: oneOf(['body', 'event'], row.repeats_by) },
    sentBy: row.sent_by === null ? null : oneOf(['forward', 'send'], row.sent_by),
    respondedBy:
      row.responded_by === null ? null : oneOf(['rule', 'target', 'hold'], row.responded_by),
    lastAttempt: row.sent === null ? null : { status: row.sent === 0 ? null : row.sent },
  }
}

function named(id: string | null, name: string | null): Facts['tab'] {
  return id === null ? null : { id, name }
}

function factsOfRow(row: FactsRow): Facts | null {
  const { known_spot: spot, zone, amount, items } = row
  const tab = named(row.tab_id, row.known_tab)
  const order = named(row.order_id, row.order_name)
  const guest = named(row.guest_id, row.known_guest)
  if ((spot ?? zone ?? amount ?? items ?? tab ?? order ?? guest) === null) return null
  return {
    spot,
    zone,
    amount,
    items: items === null ? [] : items.split('\n'),
    tab,
    order,
    guest,
    openedAt: row.opened_ms,
  }
}

export function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}

export function digestOf(sha256: string): Buffer {
  return Buffer.from(sha256, 'hex')
}

/** As `isFailure`, and as in the index `delivery_undiagnosed`. */
export const failureSql =
  "(verdict = 'invalid' OR verdict = 'missing' OR (verdict = 'valid' AND sent >= 300))"

export function viaOf(via: string | null): Delivery['via'] {
  return via === null ? null : oneOf(['tunnel', 'relay'], via)
}

function causesOf({ causes, verdict, sent }: DeliveryRow): Cause[] | null {
  if (!isFailure(verdict, sent)) return []
  const found: Cause[] | null = causes === null ? null : JSON.parse(causes)
  return found
}

function findingsOf({ findings, finding_list: list }: DeliveryRow): FindingData[] {
  if (findings === null || list === null) return []
  const tuples: FindingTuple[] = JSON.parse(list)
  const differences: FindingDifference[] = JSON.parse(findings)
  return fromTuples(tuples, differences)
}

function tagsOf(json: string | null): string[] {
  const tags: string[] = json === null ? [] : JSON.parse(json)
  return tags
}

/** Throws if the store contains a value that this version does not know. */
function oneOf<const T extends string>(known: readonly T[], value: string | null): T {
  const found = known.find((each) => each === value)
  if (found === undefined) throw new TypeError(`The store holds an unknown value: ${value}.`)
  return found
}

/** `atArrival`: the secret that made the verdict `valid` when the delivery was received. */
export function secretNameOf(row: DeliveryRow, atArrival: string | null): string | null {
  return row.arrival_verdict === null ? atArrival : row.recheck_secret_name
}

export function toHeaders(joined: string): Header[] {
  if (joined === '') return []
  const parts = joined.split('\n')
  const headers: Header[] = []
  for (let i = 0; i < parts.length; i += 2) headers.push([parts[i] ?? '', parts[i + 1] ?? ''])
  return headers
}

/** Of `delivery_content`: the size that counts for the limits. */
export const contentBytesSql = 'length(headers) + length(body)'
