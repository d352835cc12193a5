import { useState, type ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Field } from './Field.tsx'
import { Icons } from './icons.tsx'
import { Note } from './Note.tsx'

interface Props {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string
  error?: string | null
  /** In characters. */
  maxLength?: number
  autoComplete?: string
  after?: ReactNode
}

/** A field for a pasted secret, hidden unless the user shows it. Warns about leading or trailing white space, which the user can trim or keep. */
export function SecretField({ value, onValue, after, ...field }: Props) {
  const [shown, setShown] = useState(false)
  const [acceptedValue, setAcceptedValue] = useState<string | null>(null)
  return (
    <>
      <Field
        {...field}
        type={shown ? 'text' : 'password'}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        after={
          <>
            <IconButton
              label={`${shown ? 'Hide' : 'Show'} what you entered`}
              onClick={() => setShown(!shown)}
            >
              {shown ? <Icons.EyeOff /> : <Icons.Eye />}
            </IconButton>
            {after}
          </>
        }
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
