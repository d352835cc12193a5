import type { ReactNode } from 'react'
import './Empty.css'

interface Props {
  readonly icon: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** A page or pane with nothing in it: what that means, and the next thing to do. */
export function Empty({ icon, title, children, actions }: Props) {
  return (
    <div className="empty">
      <div className="empty-icon">{icon}</div>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="empty-actions">{actions}</div>}
    </div>
  )
}
