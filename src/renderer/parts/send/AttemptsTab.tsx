import { Icons } from '#kit/icons.tsx'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { addressOf } from '#client/addresses/compose.ts'
import { useEditable } from '#client/state/scope.ts'
import { useKeys } from '#client/command-registry.ts'
import { AttemptsPanel } from './AttemptsPanel.tsx'
import { ResendButton } from './ResendButton.tsx'
import type { Resendable } from './resend-target.ts'
import {
  askWhereTo,
  selectAttempt,
  useSelectedAttempt,
  type AttemptsListed,
  type AttemptsSource,
} from './store.ts'
import './Attempts.css'

/** The attempts to send this delivery, newest first. */
export function AttemptsTab(props: {
  readonly delivery: Delivery
  readonly source: AttemptsSource
}) {
  return (
    <WhenLoaded query={props.source}>
      {(listed) => <AttemptsContent delivery={props.delivery} listed={listed} />}
    </WhenLoaded>
  )
}

interface ContentProps {
  readonly delivery: Delivery
  readonly listed: AttemptsListed
}

function AttemptsContent({ delivery, listed }: ContentProps) {
  const { rows, notForwarded } = listed
  const editable = useEditable()
  const requestedId = useSelectedAttempt((state) => state.selectedId)
  // The requested attempt may belong to another delivery.
  const selectedId = rows.some(({ id }) => id === requestedId) ? requestedId : null
  const step = (by: number): void => {
    const place = rows.findIndex(({ id }) => id === (selectedId ?? rows[0]?.id))
    const next = rows[place + by]
    if (next) selectAttempt(next.id)
  }
  useKeys({ 'attempt-newer': () => step(-1), 'attempt-older': () => step(1) })
  const reasons = notForwarded.map((reason) => (
    <Note key={reason} tone="info">
      <Shown text={reason} />
    </Note>
  ))
  return (
    <>
      {reasons}
      {rows.length === 0 ? (
        <Empty
          icon={Icons.Send}
          title={editable ? 'No attempts yet' : 'No attempts'}
          actions={editable && <Actions delivery={delivery} />}
        >
          {editable
            ? 'Re-send this delivery exactly as received, or edit it first. Each response is stored here.'
            : 'This log has no attempts for this delivery.'}
        </Empty>
      ) : (
        <AttemptsPanel
          listed={listed}
          selectedId={selectedId}
          onSelect={selectAttempt}
          brand={delivery.brand}
          editable={editable}
        />
      )}
    </>
  )
}

function Actions({ delivery }: { readonly delivery: Resendable }) {
  const { id } = delivery
  return (
    <>
      <ResendButton delivery={delivery} />
      <Button aria-keyshortcuts="Shift+R" onClick={() => askWhereTo(id)}>
        Re-send to… <kbd aria-hidden>Shift R</kbd>
      </Button>
      <a
        className="button"
        data-kind="plain"
        href={addressOf({ kind: 'delivery', id, log: null })}
        aria-keyshortcuts="e"
      >
        <Icons.PenLine />
        Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </>
  )
}
