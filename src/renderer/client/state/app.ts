import { create } from 'zustand'
import type { Snapshot } from '#contract/calls.ts'
import type { UpdateState } from '#contract/desktop.ts'
import { noCapabilities } from '#contract/constants.ts'
import type { Capabilities, CapabilityName } from '#contract/host.ts'
import type { DamagedFile, ListenerState, StoreStats } from '#contract/models.ts'
import type { ConnectionState } from '../client.ts'

interface ShellState {
  readonly connection: ConnectionState
  /** Not connected for a while, so the data may be out of date. */
  readonly stale: boolean
  /** False until the first snapshot is loaded. */
  readonly ready: boolean
  /** Why the first snapshot could not be loaded. */
  readonly failure: string | null
  readonly version: string
  /** The name of the page. */
  readonly page: string
  /** The address of its tab. */
  readonly tab: string
  /** The last hash of each tab, by its address. */
  readonly visited: Readonly<Record<string, string>>
  /** The complete fragment of the page URL. Each page parses its part. */
  readonly hash: string
  readonly capabilities: Capabilities
  readonly listener: ListenerState
  readonly stats: StoreStats
  /** Deliveries in each of the last 60 minutes, oldest first. */
  readonly perMinute: readonly number[]
  readonly updates: UpdateState
  /** Whether the system's keyring is locked. */
  readonly secretsLocked: boolean
  readonly caFileProblem: string | null
  readonly damagedFiles: readonly DamagedFile[]
}

export const useShell = create<ShellState>(() => ({
  connection: { phase: 'connecting' },
  stale: false,
  ready: false,
  failure: null,
  version: '',
  page: 'deliveries',
  tab: '#/deliveries',
  visited: {},
  hash: '',
  capabilities: noCapabilities,
  listener: { state: 'starting', port: 0 },
  stats: { deliveries: 0, bytes: 0, newestId: 0, indexedId: 0 },
  perMinute: Array.from({ length: 60 }, () => 0),
  updates: { state: 'unavailable', reason: '' },
  secretsLocked: false,
  caFileProblem: null,
  damagedFiles: [],
}))

export function useCan(name: CapabilityName): boolean {
  return useShell((state) => state.capabilities[name])
}

/** Stores the shell's part of a snapshot. */
export function showSnapshot(snapshot: Snapshot): void {
  useShell.setState({
    ready: true,
    stale: false,
    failure: null,
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    listener: snapshot.listener,
    stats: snapshot.stats,
    perMinute: snapshot.perMinute,
    updates: snapshot.updates,
    secretsLocked: snapshot.secretsLocked,
    caFileProblem: snapshot.caFileProblem,
    damagedFiles: snapshot.damagedFiles,
  })
}

/**
 * Updates the store's statistics. IDs increase by one with each delivery, so the newest ID shows how many were received, even if not
 * every delivery was pushed.
 */
export function showStats(stats: StoreStats): void {
  useShell.setState((before) => {
    const arrived = Math.max(0, stats.newestId - before.stats.newestId)
    if (arrived === 0) return { stats }
    const perMinute = before.perMinute.slice()
    perMinute[perMinute.length - 1] = (perMinute.at(-1) ?? 0) + arrived
    return { stats, perMinute }
  })
}

/** Starts a new minute: every bar moves one to the left. */
export function turnMinute(): void {
  useShell.setState(({ perMinute }) => ({ perMinute: [...perMinute.slice(1), 0] }))
}
