import { useCallback, useState } from 'react'
import { cx } from '../../components/cx.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import { BodyComing } from './BodyComing.tsx'
import { Marked } from './Marked.tsx'
import type { BodyCalls } from './open-body.ts'
import { useRows } from './use-rows.ts'
import type { Search } from './use-search.ts'
import { useFound } from './use-search.ts'

interface Props {
  readonly calls: BodyCalls
  /** Bytes that are here: with more of them there are more lines. */
  readonly held: number
  readonly search: Search
}

/** The body as the text it is, nothing laid out anew. */
export function TextView({ calls, held, search }: Props) {
  const { wanted } = search
  const found = useFound(calls, 'text', search)
  /** A search was on already when this view was chosen. */
  const [sought] = useState(search.wanted !== '')
  const line = found?.line ?? null
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('textRows', window), [calls]),
    { version: held, reveal: line },
  )
  // Drawn once it is known where to: what comes later would take the user away from where they went.
  if (!ready || (sought && search.wanted !== '' && found === null)) return <BodyComing />
  return (
    <VirtualLines
      label="Body as text"
      count={count}
      reveal={reveal}
      onSeen={onSeen}
      renderLine={(index) => {
        const row = rowAt(index)
        return (
          row && (
            <div className={cx('text-line', index === line && 'tree-now')}>
              <span className="line-number" aria-hidden>
                {row.number === 0 ? '↪' : row.number}
              </span>
              <Marked text={row.text} wanted={wanted} />
            </div>
          )
        )
      }}
    />
  )
}
