import { DropdownMenu } from 'radix-ui'
import { createContext, use, useRef, type ReactNode } from 'react'
import { keyLabel } from './text/key-labels.ts'
import { Button } from './Button.tsx'
import { Icons, type IconOrElement, iconElement } from './icons.tsx'
import './Menu.css'

const RunLater = createContext<(run: () => void) => void>(() => undefined)

interface Props {
  label: string
  children: ReactNode
}

/** A button with three dots, and the menu that it opens. */
export function MoreMenu({ label, children }: Props) {
  const trigger = useRef<HTMLButtonElement>(null)
  /** Runs after the menu has returned the focus, so that a dialog that it opens returns it to the same button. */
  const pending = useRef<(() => void) | null>(null)
  function onClosed(event: Event): void {
    event.preventDefault()
    trigger.current?.focus()
    const run = pending.current
    pending.current = null
    run?.()
  }
  return (
    // Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button ref={trigger} aria-label={label} title={label}>
          <Icons.Ellipsis />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu grid w-(--measure-menu) p-2"
        align="end"
        sideOffset={6}
        collisionPadding={8}
        data-scrolls
        onCloseAutoFocus={onClosed}
      >
        <RunLater
          value={(run) => {
            pending.current = run
          }}
        >
          {children}
        </RunLater>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  icon?: IconOrElement | undefined
  /** The key that does the same, as written in the command registry. */
  hint?: string | undefined
  note?: string
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, hint, note, onSelect, children }: ItemProps) {
  const runLater = use(RunLater)
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => runLater(onSelect)}>
      <span className="menu-tick">{iconElement(icon)}</span>
      <span className="menu-words grid min-w-0 flex-1">
        {children}
        {note !== undefined && <small className="text-dim">{note}</small>}
      </span>
      {hint !== undefined && <kbd aria-hidden>{keyLabel(hint)}</kbd>}
    </DropdownMenu.Item>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="mx-0 my-2 h-px bg-line" />
}
