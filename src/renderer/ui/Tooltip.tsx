import { Tooltip as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import './Tooltip.css'

interface Props {
  readonly text: ReactNode
  /** One element that can have the focus. */
  readonly children: ReactNode
}

/** Milliseconds after the focus came by a key in which nothing but its going closes the words. */
const settles = 200

/** Words on hover and on focus. */
export function Tooltip({ text, children }: Props) {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const focusedAt = useRef(Number.NEGATIVE_INFINITY)

  /** A field out of sight is scrolled to when it gets the focus, and scrolling closes what it has just opened. */
  function change(next: boolean): void {
    const settling = performance.now() - focusedAt.current < settles
    if (!next && settling && document.activeElement === trigger.current) return
    setOpen(next)
  }

  return (
    <Radix.Root delayDuration={250} open={open} onOpenChange={change}>
      <Radix.Trigger
        asChild
        ref={trigger}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) focusedAt.current = performance.now()
        }}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side="top" align="start" sideOffset={4}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
