import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import './Tooltip.css'

interface Props {
  readonly text: ReactNode
  /** One element that can have the focus. */
  readonly children: ReactNode
}

/** Words on hover and on focus. */
export function Tooltip({ text, children }: Props) {
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side="top" align="start" sideOffset={4}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
