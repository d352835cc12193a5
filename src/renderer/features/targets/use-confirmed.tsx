import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { visible } from '../../components/text/visible.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'

interface Asked {
  readonly origin: string
  readonly again: () => Promise<void>
  /** Settles what was asked for: true when it was done in the end. */
  readonly done: (went: boolean) => void
}

/** The origin that a refused call asks about; null for any other error. */
export function unconfirmedOrigin(error: unknown): string | null {
  if (!(error instanceof CallError) || error.code !== 'target_unconfirmed') return null
  const origin = error.details?.['origin']
  return typeof origin === 'string' ? origin : null
}

/**
 * Does what may go to a target for the first time: one that is neither here nor in a private network is asked about once, and then it is
 * done. `confirmed` resolves to false when the user says no, and rejects with every other error; `dialog` is to be drawn.
 */
export function useConfirmed(): {
  readonly confirmed: (work: () => Promise<void>) => Promise<boolean>
  readonly dialog: React.ReactNode
} {
  const [asked, setAsked] = useState<Asked | null>(null)
  const confirmed = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      const origin = unconfirmedOrigin(error)
      if (origin === null) throw error
      return new Promise((resolve) => {
        setAsked({ origin, again: work, done: resolve })
      })
    }
  }
  return {
    confirmed,
    dialog: asked && <ConfirmTarget asked={asked} onClose={() => setAsked(null)} />,
  }
}

function ConfirmTarget({
  asked,
  onClose,
}: {
  readonly asked: Asked
  readonly onClose: () => void
}) {
  const client = useClient()
  const { origin, again, done } = asked
  const confirm = useAction(async () => {
    await client.call('targets.set', { url: origin, confirmed: true })
    await again()
    done(true)
    onClose()
  })
  const leave = (): void => {
    done(false)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      title="Send to the outside?"
      description="Deliveries hold data of guests and orders. This is asked once for each place outside of your network."
    >
      <p className="mono selectable target-origin">{visible(origin)}</p>
      {confirm.error !== null && (
        <p className="field-error" role="alert">
          {sentence(confirm.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={leave}>Cancel</Button>
        <Button kind="primary" busy={confirm.busy} onClick={() => confirm.start()}>
          Send there
        </Button>
      </div>
    </Dialog>
  )
}
