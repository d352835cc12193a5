import {
  answeredSizeBound,
  answersSizeBound,
  deliverySizeBound,
  writeAnswered,
  writeAnswers,
  writeDelivery,
  type AnsweredRecord,
  type AnswersRecord,
} from './journal-format.ts'
import type { Pending } from './pending.ts'

/** What goes to the journal in one write. */
export interface GroupRecords {
  /** Late answers to deliveries of earlier groups. */
  readonly late: readonly AnsweredRecord[]
  /** Of the group before; null: there is none that is answered now. */
  readonly answers: AnswersRecord | null
  readonly pending: readonly Pending[]
  readonly firstId: number
}

/** Kept between groups; a group that needs more gets a buffer of its own, which is then let go. */
const arenaBytes = 1024 * 1024
const arena = Buffer.allocUnsafe(arenaBytes)

/** The bytes of all of it, and where the answers end in them. They hold until the next call. */
export function encodeGroup({ late, answers, pending, firstId }: GroupRecords): {
  bytes: Uint8Array
  answersEnd: number
} {
  const texts = pending.map(({ meta }, index) => {
    meta[0] = firstId + index
    return JSON.stringify(meta)
  })
  let bound = answers ? answersSizeBound(answers) : 0
  for (const record of late) bound += answeredSizeBound(record)
  for (const [index, { headers, trailers, arrived }] of pending.entries()) {
    bound += deliverySizeBound(texts[index] ?? '', headers, trailers, arrived.body)
  }
  const buffer = bound <= arenaBytes ? arena : Buffer.allocUnsafe(bound)
  let at = 0
  for (const record of late) at = writeAnswered(buffer, at, record)
  if (answers) at = writeAnswers(buffer, at, answers)
  const answersEnd = at
  for (const [index, { headers, trailers, arrived }] of pending.entries()) {
    at = writeDelivery(buffer, at, texts[index] ?? '', headers, trailers, arrived.body)
  }
  return { bytes: buffer.subarray(0, at), answersEnd }
}
