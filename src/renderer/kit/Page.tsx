import type { ReactNode, ComponentProps } from 'react'
import { PageActions } from './PageHead.tsx'
import { Icons } from './icons.tsx'
import { cx } from './cx.ts'

interface Props {
  /** Of a page beside a side panel. The other pages have the title of their tab. */
  title?: string
  /** One sentence on what the page is for. */
  lead?: string
  help?: ReactNode
  /** In the head, or beside the title. */
  actions?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A scrollable page, with its actions in the head. */
export function Page({ title, lead, help, actions, wide, children }: Props) {
  return (
    <div className="page h-full overflow-auto">
      <div
        className="page-inner grid max-w-(--measure-page) gap-6 px-7 pt-6 pb-10 data-wide:max-w-none below-760:px-7 below-760:pt-6 below-760:pb-8 below-480:grid-cols-1 below-480:px-5 below-480:pt-5 below-480:pb-8"
        data-wide={wide || undefined}
      >
        {title !== undefined && (
          <div className="flex flex-wrap items-center justify-between gap-6">
            <h2 className="text-xl">{title}</h2>
            {actions}
          </div>
        )}
        {lead !== undefined && (
          <p className="text-mid">
            {lead} {help}
          </p>
        )}
        {title === undefined && actions && <PageActions>{actions}</PageActions>}
        {children}
      </div>
    </div>
  )
}

interface CardProps {
  title: string
  note?: string
  children: ReactNode
}

export function Card({ title, note, children }: CardProps) {
  return (
    <section
      className="card framed below-760:grid-cols-1 below-760:gap-5 below-480:p-5"
      aria-label={title}
    >
      <header>
        <h2>{title}</h2>
        {note !== undefined && <p className="mt-1 text-s text-dim">{note}</p>}
      </header>
      <div className="grid min-w-0 content-start gap-5">{children}</div>
    </section>
  )
}

interface FoldProps extends ComponentProps<'details'> {
  summary: ReactNode
}

export function Fold({ summary, children, className, ...rest }: FoldProps) {
  return (
    <details {...rest} className={cx('fold', className)}>
      <summary>
        <Icons.ChevronRight className="fold-mark [transition:rotate_var(--ease)]" />
        {summary}
      </summary>
      {children}
    </details>
  )
}
