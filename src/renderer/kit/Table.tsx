import type { ReactNode } from 'react'
import './Table.css'

interface Props {
  readonly label: string
  /** The column headings. The last column takes the remaining space. */
  readonly columns: readonly string[]
  readonly children: ReactNode
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
