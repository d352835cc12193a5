import type { ReactNode } from 'react'
import './Table.css'

interface Props {
  readonly label: string
  /** The heads of the columns. The last column takes the room that is left. */
  readonly columns: readonly string[]
  /** Its rows. */
  readonly children: ReactNode
}

/** A table with a line under each row. */
export function Table({ label, columns, children }: Props) {
  return (
    <table className="table" aria-label={label}>
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
