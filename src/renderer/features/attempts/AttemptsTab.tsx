import { CircleAlert, PenLine, Send } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { addressOf } from '../compose/address.ts'
import { useEditable } from '../deliveries/scope/scope.ts'
import { useKeys } from '../shell/command-registry.ts'
import { AttemptsPanel } from './AttemptsPanel.tsx'
import { ResendButton } from './ResendButton.tsx'
import type { Resendable } from './resend-target.ts'
import { askWhereTo, chooseAttempt, useChosenAttempt } from './store.ts'
import type { AttemptsListed, AttemptsSource } from './use-attempts.ts'
import './Attempts.css'

interface Props {
  readonly delivery: Delivery
  readonly source: AttemptsSource
}

/** Every time this delivery was sent on, newest first, and what came back. */
export function AttemptsTab({ delivery, source }: Props) {
  const { state } = source
  switch (state.phase) {
    case 'loading':
      return <div className="detail-coming" role="status" aria-label="Loading the attempts" />
    case 'failed':
      return (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="The attempts could not be read"
          actions={<Button onClick={source.reload}>Try again</Button>}
        >
          {state.message}
        </Empty>
      )
    case 'ready':
      return <Listed delivery={delivery} source={source} listed={state.value} />
  }
}

function Listed({ delivery, source, listed }: Props & { readonly listed: AttemptsListed }) {
  const { rows, notForwarded } = listed
  const editable = useEditable()
  const asked = useChosenAttempt((state) => state.chosenId)
  // What was asked for may be another delivery's.
  const chosenId = rows.some(({ id }) => id === asked) ? asked : null
  const go = (by: number): void => {
    const place = rows.findIndex(({ id }) => id === (chosenId ?? rows[0]?.id))
    const next = rows[place + by]
    if (next) chooseAttempt(next.id)
  }
  useKeys({ 'attempt-newer': () => go(-1), 'attempt-older': () => go(1) })
  const reasons = notForwarded.map((reason) => (
    <Note key={reason} tone="info">
      <Shown text={reason} />
    </Note>
  ))
  if (rows.length === 0) {
    return (
      <>
        {reasons}
        <Empty
          icon={<Send aria-hidden />}
          title={editable ? 'Not sent on yet' : 'Not sent on'}
          actions={editable && <Actions delivery={delivery} />}
        >
          {editable
            ? 'Send it again as it came, byte for byte, or edit it first. What comes back is kept here, each time of it.'
            : 'The log tells of no attempt to send this delivery on.'}
        </Empty>
      </>
    )
  }
  return (
    <>
      {reasons}
      <AttemptsPanel
        listed={listed}
        source={source}
        chosenId={chosenId}
        onChoose={chooseAttempt}
        brand={delivery.brand}
        editable={editable}
      />
    </>
  )
}

/** What can be done with a delivery that was not sent on. */
function Actions({ delivery }: { readonly delivery: Resendable }) {
  const { id } = delivery
  return (
    <>
      <ResendButton delivery={delivery} kind="primary" />
      <Button aria-keyshortcuts="Shift+R" onClick={() => askWhereTo(id)}>
        Re-send to… <kbd aria-hidden>Shift R</kbd>
      </Button>
      <a
        className="button"
        data-kind="plain"
        href={addressOf({ kind: 'delivery', id, log: null })}
        aria-keyshortcuts="e"
      >
        <PenLine aria-hidden />
        Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </>
  )
}
