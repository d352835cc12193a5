import { CircleAlert, PenLine, Send } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { addressOf } from '../../routes/compose.ts'
import { useEditable } from '../../state/scope.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { AttemptsPanel } from './AttemptsPanel.tsx'
import { ResendButton } from './ResendButton.tsx'
import type { Resendable } from '../sending/index.ts'
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
          title="Could not load the attempts"
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
          title={editable ? 'No attempts yet' : 'No attempts'}
          actions={editable && <Actions delivery={delivery} />}
        >
          {editable
            ? 'Re-send this delivery exactly as received, or edit it first. Each response is kept here.'
            : 'This log has no attempts for this delivery.'}
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
