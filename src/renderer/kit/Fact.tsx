import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface Props {
  readonly name: string
  readonly mono?: boolean
  readonly children: ReactNode
}

/** A name and its value, in a `dl` that is a grid of two columns. */
export function Fact({ name, mono = false, children }: Props) {
  return (
    <>
      <dt className="text-mid">{name}</dt>
      <dd className={cx('min-w-0 wrap-anywhere', mono && 'mono', mono && 'select-text')}>
        {children}
      </dd>
    </>
  )
}
