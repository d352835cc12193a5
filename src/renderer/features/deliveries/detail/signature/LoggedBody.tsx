import { useQuery } from '#renderer/platform/use-client.ts'
import { useLog } from '../../scope/scope.ts'

/** For the banner: that what is shown is not what the verdict was found on. Nothing where it is. */
export function LoggedBody({ id }: { readonly id: number }) {
  const { state } = useQuery('deliveries.signature', { id, log: useLog() })
  const ofLog = state.phase === 'ready' ? state.value.ofLog : null
  if (!ofLog?.bodyRedacted && (ofLog?.omitted ?? null) === null) return null
  return (
    <p data-testid="logged-body">
      {ofLog?.bodyRedacted
        ? 'As captured; the body was redacted since'
        : 'The body is not in the log'}
      , so it cannot be verified again.
    </p>
  )
}
