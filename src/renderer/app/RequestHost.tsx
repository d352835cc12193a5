import { useEffect } from 'react'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { setAssistantCalls, useAssistants } from '#client/state/assistants.ts'
import type { AssistantCall, AssistantRequest } from '#contract/assistants.ts'
import { toastError } from '#kit/toasts.ts'
import { Button } from '#kit/Button.tsx'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { ClockTime } from '#kit/Time.tsx'

/** Loads the calls of assistants, and shows the oldest request that waits for the user, on every page. */
export function RequestHost() {
  const client = useClient()
  const { calls, listed, failure } = useAssistants()
  useEffect(() => {
    if (listed || failure !== null) return
    client
      .call('assistants.list', {})
      .then(setAssistantCalls, (error: unknown) =>
        useAssistants.setState({ failure: messageOf(error) }),
      )
  }, [client, failure, listed])
  const call = [...calls.values()].find(({ outcome }) => outcome === 'waiting')
  if (!call?.request) return null
  return <RequestDialog key={call.id} call={call} request={call.request} />
}

function RequestDialog({ call, request }: { call: AssistantCall; request: AssistantRequest }) {
  const client = useClient()
  const { id } = call
  const { target, title, details, until } = request
  useEffect(() => {
    client.call('assistants.shown', { id }).catch(() => undefined)
  }, [client, id])
  const decide = (allowed: boolean): void => {
    client.call('assistants.decide', { id, allowed }).catch(toastError)
  }
  return (
    <Dialog
      open
      onClose={() => decide(false)}
      title="Allow a coding assistant to send?"
      description={`${shortText(call.client, 60)} asks to send to ${target.name}.`}
    >
      <p className="mt-5 font-semibold">{title}</p>
      <p className="mono mt-1 text-s wrap-anywhere select-text">
        <Shown text={target.url} />
      </p>
      <CodeBlock label="What is sent" text={details} />
      <p className="mt-4 text-dim">
        Without a decision, it is declined at <ClockTime at={until} isRounded />.
      </p>
      <div className="dialog-actions">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- else the scrollable text would have the focus */}
        <Button autoFocus onClick={() => decide(false)}>
          Decline
        </Button>
        <Button kind="primary" onClick={() => decide(true)}>
          Allow once
        </Button>
      </div>
    </Dialog>
  )
}
