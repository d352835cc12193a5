import { createContext, type ReactNode, use, useState } from 'react'
import { createPortal } from 'react-dom'
import './Tabs.css'
import './PageHead.css'

interface Props {
  title: string
  tabs: ReactNode
  /** In one line, so that more of the page is seen. */
  low: boolean
  /** The page, whose `PageActions` are shown at the right. */
  children: ReactNode
}

const ActionsContext = createContext<HTMLElement | null>(null)

/** The head of every page: its title, its tabs below, and the actions of the open tab at the right. */
export function PageHead({ title, tabs, low, children }: Props) {
  const [actions, setActions] = useState<HTMLElement | null>(null)
  return (
    <ActionsContext value={actions}>
      <header className="page-head" data-low={low || undefined}>
        <h1>{title}</h1>
        {tabs && (
          <nav className="tabs" aria-label={`Tabs of ${title}`}>
            {tabs}
          </nav>
        )}
        <div
          className="page-actions flex min-w-0 items-center justify-end gap-4 below-480:flex-wrap below-480:justify-start"
          ref={setActions}
        />
      </header>
      {children}
    </ActionsContext>
  )
}

interface TabProps {
  href: string
  current: boolean
  note?: string | undefined
  after?: ReactNode
  children: string
}

export function TabLink({ href, current, note, after, children }: TabProps) {
  return (
    <span
      className="tab -mb-px inline-flex max-w-(--measure-aside) min-w-0 items-center border-b-2 border-b-transparent data-current:border-accent [&>a[aria-current]]:font-semibold [&>a[aria-current]]:text-ink"
      data-current={current || undefined}
    >
      <a href={href} aria-current={current ? 'page' : undefined} title={children}>
        <span className="cut">{children}</span>
        {note !== undefined && <span className="text-xs font-medium text-dim">{note}</span>}
      </a>
      {after}
    </span>
  )
}

/** Shows its children at the right of the page's head. */
export function PageActions({ children }: { children: ReactNode }) {
  const actions = use(ActionsContext)
  return actions && createPortal(children, actions)
}
