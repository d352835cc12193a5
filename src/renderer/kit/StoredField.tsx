import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Field } from './Field.tsx'
import { messageOf } from './use-action.ts'

const savedFor = 2500

interface Props {
  label: ReactNode
  hint?: ReactNode
  /** The stored value, formatted for the field. */
  stored: string
  check: (text: string) => string | null
  store: (text: string) => Promise<void>
  after?: ReactNode
  mono?: boolean
  numeric?: boolean
  readOnly?: boolean
  /** Called with the draft at each change; null when it equals the stored value. */
  onDraft?: (text: string | null) => void
}

/** A field that saves its value on blur or Enter and shows "Saved". Escape discards the change. */
export function StoredField(props: Props) {
  const { label, hint, stored, check, store, after, mono, numeric, readOnly } = props
  const [draft, setDraftText] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)
  useEffect(() => {
    if (!saved) return undefined
    const timer = setTimeout(() => setSaved(false), savedFor)
    return () => clearTimeout(timer)
  }, [saved])

  const latest = useRef<string | null>(null)
  function setDraft(text: string | null): void {
    latest.current = text
    setDraftText(text)
    props.onDraft?.(text)
  }

  async function save(): Promise<void> {
    if (draft === null || draft.trim() === stored) return discard()
    const text = draft.trim()
    const problem = check(text)
    setError(problem)
    if (problem !== null) return
    try {
      await store(text)
      // What was typed meanwhile stays, and is not what was saved.
      if (latest.current !== draft) return
      setDraft(null)
      setSaved(true)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }

  function discard(): void {
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
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save()
        if (event.key === 'Escape') discard()
      }}
    />
  )
}
