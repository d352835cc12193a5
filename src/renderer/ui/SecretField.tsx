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

/** A field for a pasted secret. Warns about leading or trailing white space, which the user can trim or keep. */
export function SecretField({ value, onValue, ...field }: Props) {
  const [acceptedValue, setAcceptedValue] = useState<string | null>(null)
  return (
    <>
      <Field
        {...field}
        type="password"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      {value !== value.trim() && value !== acceptedValue && (
        <Note
          tone="warning"
          alert
          action={
            <>
              <Button onClick={() => onValue(value.trim())}>Trim</Button>
              <Button kind="quiet" onClick={() => setAcceptedValue(value)}>
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
