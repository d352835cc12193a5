import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useDeliveries, openDelivery } from '#client/state/deliveries.ts'
import { useLog, type Scope, shownScope } from '#client/state/scope.ts'
import { useLogs } from '#client/state/logs.ts'
import { clearSelection, useSelection } from '#client/state/selection.ts'
import type { Delivery, Header, SignatureReport } from '#contract/models.ts'
import type { Client } from '#client/client.ts'
import type { ReadSlice } from '#parts/body/use-body.ts'
import { create } from 'zustand'
import { listAddress } from '#client/addresses/deliveries.ts'
import './Diff.css'

/** Shown below the list while a base delivery is selected for comparison. */
export function CompareBar() {
  const log = useLog()
  const base = useDiff((state) => state.base)
  const selectedId = useDeliveries((state) => state.selectedId)
  const title = useDeliveries((state) =>
    state.revision >= 0 && base?.log === log ? (state.rows.byId.get(base.id)?.title ?? '') : '',
  )
  if (base === null) return null
  const other = selectedId !== null && !isBase(base, log, selectedId)
  return (
    <div
      className="compare-bar row-4 flex min-h-10 items-center gap-4 border-t border-line bg-accent-soft px-5 py-2 text-s [&+.selection-bar]:hidden"
      role="status"
    >
      <Icons.GitCompareArrows className="text-accent" />
      <span className="cut flex-1">
        Comparing with <b>#{base.id}</b> {base.log !== log && <ScopeName log={base.log} />}
        <Shown text={title} max={80} />
      </span>
      {other ? (
        <Button hint="c" onClick={compare}>
          Compare #{selectedId}
        </Button>
      ) : (
        <span className="whitespace-nowrap text-mid">Select another delivery, then press C</span>
      )}
      <IconButton label="Stop comparing" onClick={() => setBase(null)}>
        <Icons.X />
      </IconButton>
    </div>
  )
}

/** The log of a delivery, or "live". Shown when two scopes are compared. */
export function ScopeName({ log }: { log: Scope }) {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  return <span className="tag">{log === null ? 'live' : shortText(name ?? `log ${log}`, 40)}</span>
}

/** One of two compared messages. Must be a stable object: a new one means a different message. */
export interface DiffSide {
  readonly headers: readonly Header[]
  /** Received and stored bytes of the body. */
  readonly bytes: number
  readonly bytesKept: number
  /** The hash of the stored body in hex; null if unknown, for example for a redacted body. */
  readonly sha256: string | null
  /** For an event log, whether its body was redacted or omitted. Null if the body is as captured. */
  readonly altered: 'redacted' | 'omitted' | null
  readonly read: ReadSlice
}

/** Returns a delivery as a side of a comparison. `ofLog`: what its signature report says about its body. */
export function deliverySide(
  client: Client,
  delivery: Delivery,
  log: Scope,
  ofLog: SignatureReport['ofLog'],
): DiffSide {
  const { id, headers, bytes, storedBytes, sha256 } = delivery
  const omitted = ofLog !== null && ofLog.omitted !== null
  const altered = omitted ? 'omitted' : ofLog?.bodyRedacted === true ? 'redacted' : null
  return {
    headers,
    bytes,
    bytesKept: storedBytes,
    // An older log has the hash of the captured body, which differs from that of the redacted one.
    sha256: altered === null ? digestOf(sha256) : null,
    altered,
    read: (slice) => client.call('deliveries.body', { id, log, ...slice }),
  }
}

/** Returns the hash if it is one. For a redacted body, an event log contains another value of that form. */
export function digestOf(sha256: string): string | null {
  return /^[0-9a-f]{64}$/i.test(sha256) ? sha256 : null
}

/** The delivery that others are compared with. It may be from another scope, such as a log. */
export interface DiffBase {
  readonly log: Scope
  readonly id: number
}

interface DiffState {
  /** Null if none is selected. */
  readonly base: DiffBase | null
  /** The delivery whose comparison is shown in place of its tabs; null: none. */
  readonly shown: DiffBase | null
}

export const useDiff = create<DiffState>(() => ({ base: null, shown: null }))

export function setBase(base: DiffBase | null): void {
  useDiff.setState({ base })
}

export function isBase(base: DiffBase | null, log: Scope, id: number | null): boolean {
  return base !== null && base.log === log && base.id === id
}

/** The compare command: compares two selected deliveries. Otherwise the first delivery becomes the base, another one is compared with it, and the base itself ends the comparison. */
export function compare(): void {
  const log = shownScope()
  const { selectedId: id } = useDeliveries.getState()
  const { base } = useDiff.getState()
  const [first, second, ...others] = [...useSelection.getState().ids].toSorted((a, b) => a - b)
  if (first !== undefined && second !== undefined && others.length === 0) {
    setBase({ log, id: first })
    clearSelection()
    return showDiff({ log, id: second })
  }
  if (id === null) return
  if (base === null) setBase({ log, id })
  else if (isBase(base, log, id)) setBase(null)
  else showDiff({ log, id })
}

/** Opens a delivery with its comparison, in the list it belongs to. */
export function showDiff({ log, id }: DiffBase): void {
  openDelivery(id, log)
  useDiff.setState({ shown: { log, id } })
  if (log !== shownScope()) location.assign(listAddress(log))
}

export function hideDiff(): void {
  useDiff.setState({ shown: null })
}
