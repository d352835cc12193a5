import { type IconOrElement, iconElement } from './icons.tsx'
import type { ReactNode } from 'react'
import { Row, Stack } from './Layout.tsx'
import './Empty.css'

interface Props {
  readonly icon: IconOrElement
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** The empty state of a page or pane: what it means, and what to do next. */
export function Empty({ icon, title, children, actions }: Props) {
  return (
    <div className="empty">
      <Stack center round="full" background="sunken" tone="dim" className="empty-icon">
        {iconElement(icon)}
      </Stack>
      <h2 className="size-l">{title}</h2>
      {children !== undefined && <p className="mid">{children}</p>}
      {actions !== undefined && (
        <Row wrap justify="center" gap={4} marginTop={5}>
          {actions}
        </Row>
      )}
    </div>
  )
}
