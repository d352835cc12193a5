import type { TunnelView } from '#contract/tunnel.ts'
import { Note } from '../../../components/Note.tsx'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Page.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { SetupForm } from './SetupForm.tsx'
import './Setup.css'

/** By what the listener is made reachable. */
export function SetupCard({ view }: { readonly view: TunnelView }) {
  const { state, reload } = useQuery('tunnel.providers', {})
  return (
    <Card
      title="By what"
      note="What is used when the tunnel is opened, here and at the next start."
    >
      {state.phase === 'ready' ? (
        <SetupForm view={view} providers={state.value} lookAgain={reload} />
      ) : state.phase === 'failed' ? (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      ) : (
        <p className="dim" role="status">
          Looking for what is installed here
        </p>
      )}
    </Card>
  )
}
