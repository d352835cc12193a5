import type { AttemptSummary } from '#contract/sending.ts'
import type { SettledItem } from './attempt-rows.ts'
import type { AttemptFields } from './attempt-rows.ts'
import { summaryFields } from './attempt-rows.ts'

export interface AttemptGroup {
  readonly attempts: readonly AttemptFields[]
  readonly settled: readonly SettledItem[]
}

/**
 * A group of attempts for the transfer to the writer thread: two texts, and the bodies separately. Transferring hundreds of objects would take both
 * threads twice as long.
 */
export interface PackedGroup {
  /** `PackedAttempts` as JSON. */
  readonly text: string
  /** The records, one per line. */
  readonly records: string
  readonly bodies: readonly PackedBodies[]
}

/** The bodies of an attempt. Most attempts have none. */
interface PackedBodies {
  /** The index of the attempt in its group. */
  readonly index: number
  readonly requestBody: Uint8Array | null
  readonly answerBody: Uint8Array | null
}

/** The result for each attempt. The sender has the other fields already. */
export interface PackedRows {
  /** Null: its delivery was deleted. */
  readonly ids: readonly (number | null)[]
  readonly verdicts: readonly AttemptSummary['verdict'][]
  readonly previousIds: readonly (number | null)[]
}

/** The fields that are mostly equal for consecutive attempts. */
type Shared = Omit<AttemptFields, keyof Own | 'record' | 'requestBody' | 'answerBody'>
type Own = Pick<
  AttemptFields,
  'deliveryId' | 'position' | 'at' | 'took' | 'requestBytes' | 'answerBytes'
>
type OwnValues = readonly [
  shared: number,
  deliveryId: number | null,
  position: number | null,
  at: number,
  took: number,
  requestBytes: number,
  answerBytes: number,
]

interface PackedAttempts {
  readonly shared: readonly Shared[]
  readonly attempts: readonly OwnValues[]
  readonly settled: readonly SettledItem[]
}

export function packGroup({ attempts, settled }: AttemptGroup): PackedGroup {
  const shared: Shared[] = []
  const bodies: PackedBodies[] = []
  const own: OwnValues[] = []
  let records = ''
  let last: AttemptFields | null = null
  for (const [index, fields] of attempts.entries()) {
    if (!last || !isAlike(last, fields)) shared.push(sharedOf(fields))
    last = fields
    const { deliveryId, position, at, took, requestBytes, answerBytes } = fields
    own.push([shared.length - 1, deliveryId, position, at, took, requestBytes, answerBytes])
    records += index === 0 ? fields.record : `\n${fields.record}`
    const { requestBody, answerBody } = fields
    if (requestBody ?? answerBody) bodies.push({ index, requestBody, answerBody })
  }
  const packed: PackedAttempts = { shared, attempts: own, settled }
  return { text: JSON.stringify(packed), records, bodies }
}

export function unpackGroup({ text, records, bodies }: PackedGroup): AttemptGroup {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- created by `packGroup` in the same program
  const { shared, attempts, settled } = JSON.parse(text) as PackedAttempts
  const lines = records.split('\n')
  let next = 0
  return {
    attempts: attempts.flatMap((values, index) => {
      const [sharedIndex, deliveryId, position, at, took, requestBytes, answerBytes] = values
      const common = shared[sharedIndex]
      if (!common) return []
      const own = bodies[next]?.index === index ? bodies[next++] : undefined
      return {
        ...common,
        deliveryId,
        position,
        at,
        took,
        requestBytes,
        answerBytes,
        record: lines[index] ?? '',
        requestBody: own?.requestBody ?? null,
        answerBody: own?.answerBody ?? null,
      }
    }),
    settled,
  }
}

function sharedOf(fields: AttemptFields): Shared {
  return {
    draftId: fields.draftId,
    jobId: fields.jobId,
    forwardId: fields.forwardId,
    kind: fields.kind,
    method: fields.method,
    url: fields.url,
    status: fields.status,
    error: fields.error,
    edited: fields.edited,
    bodyEdited: fields.bodyEdited,
    signing: fields.signing,
    secretName: fields.secretName,
    tryNumber: fields.tryNumber,
  }
}

function isAlike(one: Shared, other: Shared): boolean {
  return (
    one.url === other.url &&
    one.status === other.status &&
    one.error === other.error &&
    one.method === other.method &&
    one.jobId === other.jobId &&
    one.forwardId === other.forwardId &&
    one.draftId === other.draftId &&
    one.kind === other.kind &&
    one.edited === other.edited &&
    one.bodyEdited === other.bodyEdited &&
    one.signing === other.signing &&
    one.secretName === other.secretName &&
    one.tryNumber === other.tryNumber
  )
}

export function packRows(rows: readonly (AttemptSummary | null)[]): PackedRows {
  return {
    ids: rows.map((row) => row?.id ?? null),
    verdicts: rows.map((row) => row?.verdict ?? null),
    previousIds: rows.map((row) => row?.previousId ?? null),
  }
}

/** The stored summary of an attempt, by its index in the group; null: its delivery was deleted. */
export function unpackRow(
  fields: AttemptFields,
  { ids, verdicts, previousIds }: PackedRows,
  index: number,
): AttemptSummary | null {
  const id = ids[index] ?? null
  if (id === null) return null
  const verdict = verdicts[index] ?? null
  return { id, ...summaryFields(fields), verdict, previousId: previousIds[index] ?? null }
}
