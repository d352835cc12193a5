import { Icons } from '../../ui/icons.tsx'
import { Text, Row } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { shortText } from '../../ui/text/visible.ts'
import { useDeliveries } from '../../state/deliveries.ts'
import { useLog, type Scope } from '../../state/scope.ts'
import { compare, isBase, setBase, useDiff } from './side.ts'
import './Diff.css'
import { useLogs } from '../../state/logs.ts'

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
    <Row
      align="center"
      gap={4}
      pad={[2, 5]}
      line="top"
      background="accent"
      size="s"
      className="compare-bar"
      role="status"
    >
      <Icons.GitCompareArrows className="tone-accent" />
      <Text grow cut>
        Comparing with <b>#{base.id}</b> {base.log !== log && <ScopeName log={base.log} />}
        <Shown text={title} max={80} />
      </Text>
      {other ? (
        <Button hint="c" onClick={compare}>
          Compare #{selectedId}
        </Button>
      ) : (
        <Text tone="mid" nowrap>
          Select another delivery, then press C
        </Text>
      )}
      <IconButton label="Stop comparing" onClick={() => setBase(null)}>
        <Icons.X />
      </IconButton>
    </Row>
  )
}

/** The log of a delivery, or "live". Shown when two scopes are compared. */
export function ScopeName({ log }: { readonly log: Scope }) {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  return <span className="tag">{log === null ? 'live' : shortText(name ?? `log ${log}`, 40)}</span>
}
