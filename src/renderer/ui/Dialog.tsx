import { X } from './icons.tsx'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { sentence } from '../platform/call-error.ts'
import { useAction } from '../platform/use-client.ts'
import { Button, IconButton } from './Button.tsx'
import { Field } from './Field.tsx'
import { Note } from './Note.tsx'
import './Field.css'
import './Dialog.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  readonly help?: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
  /** As large as the window allows. Its parts scroll separately. */
  readonly large?: boolean
}

/**
 * A modal dialog. Radix's overlay is omitted on purpose: it injects a style element to lock scrolling,
 * which the content security policy refuses.
 */
export function Dialog({ open, onClose, title, description, help, children, wide, large }: Props) {
  const previousFocus = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="dialog-scrim" />
        <Radix.Content
          className="dialog"
          data-modal
          data-wide={wide || undefined}
          data-large={large || undefined}
          // Radix returns the focus to its trigger, which these dialogs do not have.
          onOpenAutoFocus={() => {
            previousFocus.current = document.activeElement
          }}
          onCloseAutoFocus={() => restoreFocus(previousFocus.current)}
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
  readonly action: string
  readonly actions?: ReactNode
  readonly disabled?: boolean
  readonly busy: boolean
  readonly error: string | null
  readonly onSubmit: () => void
}

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

interface NameProps {
  readonly title: string
  readonly description?: string
  readonly action: string
  /** The current name; empty if there is none. */
  readonly name: string
  /** Saves the trimmed name. The dialog closes once it is saved. */
  readonly onSave: (name: string) => Promise<void>
  readonly onClose: () => void
}

/** A dialog that names or renames something. */
export function NameDialog({ name, onSave, ...dialog }: NameProps) {
  const [text, setText] = useState(name)
  const trimmed = text.trim()
  const save = useAction(async () => {
    await onSave(trimmed)
    dialog.onClose()
  })
  return (
    <FormDialog
      {...dialog}
      disabled={trimmed === ''}
      busy={save.busy}
      error={save.error === null ? null : sentence(save.error)}
      onSubmit={() => save.start()}
    >
      <Field
        label="Name"
        value={text}
        maxLength={120}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}

/** Returns the focus to the previously focused element, unless it was moved elsewhere when the dialog closed. */
export function restoreFocus(previous: Element | null): void {
  const { activeElement: focused } = document
  const isLost = focused === null || focused === document.body || focused.hasAttribute('data-modal')
  if (isLost && previous instanceof HTMLElement) previous.focus()
}
