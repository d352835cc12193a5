import { GitCompareArrows, X } from 'lucide-react'
import { Button, IconButton } from '../../components/Button.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useDeliveries } from '../deliveries/store.ts'
import { useLog } from '../deliveries/scope/scope.ts'
import { ScopeName } from './ScopeName.tsx'
import { compare, isBase, setBase, useDiff } from './store.ts'
import './Diff.css'

/** Below the list, while a delivery waits to be compared with another. */
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
    <div className="compare-bar" role="status">
      <GitCompareArrows aria-hidden />
      <span className="cut">
        Comparing with <b>#{base.id}</b> {base.log !== log && <ScopeName log={base.log} />}
        <Shown text={cut(title, 80)} />
      </span>
      {other ? (
        <Button hint="c" onClick={compare}>
          Compare #{selectedId}
        </Button>
      ) : (
        <span className="dim">Choose another, then press C</span>
      )}
      <IconButton label="Stop comparing" onClick={() => setBase(null)}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
