import type { TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/ports.ts'
import type { OpenTunnel } from './provider.ts'
import { nameFor, type StoredTunnel, type TunnelRecord, withName } from './record.ts'

/** What is remembered of the tunnel beyond a run of Tabscope. */
export class Memory {
  readonly #write: (stored: StoredTunnel) => Promise<void>
  readonly #clock: Clock
  readonly #log: Log
  readonly #changed: () => void
  #stored: StoredTunnel
  /** What was assigned to what is open now. */
  #assigned: { readonly wish: TunnelSetup; readonly name: string | null } | null = null

  constructor(
    initial: StoredTunnel,
    write: (stored: StoredTunnel) => Promise<void>,
    clock: Clock,
    log: Log,
    changed: () => void,
  ) {
    this.#stored = initial
    this.#write = write
    this.#clock = clock
    this.#log = log
    this.#changed = changed
  }

  get record(): TunnelRecord {
    return this.#stored.record
  }

  get wanted(): boolean {
    return this.#stored.wanted
  }

  nameFor(wish: TunnelSetup): string | null {
    return nameFor(this.record, wish)
  }

  /** There is to be one, by this setup from now on. */
  want(setup: TunnelSetup): void {
    this.#keep({ wanted: true, record: { ...this.record, setup } })
  }

  unwant(): void {
    this.#keep({ ...this.#stored, wanted: false })
  }

  /** The user has confirmed that this public server is used. */
  acceptServer(server: string): void {
    const acceptedServers = [...this.record.acceptedServers, server]
    this.#keep({ ...this.#stored, record: { ...this.record, acceptedServers } })
  }

  /** Rejects when it could not be stored. */
  async configure(setup: TunnelSetup): Promise<void> {
    this.#stored = { ...this.#stored, record: { ...this.record, setup } }
    this.#changed()
    await this.#write(this.#stored)
  }

  /** A tunnel was opened for this wish: under another name than was asked for, or at another address than the dashboard has? */
  opened({ url, asked, again }: OpenTunnel, wish: TunnelSetup): void {
    const at = this.#clock.now()
    const got = again ?? url
    this.#assigned = { wish, name: again }
    let { record } = this
    if (asked === null) {
      record = assignedAsAsked(record, got)
    } else {
      const by = Object.values(wish.options).includes(asked) ? 'user' : 'last_time'
      record = assignedOther(record, { kind: 'assigned', asked, got, by, at })
    }
    // While the user does not know that another name was assigned, the one that the dashboard may have is asked for again.
    if (asked === null || !isAssignedOther(record)) record = withName(record, wish, again)
    this.#keep({ ...this.#stored, record: compareWithCopied(record, url, at) })
  }

  /** The user has copied an address; `now`: the origin of the tunnel that is open. Throws `bad_input` for what is no address. */
  copied(address: string, now: string | null): void {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new AppError(
        'bad_input',
        'That is no public address: it begins with https:// or http://.',
      )
    }
    let record: TunnelRecord = { ...this.record, copied: url.origin }
    // Where none is open just now, the last one is what the warning speaks of.
    const warned = record.warnings.find(({ kind }) => kind === 'address_changed')
    const last = now ?? (warned?.kind === 'address_changed' ? warned.now : null)
    if (last !== null) record = compareWithCopied(record, last, this.#clock.now())
    if (url.origin === now) record = this.#accepted(record)
    this.#keep({ ...this.#stored, record })
  }

  dismiss(kind: TunnelWarning['kind']): void {
    const record = dismiss(this.record, kind)
    this.#keep({ ...this.#stored, record: kind === 'assigned' ? this.#accepted(record) : record })
  }

  /** The user knows the name of now: it is asked for the next time. */
  #accepted(record: TunnelRecord): TunnelRecord {
    const assigned = this.#assigned
    return assigned ? withName(record, assigned.wish, assigned.name) : record
  }

  #keep(stored: StoredTunnel): void {
    if (stored.record === this.record && stored.wanted === this.wanted) return
    this.#stored = stored
    this.#changed()
    this.#write(stored).catch(() => {
      // Without what the store said: it might repeat what was to be stored.
      this.#log.warn('the tunnel setting could not be stored; it applies to this run')
    })
  }
}

type Kind = TunnelWarning['kind']
type Warning<K extends Kind> = Extract<TunnelWarning, { kind: K }>

/** Another name was assigned than was asked for. Said until the user has seen it, or the name that was asked for is ours again. */
function assignedOther(record: TunnelRecord, warning: Warning<'assigned'>): TunnelRecord {
  return raise(
    record,
    warning,
    (other) =>
      other.kind === 'assigned' && other.asked === warning.asked && other.got === warning.got,
  )
}

/** This name is ours: a warning that another one was assigned in its place has no point any more. */
function assignedAsAsked(record: TunnelRecord, name: string): TunnelRecord {
  const standing = record.warnings.find(({ kind }) => kind === 'assigned')
  if (standing?.kind !== 'assigned' || standing.asked !== name) return record
  return without(record, 'assigned')
}

/** Whether the user still has to be told that another name was assigned than the one that is asked for. */
function isAssignedOther({ warnings }: TunnelRecord): boolean {
  return warnings.some(({ kind }) => kind === 'assigned')
}

/** Holds the address of now (an origin) against the one that was copied last; `at` in milliseconds since the epoch. */
function compareWithCopied(record: TunnelRecord, now: string, at: number): TunnelRecord {
  const old = record.copied
  if (old === null || old === now) return without(record, 'address_changed')
  return raise(
    record,
    { kind: 'address_changed', old, now, at },
    (other) => other.kind === 'address_changed' && other.old === old && other.now === now,
  )
}

/** The user has seen the warning: it goes, and what it says is not said again. */
function dismiss(record: TunnelRecord, kind: Kind): TunnelRecord {
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
