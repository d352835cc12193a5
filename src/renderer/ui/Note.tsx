import { Icons } from './icons.tsx'
import type { ReactNode } from 'react'
import { Text } from './Layout.tsx'
import './Note.css'

interface Props {
  readonly tone: 'info' | 'invalid' | 'warning' | 'unsigned'
  readonly children: ReactNode
  readonly action?: ReactNode
  /** Announced immediately. */
  readonly alert?: boolean
}

/** A short message, with an optional action. */
export function Note({ tone, children, action, alert }: Props) {
  return (
    <div className="note" data-tone={tone} role={alert ? 'alert' : undefined}>
      {tone === 'info' || tone === 'unsigned' ? <Icons.Info /> : <Icons.CircleAlert />}
      <Text as="div" grow shrink anywhere>
        {children}
      </Text>
      {action}
    </div>
  )
}
