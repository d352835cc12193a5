import { DeliveriesPage } from '../DeliveriesPage.tsx'
import { ScopeContext } from '../scope/scope.ts'

/** An event log as the live deliveries are shown, read-only. Keyed by its id. */
export function LogPage({ log }: { readonly log: number }) {
  return (
    <ScopeContext value={log}>
      <DeliveriesPage />
    </ScopeContext>
  )
}
