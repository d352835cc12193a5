import { CircleAlert, Info } from './icons.tsx'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Text } from './Layout.tsx'
import './Note.css'

interface Props {
  readonly tone: 'info' | 'invalid' | 'missing' | 'unsigned'
  readonly children: ReactNode
  readonly action?: ReactNode
  /** Announced immediately. */
  readonly alert?: boolean
}

/** A short message, with an optional action. */
export function Note({ tone, children, action, alert }: Props) {
  return (
    <div className="note" data-tone={tone} role={alert ? 'alert' : undefined}>
      {tone === 'info' || tone === 'unsigned' ? <Info aria-hidden /> : <CircleAlert aria-hidden />}
      <Text as="div" grow shrink anywhere>
        {children}
      </Text>
      {action}
    </div>
  )
}

/** The message of an error, if there is one. */
export function ErrorNote({ message }: { readonly message: string | null | undefined }) {
  if (message === null || message === undefined) return null
  return (
    <Note tone="invalid" alert>
      {message}
    </Note>
  )
}

interface RetryProps {
  readonly message: ReactNode
  readonly onRetry: () => void
}

/** Why something could not be loaded, with a button that tries again. */
export function RetryNote({ message, onRetry }: RetryProps) {
  return (
    <Note tone="invalid" alert action={<Button onClick={onRetry}>Try again</Button>}>
      {message}
    </Note>
  )
}
