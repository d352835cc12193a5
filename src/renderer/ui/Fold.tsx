import { Icons } from './icons.tsx'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './Layout.tsx'
import './Fold.css'

interface Props extends ComponentProps<'details'> {
  readonly summary: ReactNode
}

export function Fold({ summary, children, className, ...rest }: Props) {
  return (
    <details {...rest} className={cx('fold', className)}>
      <summary>
        <Icons.ChevronRight className="fold-mark" />
        {summary}
      </summary>
      {children}
    </details>
  )
}
