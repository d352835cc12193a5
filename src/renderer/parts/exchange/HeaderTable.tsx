import type { ReactNode } from 'react'
import type { Header } from '#contract/models.ts'
import { CopyButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import './HeaderTable.css'

const maxLength = 4000

interface Props {
  label: string
  headers: readonly Header[]
  /** The heading of the name column. */
  nameWord?: string
  drawValue?: (value: string) => ReactNode
}

/** Headers exactly as sent or received, with their order, case and duplicates. */
export function HeaderTable(props: Props) {
  const { label, headers, nameWord = 'Name as received', drawValue } = props
  const times = new Map<string, number>()
  for (const [name] of headers) {
    times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1)
  }
  if (headers.length === 0) return <p className="text-dim">No headers received.</p>
  return (
    <table
      className="headers framed w-full table-fixed overflow-clip text-s [&_tbody_th]:text-mid [&_thead_th]:border-t-0 [&_thead_th]:bg-bg [&_thead_th]:text-xs [&_thead_th]:text-dim [&_tr:hover_.icon-button]:opacity-100"
      aria-label={label}
    >
      <thead>
        <tr>
          <th scope="col">{nameWord}</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(([name, value], index) => {
          const lower = name.toLowerCase()
          return (
            // Names can repeat, so the index is the key.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <th scope="row" className="mono">
                <Shown text={name} max={200} />
                {(times.get(lower) ?? 0) > 1 && (
                  <span className="tag" data-tone="warning">
                    {times.get(lower)} times
                  </span>
                )}
              </th>
              <td className="mono select-text">
                <span>
                  {value === '' ? (
                    <em className="text-dim">empty</em>
                  ) : (
                    (drawValue?.(value) ?? <Shown text={value} max={maxLength} />)
                  )}
                </span>
                <CopyButton text={value} label={`Copy value of ${truncate(name, 60)}`} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
