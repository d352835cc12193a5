import { lazy, Suspense, useEffect } from 'react'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { takeAssistantCalls, useAssistants } from '../../state/assistants.ts'

const RequestDialog = lazy(async () => {
  const { RequestDialog: dialog } = await import('./RequestDialog.tsx')
  return { default: dialog }
})

/** Loads the calls of assistants, and shows the oldest request that waits for the user, on every page. */
export function RequestHost() {
  const client = useClient()
  const { calls, listed, failure } = useAssistants()
  useEffect(() => {
    if (listed || failure !== null) return
    client
      .call('assistants.list', {})
      .then(takeAssistantCalls, (error: unknown) =>
        useAssistants.setState({ failure: sentence(error) }),
      )
  }, [client, failure, listed])
  const call = [...calls.values()].find(({ outcome }) => outcome === 'waiting')
  if (!call?.request) return null
  return (
    <Suspense>
      <RequestDialog key={call.id} call={call} request={call.request} />
    </Suspense>
  )
}
