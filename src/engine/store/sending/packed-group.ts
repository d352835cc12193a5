import type { AttemptSummary } from '#contract/sending.ts'
import type { AttemptFields, SettledItem } from '../send-writes.ts'
import { summaryFields } from './attempt-rows.ts'

export interface AttemptGroup {
  readonly attempts: readonly AttemptFields[]
  readonly settled: readonly SettledItem[]
}

/**
 * A group of attempts on its way to the writer thread: one text, and the bodies beside it. As objects, hundreds of small lists of headers,
 * both threads would spend twice the time on it.
 */
export interface PackedGroup {
  readonly text: string
  /** Of the request and of the answer, in turns. */
  readonly bodies: readonly (Uint8Array | null)[]
}

/** What became of each; the rest of it the sender has. */
export interface PackedRows {
  /** Null: its delivery was gone. */
  readonly ids: readonly (number | null)[]
  readonly verdicts: readonly AttemptSummary['verdict'][]
  readonly previousIds: readonly (number | null)[]
}

export function packGroup({ attempts, settled }: AttemptGroup): PackedGroup {
  const bare = attempts.map((fields) => ({ ...fields, requestBody: null, answerBody: null }))
  return {
    text: JSON.stringify({ attempts: bare, settled }),
    bodies: attempts.flatMap(({ requestBody, answerBody }) => [requestBody, answerBody]),
  }
}

export function unpackGroup({ text, bodies }: PackedGroup): AttemptGroup {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `packGroup` gave, in the same program
  const { attempts, settled } = JSON.parse(text) as AttemptGroup
  return {
    attempts: attempts.map((fields, index) => ({
      ...fields,
      requestBody: bodies[index * 2] ?? null,
      answerBody: bodies[index * 2 + 1] ?? null,
    })),
    settled,
  }
}

export function packRows(rows: readonly (AttemptSummary | null)[]): PackedRows {
  return {
    ids: rows.map((row) => row?.id ?? null),
    verdicts: rows.map((row) => row?.verdict ?? null),
    previousIds: rows.map((row) => row?.previousId ?? null),
  }
}

/** The summaries, as the store has them. */
export function unpackRows(
  attempts: readonly AttemptFields[],
  { ids, verdicts, previousIds }: PackedRows,
): (AttemptSummary | null)[] {
  return attempts.map((fields, index) => {
    const id = ids[index] ?? null
    if (id === null) return null
    const verdict = verdicts[index] ?? null
    return { id, ...summaryFields(fields), verdict, previousId: previousIds[index] ?? null }
  })
}
