import type { ReactNode } from 'react'
import './Page.css'

interface Props {
  readonly title: string
  /** One sentence on what the page is for. */
  readonly lead: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page that is read from top to bottom, with its title and what can be done. */
export function Page({ title, lead, actions, children }: Props) {
  return (
    <div className="page">
      <div className="page-inner">
        <header className="page-head">
          <div>
            <h1>{title}</h1>
            <p>{lead}</p>
          </div>
          {actions}
        </header>
        {children}
      </div>
    </div>
  )
}

interface CardProps {
  readonly title: string
  /** The title as it is drawn, where that is more than its words. */
  readonly heading?: ReactNode
  readonly note?: string
  readonly children: ReactNode
}

/** A group of things that belong together. */
export function Card({ title, heading = title, note, children }: CardProps) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{heading}</h2>
        {note !== undefined && <p>{note}</p>}
      </header>
      <div className="card-body">{children}</div>
    </section>
  )
}
