import { useCallback, useState } from 'react'
import { cx } from '../../components/cx.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import { BodyComing } from './BodyComing.tsx'
import { bytesPerLine } from './body-model.ts'
import { hexLine, printed } from './hex-text.ts'
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

/** The body as bytes: offset, hex, and the characters that print. Search is for printed characters. */
export function HexView({ calls, held, search }: Props) {
  const found = useFound(calls, 'hex', search)
  /** A search was on already when this view was chosen. */
  const [sought] = useState(search.wanted !== '')
  const line = found?.line ?? null
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('hexRows', window), [calls]),
    { version: held, reveal: line },
  )
  // Drawn once it is known where to: what comes later would take the user away from where they went.
  if (!ready || (sought && search.wanted !== '' && found === null)) return <BodyComing />
  return (
    <VirtualLines
      label="Body as bytes"
      count={count}
      reveal={reveal}
      onSeen={onSeen}
      renderLine={(index) => {
        const part = rowAt(index)
        return (
          part && (
            <div className={cx('hex-line', index === line && 'tree-now')}>
              <span className="line-number">
                {(index * bytesPerLine).toString(16).padStart(8, '0')}
              </span>
              <span className="hex-bytes">{hexLine(part)}</span>
              <span className="hex-text">{printed(part)}</span>
            </div>
          )
        )
      }}
    />
  )
}
