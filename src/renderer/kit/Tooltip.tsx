import { Tooltip as Radix } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'

interface Props {
  text: ReactNode
  children: ReactNode
}

/** How long after keyboard focus only losing the focus closes the tooltip, in milliseconds. */
const settleTime = 200

export function Tooltip({ text, children }: Props) {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const focusedAt = useRef(Number.NEGATIVE_INFINITY)

  /** Focusing an element can scroll it into view, and scrolling would close the tooltip that the focus has just opened. */
  function change(next: boolean): void {
    const settling = performance.now() - focusedAt.current < settleTime
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
        <Radix.Content
          className="tooltip z-(--layer-tooltip) max-w-(--measure-menu) rounded-md bg-ink px-4 py-3 text-s leading-[1.4] text-bg shadow-m"
          side="top"
          align="start"
          sideOffset={4}
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
