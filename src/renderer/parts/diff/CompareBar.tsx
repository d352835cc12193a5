import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import { useLog, type Scope } from '#client/state/scope.ts'
import { compare, isBase, setBase, useDiff } from './side.ts'
import './Diff.css'
import { useLogs } from '#client/state/logs.ts'

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
export function ScopeName({ log }: { readonly log: Scope }) {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  return <span className="tag">{log === null ? 'live' : shortText(name ?? `log ${log}`, 40)}</span>
}
