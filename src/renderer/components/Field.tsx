import { CircleAlert, Check } from 'lucide-react'
import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import './Field.css'

interface Frame {
  readonly label: ReactNode
  /** A quiet sentence under the field. */
  readonly hint?: ReactNode
  /** Why the value is not taken; drawn beside the field and read out with it. */
  readonly error?: string | null | undefined
  /** True for a moment after the value was stored. */
  readonly saved?: boolean
  /** A unit, or buttons, at the field's end. */
  readonly after?: ReactNode
}

interface InputProps extends Frame, ComponentProps<'input'> {}

/** A labelled input with its hint, its error and the word that it was saved. */
export function Field({ label, hint, error, saved, after, className, ...input }: InputProps) {
  const id = useId()
  const noted = error ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={cx('field', className)}>
      <label htmlFor={id}>{label}</label>
      <div className="field-line">
        <input
          spellCheck={false}
          autoComplete="off"
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={noted}
        />
        {after}
        <Saved shown={saved === true} />
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  )
}

interface SelectProps extends Frame, ComponentProps<'select'> {}

/** A labelled native select. */
export function SelectField({ label, hint, error, saved, after, className, ...rest }: SelectProps) {
  const id = useId()
  return (
    <div className={cx('field', className)}>
      <label htmlFor={id}>{label}</label>
      <div className="field-line">
        <select {...rest} id={id} />
        {after}
        <Saved shown={saved === true} />
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  )
}

function Saved({ shown }: { readonly shown: boolean }) {
  return (
    <span className="field-saved" role="status">
      {shown && (
        <>
          <Check aria-hidden /> Saved
        </>
      )}
    </span>
  )
}

function FieldNote({ id, hint, error }: Pick<Frame, 'hint' | 'error'> & { readonly id: string }) {
  if (error) {
    return (
      <p className="field-error" id={`${id}-error`} role="alert">
        <CircleAlert aria-hidden /> {error}
      </p>
    )
  }
  if (hint === undefined) return null
  return (
    <p className="field-hint" id={`${id}-hint`}>
      {hint}
    </p>
  )
}
