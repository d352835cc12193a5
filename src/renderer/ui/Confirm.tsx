import type { Action } from '../platform/use-client.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorText } from './Failure.tsx'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** What the action does, in one or two sentences. */
  readonly description: string
  readonly action: string
  /** What is confirmed. The dialog shows its error, and forgets it when it closes. */
  readonly run: Pick<Action, 'start'> & Partial<Action>
}

/** Asks for confirmation before a destructive action. The cancel button has the focus. */
export function Confirm({ open, onClose, title, description, action, run }: Props) {
  const close = (): void => {
    onClose()
    run.reset?.()
  }
  return (
    <Dialog open={open} onClose={close} title={title} description={description}>
      <ErrorText error={run.error} />
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button kind="danger" busy={run.busy === true} onClick={() => run.start()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
