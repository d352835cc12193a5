import { eventLogVersion, LogHead } from '#contract/event-log.ts'
import type { JsonObject } from '../../capture/json-object.ts'
import { AppError } from '../../errors.ts'
import { whyNot } from './read-line.ts'
import { tooNew } from './too-new.ts'

/** One step from a version to the next. Published ones are never edited. */
export interface Upgrade {
  /** The version that it reads; it writes the next. */
  readonly from: number
  /** Begins a log; what it returns is given each line in turn, the head first. Null: the line is no more. */
  readonly begin: () => (line: JsonObject) => JsonObject | null
}

/** In order, one file each. Version 1 is the first. */
const upgrades: readonly Upgrade[] = []

/** All steps from a version to the one that is written now, as one. */
export function upgradeFrom(
  version: number,
  list: readonly Upgrade[] = upgrades,
  to = eventLogVersion,
): (line: JsonObject) => JsonObject | null {
  const steps = list
    .filter(({ from }) => from >= version && from < to)
    .toSorted((a, b) => a.from - b.from)
    .map((step) => step.begin())
  return (line) => {
    let upgraded: JsonObject | null = line
    for (const step of steps) upgraded = upgraded && step(upgraded)
    return upgraded
  }
}

/** How a log begins. */
export interface ReadHead {
  readonly head: LogHead
  /** As it stood in the file. */
  readonly version: number
  /** For the lines that follow; null: they are of the version that is written now. */
  readonly upgrade: ((line: JsonObject) => JsonObject | null) | null
}

/** Throws `log_unreadable` for what is no head, `log_too_new` for one of a version that is not known here. */
export function readHead(value: JsonObject): ReadHead {
  const { version } = value
  if (value['kind'] !== 'head' || value['format'] !== 'tabscope-event-log') {
    throw new AppError(
      'log_unreadable',
      'The file is JSON, but its first line is not the head of an event log. Choose a file that Tabscope has written as "Event log" (ndjson), or a HAR file.',
    )
  }
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw new AppError(
      'log_unreadable',
      'The head of the event log names no version. Export it anew where it comes from.',
    )
  }
  if (version > eventLogVersion) throw tooNew(version)
  const upgrade = version === eventLogVersion ? null : upgradeFrom(version)
  const head = LogHead.safeParse(upgrade ? upgrade(value) : value)
  if (head.success) return { head: head.data, version, upgrade }
  throw new AppError(
    'log_unreadable',
    `The head of the event log cannot be read: ${whyNot(head.error)}. Export it anew where it comes from.`,
  )
}
