import { cut, visible } from '../../ui/text/visible.ts'
import type { Scope } from '../../state/scope.ts'
import { useLogs } from '../../state/logs.ts'

/** Where a delivery is from, beside one that is from elsewhere. */
export function ScopeName({ log }: { readonly log: Scope }) {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  return (
    <span className="tag">{log === null ? 'live' : visible(cut(name ?? `log ${log}`, 40))}</span>
  )
}
