import { Play } from 'lucide-react'
import { Button } from '../../../components/Button.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useSandbox } from '#renderer/features/sandbox/store.ts'
import { StepFrame, type StepState } from './StepFrame.tsx'

/** The service in miniature is started. */
export function ServiceStep() {
  const client = useClient()
  const service = useSandbox((state) => state.service)
  const start = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.start', {}) })
  })
  const running = service?.running === true
  const state: StepState = running
    ? {
        kind: 'done',
        words: (
          <>
            Running at <code className="mono">{service.baseUrl}</code>
          </>
        ),
      }
    : start.error === null
      ? { kind: 'to-do', words: 'Not running.' }
      : { kind: 'trouble', words: sentence(start.error) }
  return (
    <StepFrame
      title="Start the sandbox"
      purpose="An authorization page, a token endpoint and a made-up resource on this machine: something to authorize with, without an account."
      state={state}
    >
      {!running && (
        <Button
          kind="primary"
          icon={<Play aria-hidden />}
          busy={start.busy}
          onClick={() => start.start()}
        >
          Start the sandbox
        </Button>
      )}
    </StepFrame>
  )
}
