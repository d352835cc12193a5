import type { ReactNode } from 'react'
import { Row, Stack } from './Layout.tsx'
import { PageActions } from './PageHead.tsx'
import './Page.css'

interface Props {
  /** Of a page beside a side panel. The other pages have the title of their tab. */
  readonly title?: string
  /** One sentence on what the page is for. */
  readonly lead: string
  readonly help?: ReactNode
  /** In the head, or beside the title. */
  readonly actions?: ReactNode
  /** As wide as the window. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A scrollable page, with its actions in the head. */
export function Page({ title, lead, help, actions, wide, children }: Props) {
  return (
    <div className="page full scroll">
      <Stack gap={6} className="page-inner" data-wide={wide || undefined}>
        {title !== undefined && (
          <Row align="center" justify="between" gap={6} wrap>
            <h2 className="size-xl">{title}</h2>
            {actions}
          </Row>
        )}
        <p className="mid">
          {lead} {help}
        </p>
        {title === undefined && actions && <PageActions>{actions}</PageActions>}
        {children}
      </Stack>
    </div>
  )
}

interface CardProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}

export function Card({ title, note, children }: CardProps) {
  return (
    <section className="card framed" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && <p className="margin-top-1 size-s dim">{note}</p>}
      </header>
      <Stack gap={5} shrink className="card-body">
        {children}
      </Stack>
    </section>
  )
}
