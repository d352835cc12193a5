import type { TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/ports.ts'
import type { OpenTunnel } from './provider.ts'
import { nameFor, type StoredTunnel, type TunnelRecord, withName } from './record.ts'

/** Settings and names that outlast a run of Tabscope. */
export class Memory {
  readonly #write: (stored: StoredTunnel) => Promise<void>
  readonly #clock: Clock
  readonly #log: Log
  readonly #changed: () => void
  #stored: StoredTunnel
  #assigned: { readonly setup: TunnelSetup; readonly name: string | null } | null = null

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

  nameFor(setup: TunnelSetup): string | null {
    return nameFor(this.record, setup)
  }

  want(setup: TunnelSetup): void {
    this.#store({ wanted: true, record: { ...this.record, setup } })
  }

  unwant(): void {
    this.#store({ ...this.#stored, wanted: false })
  }

  acceptServer(server: string): void {
    const acceptedServers = [...this.record.acceptedServers, server]
    this.#store({ ...this.#stored, record: { ...this.record, acceptedServers } })
  }

  /** Rejects if the setup could not be stored. */
  async configure(setup: TunnelSetup): Promise<void> {
    this.#stored = { ...this.#stored, record: { ...this.record, setup } }
    this.#changed()
    await this.#write(this.#stored)
  }

  /** Warns if the name is not the requested one, or if the URL is not the one that was copied last. */
  opened({ url, requestedName, nextName }: OpenTunnel, setup: TunnelSetup): void {
    const at = this.#clock.now()
    const assigned = nextName ?? url
    this.#assigned = { setup, name: nextName }
    let { record } = this
    if (requestedName === null) {
      record = clearAssignedWarning(record, assigned)
    } else {
      const by = Object.values(setup.options).includes(requestedName) ? 'user' : 'last_time'
      record = warnAssignedOther(record, {
        kind: 'assigned',
        requested: requestedName,
        assigned,
        by,
        at,
      })
    }
    // Until the user has seen that another name was assigned, the previous one is requested again: the dashboard may still have it.
    if (requestedName === null || !hasAssignedWarning(record))
      record = withName(record, setup, nextName)
    this.#store({ ...this.#stored, record: compareWithCopied(record, url, at) })
  }

  /** The user copied a URL. `now`: the origin of the open tunnel. Throws `bad_input` if `address` is not a URL. */
  copied(address: string, now: string | null): void {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new AppError('bad_input', 'Invalid public URL. It must start with https:// or http://.')
    }
    let record: TunnelRecord = { ...this.record, copied: url.origin }
    // If no tunnel is open, the warning is about the last one.
    const warned = record.warnings.find(({ kind }) => kind === 'address_changed')
    const last = now ?? (warned?.kind === 'address_changed' ? warned.now : null)
    if (last !== null) record = compareWithCopied(record, last, this.#clock.now())
    if (url.origin === now) record = this.#acceptName(record)
    this.#store({ ...this.#stored, record })
  }

  dismiss(kind: TunnelWarning['kind']): void {
    const record = dismiss(this.record, kind)
    this.#store({
      ...this.#stored,
      record: kind === 'assigned' ? this.#acceptName(record) : record,
    })
  }

  /** The user knows the current name: it is requested the next time. */
  #acceptName(record: TunnelRecord): TunnelRecord {
    const assigned = this.#assigned
    return assigned ? withName(record, assigned.setup, assigned.name) : record
  }

  #store(stored: StoredTunnel): void {
    if (stored.record === this.record && stored.wanted === this.wanted) return
    this.#stored = stored
    this.#changed()
    this.#write(stored).catch(() => {
      // Without the store's own message, which could contain the values.
      this.#log.warn('the tunnel settings could not be stored; they apply to this run only')
    })
  }
}

type Kind = TunnelWarning['kind']
type Warning<K extends Kind> = Extract<TunnelWarning, { kind: K }>

/** Warns until the user has seen that another name was assigned, or the requested name is assigned again. */
function warnAssignedOther(record: TunnelRecord, warning: Warning<'assigned'>): TunnelRecord {
  return raise(
    record,
    warning,
    (other) =>
      other.kind === 'assigned' &&
      other.requested === warning.requested &&
      other.assigned === warning.assigned,
  )
}

function clearAssignedWarning(record: TunnelRecord, name: string): TunnelRecord {
  const current = record.warnings.find(({ kind }) => kind === 'assigned')
  if (current?.kind !== 'assigned' || current.requested !== name) return record
  return without(record, 'assigned')
}

function hasAssignedWarning({ warnings }: TunnelRecord): boolean {
  return warnings.some(({ kind }) => kind === 'assigned')
}

/** `now`: the current origin. `at`: milliseconds since the epoch. */
function compareWithCopied(record: TunnelRecord, now: string, at: number): TunnelRecord {
  const old = record.copied
  if (old === null || old === now) return without(record, 'address_changed')
  return raise(
    record,
    { kind: 'address_changed', old, now, at },
    (other) => other.kind === 'address_changed' && other.old === old && other.now === now,
  )
}

function dismiss(record: TunnelRecord, kind: Kind): TunnelRecord {
  const current = record.warnings.find((warning) => warning.kind === kind)
  if (!current) return record
  const seen = [...record.seen.filter((warning) => warning.kind !== kind), current]
  return { ...without(record, kind), seen }
}

/** Ignores a warning that is shown or was dismissed already. `isSame`: compares with another warning. */
function raise(
  record: TunnelRecord,
  warning: TunnelWarning,
  isSame: (other: TunnelWarning) => boolean,
): TunnelRecord {
  if (record.warnings.some(isSame)) return record
  const rest = without(record, warning.kind)
  if (record.seen.some(isSame)) return rest
  return { ...rest, warnings: [...rest.warnings, warning] }
}

function without(record: TunnelRecord, kind: Kind): TunnelRecord {
  if (!record.warnings.some((warning) => warning.kind === kind)) return record
  return { ...record, warnings: record.warnings.filter((warning) => warning.kind !== kind) }
}
