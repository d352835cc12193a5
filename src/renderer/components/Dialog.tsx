import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import './Dialog.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** One sentence under the title. */
  readonly description?: string
  readonly children: ReactNode
  readonly wide?: boolean
  /** As large as the window lets it be; what is in it scrolls in parts of its own. */
  readonly large?: boolean
}

/**
 * A modal dialog. Radix's own overlay is left out on purpose: it injects a style element to lock scrolling,
 * which the content security policy refuses.
 */
export function Dialog({ open, onClose, title, description, children, wide, large }: Props) {
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="dialog-scrim" />
        <Radix.Content
          className="dialog"
          data-modal
          data-wide={wide || undefined}
          data-large={large || undefined}
          // Radix gives the focus back to a trigger of its own, which these dialogs do not have.
          onOpenAutoFocus={() => {
            before.current = document.activeElement
          }}
          onCloseAutoFocus={() => giveBack(before.current)}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <Radix.Title className="dialog-title">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="dialog-text">{description}</Radix.Description>
          )}
          {children}
          {/* Last, so that the first field has the focus when the dialog opens. */}
          <Radix.Close asChild>
            <IconButton label="Close" className="dialog-close">
              <X aria-hidden />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The focus goes back to where it was, unless whoever closed the dialog has put it elsewhere. */
export function giveBack(before: Element | null): void {
  const { activeElement: now } = document
  const lost = now === null || now === document.body || now.hasAttribute('data-modal')
  if (lost && before instanceof HTMLElement) before.focus()
}
