import { Icons, type IconOrElement } from './icons.tsx'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Field } from './Field.tsx'
import { ErrorNote } from './Note.tsx'
import { SubmittedContext } from './use-draft.tsx'
import { useForm, type Form } from './use-form.ts'
import './Field.css'
import './Dialog.css'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  help?: ReactNode
  children: ReactNode
  wide?: boolean
  /** As large as the window allows. Its parts scroll separately. */
  large?: boolean
}

/** A modal dialog. Radix's overlay is omitted on purpose: it injects a style element to lock scrolling, which the content security policy refuses. */
export function Dialog({ open, onClose, title, description, help, children, wide, large }: Props) {
  const previousFocus = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-(--layer-dialog) [animation:fade_var(--ease)] bg-(--scrim)" />
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
          <Radix.Title className="dialog-title pr-9 text-l">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="mt-2 text-mid">{description}</Radix.Description>
          )}
          {children}
          {help !== undefined && (
            <div className="dialog-help absolute top-[calc(var(--space-6)_+_1px)] right-[3.25rem]">
              {help}
            </div>
          )}
          {/* Last, so that the first field has the focus when the dialog opens. */}
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-6 right-6">
              <Icons.X />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface FormProps {
  form: Pick<Form, 'submit' | 'busy' | 'error'> & { readonly submitted?: boolean }
  onClose: () => void
  action: ReactNode
  icon?: IconOrElement | undefined
  actions?: ReactNode
  disabled?: boolean
  children: ReactNode
}

/** The form of a dialog: its fields, the error of its action, and its buttons. */
export function DialogForm(props: FormProps) {
  const { form, onClose, action, icon, actions, disabled = false, children } = props
  return (
    <form
      className="form mt-5 grid gap-5 [&_.dialog-actions]:mt-2 [&_.segments]:justify-self-start"
      onSubmit={(event) => {
        event.preventDefault()
        if (!disabled && !form.busy) form.submit()
      }}
    >
      <SubmittedContext value={form.submitted === true}>{children}</SubmittedContext>
      <ErrorNote error={form.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        {actions}
        <Button kind="primary" type="submit" icon={icon} busy={form.busy} disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  )
}

export function FormDialog(props: FormProps & Omit<Props, 'open'>) {
  return (
    <Dialog open {...props}>
      <DialogForm {...props} />
    </Dialog>
  )
}

interface NameProps {
  title: string
  description?: string
  action: string
  name: string
  /** Saves the trimmed name. The dialog closes once it is saved. */
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** A dialog that names or renames something. */
export function NameDialog({ name, onSave, ...dialog }: NameProps) {
  const [text, setText] = useState(name)
  const trimmed = text.trim()
  const form = useForm({}, async () => {
    await onSave(trimmed)
    dialog.onClose()
  })
  return (
    <FormDialog {...dialog} form={form} disabled={trimmed === ''}>
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
