import * as z from 'zod'
import { parseJson } from '#shared/json/object.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { defaultTunnelSetup, TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'

const maxNames = 20

export const TunnelRecord = z.object({
  /** Used when a tunnel is opened without a setup. */
  setup: TunnelSetup,
  /** Names to request again, each with the setup for which it was assigned; newest first. */
  names: z.array(z.object({ of: z.string(), name: z.string() })),
  /** The origin that the user copied last, which the dashboard presumably has. */
  copied: z.string().nullable(),
  /** Public servers run by volunteers that the user has confirmed. */
  acceptedServers: z.array(z.string()),
  warnings: z.array(TunnelWarning),
})
export type TunnelRecord = z.infer<typeof TunnelRecord>

/** If a tunnel is wanted, it reopens when Tabscope starts. */
export interface StoredTunnel {
  readonly wanted: boolean
  readonly record: TunnelRecord
}

export const defaultTunnel: StoredTunnel = {
  wanted: false,
  record: {
    setup: defaultTunnelSetup,
    names: [],
    copied: null,
    acceptedServers: [],
    warnings: [],
  },
}

/** The default if nothing is stored, or if it no longer matches the schema. */
export function readTunnel(db: Db): StoredTunnel {
  const row = prepare<[], { wanted: number; record: string }>(
    db,
    'SELECT wanted, record FROM tunnel WHERE id = 1',
  ).get()
  const parsed = TunnelRecord.safeParse(parseJson(row?.record ?? ''))
  if (!row || !parsed.success) return defaultTunnel
  return { wanted: row.wanted !== 0, record: parsed.data }
}

export function nameFor({ names }: TunnelRecord, setup: TunnelSetup): string | null {
  return names.find(({ of }) => of === keyOf(setup))?.name ?? null
}

/** Null removes the name to request for a setup. */
export function withName(
  record: TunnelRecord,
  setup: TunnelSetup,
  name: string | null,
): TunnelRecord {
  if (nameFor(record, setup) === name) return record
  const of = keyOf(setup)
  const others = record.names.filter((other) => other.of !== of)
  const names = name === null ? others : [{ of, name }, ...others].slice(0, maxNames)
  return { ...record, names }
}

function keyOf({ provider, options }: TunnelSetup): string {
  const sorted = Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([provider, ...sorted])
}
