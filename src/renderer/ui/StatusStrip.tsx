import { type IconOrElement, iconElement } from './icons.tsx'
import type { ReactNode } from 'react'
import { Row, cx } from './Layout.tsx'
import './StatusStrip.css'

interface Props {
  readonly label: string
  readonly icon: IconOrElement
  readonly children: ReactNode
  /** The progress; omitted when the work has ended. */
  readonly progress?: ReactNode
  readonly actions: ReactNode
  readonly className?: string
}

/** Background work in one line below every page. */
export function StatusStrip({ label, icon, children, progress, actions, className }: Props) {
  return (
    <section
      className={cx('status-strip', className)}
      aria-label={label}
      data-ended={progress === undefined || undefined}
    >
      {iconElement(icon)}
      {children}
      {progress}
      <Row as="span" fixed align="center" gap={3}>
        {actions}
      </Row>
    </section>
  )
}
