import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface Props {
  label: string
  /** The column headings. The last column takes the remaining space. */
  columns: readonly string[]
  children: ReactNode
}

export function Table({ label, columns, children }: Props) {
  return (
    <table className="table w-full" aria-label={label}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface FactProps {
  name: string
  mono?: boolean
  children: ReactNode
}

/** A name and its value, in a `dl` that is a grid of two columns. */
export function Fact({ name, mono = false, children }: FactProps) {
  return (
    <>
      <dt className="text-mid">{name}</dt>
      <dd className={cx('min-w-0 wrap-anywhere', mono && 'mono', mono && 'select-text')}>
        {children}
      </dd>
    </>
  )
}
