import type { TunnelProviderView, TunnelView } from '#contract/tunnel.ts'
import { Note } from '../../../components/Note.tsx'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Page.tsx'
import type { Loaded } from '../../../platform/use-client.ts'
import { SetupForm } from './SetupForm.tsx'
import './Setup.css'

interface Props {
  readonly view: TunnelView
  readonly providers: Loaded<readonly TunnelProviderView[]>
  /** Looks again what is installed. */
  readonly reload: () => void
}

/** By what the listener is made reachable. */
export function SetupCard({ view, providers: state, reload }: Props) {
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
