import { cut, visible } from '../../components/text/visible.ts'
import type { Scope } from '../deliveries/scope/scope.ts'
import { useLogs } from '../logs/store.ts'

/** Where a delivery is from, beside one that is from elsewhere. */
export function ScopeName({ log }: { readonly log: Scope }) {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  return (
    <span className="tag">{log === null ? 'live' : visible(cut(name ?? `log ${log}`, 40))}</span>
  )
}
