import { useCallback } from 'react'
import { cx } from '../../components/cx.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
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
  const line = useFound(calls, 'hex', search)?.line ?? null
  const { count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('hexRows', window), [calls]),
    { version: held, reveal: line },
  )
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
