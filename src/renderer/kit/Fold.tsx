import { Icons } from './icons.tsx'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import './Fold.css'

interface Props extends ComponentProps<'details'> {
  readonly summary: ReactNode
}

export function Fold({ summary, children, className, ...rest }: Props) {
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
