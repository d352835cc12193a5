import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
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
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="dialog-scrim" />
        <Radix.Content
          className="dialog"
          data-wide={wide || undefined}
          data-large={large || undefined}
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
