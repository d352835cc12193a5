import type { LogHead } from '#contract/event-log.ts'
import type { FormatEnv } from '../../format.ts'
import type { LogItem } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { removedSentence } from '../redaction-summary.ts'
import { type Replay, replayOf } from './replay.ts'
import { AppError } from '../../../errors.ts'
import { faultOfAddress } from '../../../http/request-head.ts'

/** How one tool is told to send. */
export interface Dialect {
  /** A line that does nothing, whatever is in the text. */
  readonly comment: (text: string) => string
  /** The first lines. */
  readonly opening: readonly string[]
  /** How it is run and what it needs, as sentences. */
  readonly usage: readonly string[]
  /** Stands before the first request. */
  readonly prologue: string
  /** Beside what a URI may hold as it is: what this tool sends as it is. */
  readonly pathCharacters: string
  /** Why this tool cannot send it, as a sentence; null: it can. */
  readonly fault: (replay: Replay) => string | null
  /** What this tool changes, as sentences. */
  readonly remarks: (replay: Replay) => readonly string[]
  readonly request: (replay: Replay) => Iterable<string>
}

/** A script that sends each delivery again, in order, whatever became of the one before. What cannot be sent is a comment that says why. */
export function* writeScript(
  dialect: Dialect,
  head: LogHead,
  items: Iterable<LogItem>,
  { target, removed }: FormatEnv,
): Generator<string, void, undefined> {
  const base = baseAddress(target)
  const said = (texts: readonly string[]): string =>
    texts.map((text) => `${dialect.comment(text)}\n`).join('')
  yield [...dialect.opening, ''].join('\n')
  yield said([
    `Deliveries of a Tabscope event log, to be sent to ${base}`,
    ...dialect.usage,
    ...(head.redaction.note === '' ? [] : [head.redaction.note]),
  ])
  yield dialect.prologue
  for (const item of items) {
    if (item.kind !== 'delivery') continue
    const { fields } = item.delivery
    const replay = replayOf(item.delivery, base, dialect.pathCharacters)
    const fault = replay.fault ?? dialect.fault(replay)
    const type = fields.type ?? 'no type'
    yield `\n${said([
      `Delivery ${fields.id}: ${type}, verdict ${fields.verdict}, received ${isoTime(fields.receivedAt)}`,
      ...replay.remarks,
      ...(fault === null ? dialect.remarks(replay) : [`Not sent. ${fault}`]),
    ])}`
    if (fault === null) yield* dialect.request(replay)
  }
  const taken = removedSentence(removed())
  if (taken !== '') yield `\n${said([taken])}`
}

/** Origin and path that the paths of deliveries are put behind, without a slash at the end. Throws `bad_input`. */
function baseAddress(target: string): string {
  if (!URL.canParse(target)) {
    throw new AppError('bad_input', 'The target is no address. Begin it with http:// or https://.')
  }
  const url = new URL(target)
  const fault = faultOfAddress(url)
  if (fault) throw new AppError('bad_input', fault)
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}
