import { ChevronRight } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import './Fold.css'

interface Props extends ComponentProps<'details'> {
  /** What is always shown. */
  readonly summary: ReactNode
}

/** Something that is shown on demand. */
export function Fold({ summary, children, className, ...rest }: Props) {
  return (
    <details {...rest} className={cx('fold', className)}>
      <summary>
        <ChevronRight className="fold-mark" aria-hidden />
        {summary}
      </summary>
      {children}
    </details>
  )
}
