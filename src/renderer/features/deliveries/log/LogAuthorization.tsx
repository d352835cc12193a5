import type { EventLog } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { AuthorizationView } from './AuthorizationView.tsx'

/** What a log tells beside its deliveries. */
export function LogAuthorization({ log }: { readonly log: EventLog }) {
  const { state, reload } = useQuery('logs.authorization', { log: log.id })
  switch (state.phase) {
    case 'loading':
      return <div className="detail-coming" role="status" aria-label="Loading" />
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <AuthorizationView told={state.value} at={log.exportedAt ?? log.importedAt} />
  }
}
