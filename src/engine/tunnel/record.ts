import { z } from 'zod'
import { defaultTunnelSetup, TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'

/** So many names are remembered, each for a setup. */
const mostNames = 20

/** What is known of the tunnel beyond a run of Tabscope. */
export const TunnelRecord = z.object({
  /** What is used when it is opened without another word. */
  setup: TunnelSetup,
  /** The names to be asked for again, each with the setup under which it was ours; the newest first. */
  names: z.array(z.object({ of: z.string(), name: z.string() })),
  /** The origin that the user copied last, and so what the dashboard has; null: none was copied yet. */
  copied: z.string().nullable(),
  /** Public servers run by volunteers that the user has confirmed. */
  acceptedServers: z.array(z.string()).default([]),
  warnings: z.array(TunnelWarning),
  /** Warnings that the user has seen: what they say is not said again. */
  seen: z.array(TunnelWarning),
})
export type TunnelRecord = z.infer<typeof TunnelRecord>

/** The record, and whether there is to be a tunnel: then it opens again when Tabscope is started again. */
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
    seen: [],
  },
}

/** The name that was ours the last time with the same setup; null: there is none. */
export function nameFor({ names }: TunnelRecord, wish: TunnelSetup): string | null {
  return names.find(({ of }) => of === keyOf(wish))?.name ?? null
}

/** From now on this name is asked for with this setup; null: none is. */
export function withName(
  record: TunnelRecord,
  wish: TunnelSetup,
  name: string | null,
): TunnelRecord {
  if (nameFor(record, wish) === name) return record
  const of = keyOf(wish)
  const others = record.names.filter((other) => other.of !== of)
  const names = name === null ? others : [{ of, name }, ...others].slice(0, mostNames)
  return { ...record, names }
}

/** Equal for equal setups, in whatever order their options stand. */
function keyOf({ provider, options }: TunnelSetup): string {
  const sorted = Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([provider, ...sorted])
}
