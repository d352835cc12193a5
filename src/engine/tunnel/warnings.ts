import type { TunnelWarning } from '#contract/tunnel.ts'
import type { TunnelRecord } from './record.ts'

type Kind = TunnelWarning['kind']
type Warning<K extends Kind> = Extract<TunnelWarning, { kind: K }>

/** Another name was assigned than was asked for. Said until the user has seen it, or the name that was asked for is ours again. */
export function assignedOther(record: TunnelRecord, warning: Warning<'assigned'>): TunnelRecord {
  return raise(
    record,
    warning,
    (other) =>
      other.kind === 'assigned' && other.asked === warning.asked && other.got === warning.got,
  )
}

/** This name is ours: a warning that another one was assigned in its place has no point any more. */
export function assignedAsAsked(record: TunnelRecord, name: string): TunnelRecord {
  const standing = record.warnings.find(({ kind }) => kind === 'assigned')
  if (standing?.kind !== 'assigned' || standing.asked !== name) return record
  return without(record, 'assigned')
}

/** Whether the user still has to be told that another name was assigned than the one that is asked for. */
export function isAssignedOther({ warnings }: TunnelRecord): boolean {
  return warnings.some(({ kind }) => kind === 'assigned')
}

/** Holds the address of now (an origin) against the one that was copied last; `at` in milliseconds since the epoch. */
export function compareWithCopied(record: TunnelRecord, now: string, at: number): TunnelRecord {
  const old = record.copied
  if (old === null || old === now) return without(record, 'address_changed')
  return raise(
    record,
    { kind: 'address_changed', old, now, at },
    (other) => other.kind === 'address_changed' && other.old === old && other.now === now,
  )
}

/** The user has seen the warning: it goes, and what it says is not said again. */
export function dismiss(record: TunnelRecord, kind: Kind): TunnelRecord {
  const standing = record.warnings.find((warning) => warning.kind === kind)
  if (!standing) return record
  const seen = [...record.seen.filter((warning) => warning.kind !== kind), standing]
  return { ...without(record, kind), seen }
}

/** `says` tells which warnings say the same. */
function raise(
  record: TunnelRecord,
  warning: TunnelWarning,
  says: (other: TunnelWarning) => boolean,
): TunnelRecord {
  if (record.warnings.some(says)) return record
  const rest = without(record, warning.kind)
  if (record.seen.some(says)) return rest
  return { ...rest, warnings: [...rest.warnings, warning] }
}

function without(record: TunnelRecord, kind: Kind): TunnelRecord {
  if (!record.warnings.some((warning) => warning.kind === kind)) return record
  return { ...record, warnings: record.warnings.filter((warning) => warning.kind !== kind) }
}
