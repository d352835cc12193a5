import { Icons } from './icons.tsx'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx.ts'
import './Field.css'

interface Frame {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Why the value is invalid. Shown below the field and announced with it. */
  readonly error?: string | null | undefined
  /** True for a moment after the value was saved. */
  readonly saved?: boolean
  readonly after?: ReactNode
}

interface InputProps extends Frame, ComponentProps<'input'> {}

/** A labelled input with a hint, an error and a "Saved" indicator. */
export function Field({ label, hint, error, saved, after, className, ...input }: InputProps) {
  const id = useId()
  const noteId = error ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={cx('field', className)}>
      <label htmlFor={id}>{label}</label>
      <div className="field-line flex min-w-0 items-center gap-4">
        <input
          spellCheck={false}
          autoComplete="off"
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={noteId}
        />
        {after}
        <Saved shown={saved === true && !error} />
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  )
}

interface SelectProps extends Frame, ComponentProps<'select'> {}

export function SelectField({ label, hint, error, after, className, ...rest }: SelectProps) {
  const id = useId()
  return (
    <div className={cx('field', className)}>
      <label htmlFor={id}>{label}</label>
      <div className="field-line flex min-w-0 items-center gap-4">
        <select {...rest} id={id} />
        {after}
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  )
}

interface InlineProps extends ComponentProps<'select'> {
  /** If omitted, `aria-label` is required. */
  label?: ReactNode
  small?: boolean
}

/** A native select within a line of other elements, with its label before it. */
export function InlineSelect({ label, small, ...rest }: InlineProps) {
  const id = useId()
  return (
    <span
      className="inline-flex min-w-0 items-center gap-3 [&_select]:max-w-(--measure-aside) data-small:[&_select]:h-(--control-s) data-small:[&_select]:text-s"
      data-small={small || undefined}
    >
      {label !== undefined && (
        <label
          className="inline-flex items-center gap-3 text-s whitespace-nowrap text-dim"
          htmlFor={id}
        >
          {label}
        </label>
      )}
      <span className="field">
        <select {...rest} id={id} />
      </span>
    </span>
  )
}

function Saved({ shown }: { shown: boolean }) {
  return (
    <span className="items-center gap-2 text-s text-valid empty:hidden" role="status">
      {shown && (
        <>
          <Icons.Check /> Saved
        </>
      )}
    </span>
  )
}

function FieldNote({ id, hint, error }: Pick<Frame, 'hint' | 'error'> & { readonly id: string }) {
  if (error) {
    return (
      <p className="field-error" id={`${id}-error`} role="alert">
        <Icons.CircleAlert className="mt-1" /> {error}
      </p>
    )
  }
  if (hint === undefined) return null
  return (
    <p className="field-hint text-s text-dim" id={`${id}-hint`}>
      {hint}
    </p>
  )
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onChange: (checked: boolean) => void
}

/** A native checkbox, without its label. */
export function Checkbox({ onChange, ...rest }: CheckboxProps) {
  return <input type="checkbox" {...rest} onChange={({ target }) => onChange(target.checked)} />
}

interface CheckProps {
  label: string
  note: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ label, note, checked, disabled, onChange }: CheckProps) {
  return (
    <label className="check flex items-start gap-4">
      <Checkbox checked={checked} disabled={disabled} onChange={onChange} />
      <span>
        {label}
        <small>{note}</small>
      </span>
    </label>
  )
}
