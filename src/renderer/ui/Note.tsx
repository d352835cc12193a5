import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Text } from './Layout.tsx'
import './Note.css'

interface Props {
  readonly tone: 'info' | 'invalid' | 'missing' | 'unsigned'
  readonly children: ReactNode
  readonly action?: ReactNode
  /** Read out at once. */
  readonly alert?: boolean
}

/** A quiet strip that says one thing, with the button for what to do. */
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
