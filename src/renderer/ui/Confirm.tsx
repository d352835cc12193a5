import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** What the action does, in one or two sentences. */
  readonly description: string
  readonly action: string
  readonly onConfirm: () => void
  readonly busy: boolean
  readonly error: string | null
}

/** Asks for confirmation before a destructive action. The cancel button has the focus. */
export function Confirm(props: Props) {
  const { open, onClose, title, description, action, onConfirm, busy, error } = props
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
