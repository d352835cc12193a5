import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../../ui/Field.tsx'
import { sentence } from '../../platform/call-error.ts'

/** Milliseconds for which "Saved" is shown. */
const savedFor = 2500

interface Props {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** The stored value as the field shows it. */
  readonly stored: string
  /** Why a text cannot be taken, or null. */
  readonly check: (text: string) => string | null
  readonly store: (text: string) => Promise<void>
  readonly after?: ReactNode
  readonly mono?: boolean
  readonly numeric?: boolean
  readonly readOnly?: boolean
  /** What is being written, at each change; null: as stored. */
  readonly onDraft?: (text: string | null) => void
}

/** A field that stores its value when it is left or Enter is pressed, and says so. Escape takes it back. */
export function StoredField(props: Props) {
  const { label, hint, stored, check, store, after, mono, numeric, readOnly } = props
  /** What the user wrote; null: as stored. */
  const [draft, write] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)
  useEffect(() => {
    if (!saved) return undefined
    const timer = setTimeout(() => setSaved(false), savedFor)
    return () => clearTimeout(timer)
  }, [saved])

  function setDraft(text: string | null): void {
    write(text)
    props.onDraft?.(text)
  }

  async function keep(): Promise<void> {
    if (draft === null || draft.trim() === stored) return takeBack()
    const text = draft.trim()
    const refused = check(text)
    setError(refused)
    if (refused !== null) return
    try {
      await store(text)
      setDraft(null)
      setSaved(true)
    } catch (reason) {
      setError(sentence(reason))
    }
  }

  function takeBack(): void {
    setDraft(null)
    setError(null)
  }

  return (
    <Field
      label={label}
      hint={hint}
      value={draft ?? stored}
      error={error}
      saved={saved}
      after={after}
      className={numeric ? 'field-short' : ''}
      inputMode={numeric ? 'numeric' : 'text'}
      data-mono={mono || undefined}
      readOnly={readOnly}
      onChange={(event) => {
        setDraft(event.target.value)
        setSaved(false)
      }}
      onBlur={() => void keep()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void keep()
        if (event.key === 'Escape') takeBack()
      }}
    />
  )
}
