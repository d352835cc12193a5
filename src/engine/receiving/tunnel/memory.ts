import { isDeepStrictEqual } from 'node:util'
import type { TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/ports.ts'
import type { OpenTunnel } from './provider.ts'
import { nameFor, type StoredTunnel, type TunnelRecord, withName } from './record.ts'

/** Settings and names that outlast a run of Tabscope. */
export class Memory {
  readonly #write: (stored: StoredTunnel) => Promise<void>
  readonly #clock: Clock
  readonly #log: Log
  readonly #changed: () => void
  #stored: StoredTunnel
  #assigned: { setup: TunnelSetup; name: string | null } | null = null

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
    if (requestedName !== null) {
      const by = Object.values(setup.options).includes(requestedName) ? 'user' : 'last_time'
      // Until the user has seen it, the previous name is requested again: the dashboard may still have it.
      record = raised(record, { kind: 'assigned', requested: requestedName, assigned, by, at })
    } else {
      const isAsRequested = record.warnings.some(
        (warning) => warning.kind === 'assigned' && warning.requested === assigned,
      )
      if (isAsRequested) record = without(record, 'assigned')
      record = withName(record, setup, nextName)
    }
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
    const warning = this.record.warnings.find((each) => each.kind === kind)
    if (!warning) return
    const record = without(this.record, kind)
    this.#store({
      ...this.#stored,
      record:
        warning.kind === 'assigned'
          ? this.#acceptName(record)
          : // The user knows the new address, and is warned about the next one.
            { ...record, copied: warning.now },
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

/** `now`: the current origin. `at`: milliseconds since the epoch. */
function compareWithCopied(record: TunnelRecord, now: string, at: number): TunnelRecord {
  const old = record.copied
  return old === null || old === now
    ? without(record, 'address_changed')
    : raised(record, { kind: 'address_changed', old, now, at })
}

/** The same warning keeps its time. */
function raised(record: TunnelRecord, warning: TunnelWarning): TunnelRecord {
  const isShown = record.warnings.some((other) =>
    isDeepStrictEqual({ ...other, at: 0 }, { ...warning, at: 0 }),
  )
  if (isShown) return record
  return { ...record, warnings: [...without(record, warning.kind).warnings, warning] }
}

function without(record: TunnelRecord, kind: TunnelWarning['kind']): TunnelRecord {
  if (!record.warnings.some((warning) => warning.kind === kind)) return record
  return { ...record, warnings: record.warnings.filter((warning) => warning.kind !== kind) }
}
