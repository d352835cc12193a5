import { useState } from 'react'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { Note } from './Note.tsx'

interface Props {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
  readonly error?: string | null
  /** In characters. */
  readonly maxLength?: number
}

/** A field for a secret that the user pastes. White space at its ends is reported, and trimmed or kept as the user decides. */
export function SecretField({ value, onValue, ...field }: Props) {
  const [kept, setKept] = useState<string | null>(null)
  return (
    <>
      <Field
        {...field}
        type="password"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      {value !== value.trim() && value !== kept && (
        <Note
          tone="missing"
          alert
          action={
            <>
              <Button onClick={() => onValue(value.trim())}>Trim</Button>
              <Button kind="quiet" onClick={() => setKept(value)}>
                Keep
              </Button>
            </>
          }
        >
          The secret starts or ends with white space, which is rarely intended.
        </Note>
      )}
    </>
  )
}
