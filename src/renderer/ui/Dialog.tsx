import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Note } from './Note.tsx'
import './Field.css'
import './Dialog.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** One sentence under the title. */
  readonly description?: string
  /** Leads to what the guide says about it. */
  readonly help?: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
  /** As large as the window lets it be; what is in it scrolls in parts of its own. */
  readonly large?: boolean
}

/**
 * A modal dialog. Radix's own overlay is left out on purpose: it injects a style element to lock scrolling,
 * which the content security policy refuses.
 */
export function Dialog({ open, onClose, title, description, help, children, wide, large }: Props) {
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="dialog-scrim" />
        <Radix.Content
          className="dialog"
          data-modal
          data-wide={wide || undefined}
          data-large={large || undefined}
          // Radix gives the focus back to a trigger of its own, which these dialogs do not have.
          onOpenAutoFocus={() => {
            before.current = document.activeElement
          }}
          onCloseAutoFocus={() => giveBack(before.current)}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <Radix.Title className="dialog-title size-l">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="above-2 tone-mid">{description}</Radix.Description>
          )}
          {children}
          {help !== undefined && <div className="dialog-help">{help}</div>}
          {/* Last, so that the first field has the focus when the dialog opens. */}
          <Radix.Close asChild>
            <IconButton label="Close" className="dialog-close">
              <X aria-hidden />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface FormProps extends Omit<Props, 'open'> {
  /** The word on the button that does it. */
  readonly action: string
  /** Beside that button. */
  readonly actions?: ReactNode
  readonly disabled?: boolean
  readonly busy: boolean
  readonly error: string | null
  readonly onSubmit: () => void
}

/** A dialog with fields to be filled in. */
export function FormDialog(props: FormProps) {
  const { action, actions, disabled = false, busy, error, onSubmit, children, ...dialog } = props
  return (
    <Dialog open {...dialog}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !busy) onSubmit()
        }}
      >
        {children}
        {error !== null && (
          <Note tone="invalid" alert>
            {error}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={dialog.onClose}>Cancel</Button>
          {actions}
          <Button kind="primary" type="submit" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The focus goes back to where it was, unless whoever closed the dialog has put it elsewhere. */
export function giveBack(before: Element | null): void {
  const { activeElement: now } = document
  const lost = now === null || now === document.body || now.hasAttribute('data-modal')
  if (lost && before instanceof HTMLElement) before.focus()
}
