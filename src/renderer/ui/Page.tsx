import type { ReactNode } from 'react'
import { Row, Stack } from './Layout.tsx'
import './Page.css'

interface Props {
  readonly title: string
  /** `h2` beside a side panel, whose page has a heading of its own. Default: `h1`. */
  readonly heading?: 'h1' | 'h2'
  /** One sentence on what the page is for. */
  readonly lead: string
  readonly help?: ReactNode
  readonly actions?: ReactNode
  /** As wide as the window. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A scrollable page with a title and actions. */
export function Page(props: Props) {
  const { title, heading: Heading = 'h1', lead, help, actions, wide, children } = props
  return (
    <div className="page full scroll">
      <Stack gap={6} className="page-inner" data-wide={wide || undefined}>
        <Row as="header" align="end" justify="between" gap={6} className="page-head">
          <div>
            <Heading className="size-xl">{title}</Heading>
            <p className="mid">
              {lead} {help}
            </p>
          </div>
          {actions}
        </Row>
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
