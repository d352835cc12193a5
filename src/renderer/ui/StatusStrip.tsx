import type { ReactNode } from 'react'
import { Row } from './Layout.tsx'
import { cx } from './cx.ts'
import './StatusStrip.css'

interface Props {
  /** What is going on, as a name for the strip. */
  readonly label: string
  readonly icon: ReactNode
  /** How it stands, in a sentence. */
  readonly children: ReactNode
  /** How far it is; absent once it has ended. */
  readonly progress?: ReactNode
  readonly actions: ReactNode
  readonly className?: string
}

/** Work that goes on in the background, in one line under every page. */
export function StatusStrip({ label, icon, children, progress, actions, className }: Props) {
  return (
    <section
      className={cx('status-strip', className)}
      aria-label={label}
      data-ended={progress === undefined || undefined}
    >
      {icon}
      {children}
      {progress}
      <Row as="span" fixed align="center" gap={3}>
        {actions}
      </Row>
    </section>
  )
}
