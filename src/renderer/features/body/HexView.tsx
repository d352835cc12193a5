import { useCallback } from 'react'
import { cx } from '../../components/cx.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import type { Sliced } from './in-slices.ts'
import { useSliced } from './in-slices.ts'
import { places } from './search.ts'
import type { Search } from './use-search.ts'
import { useHits } from './use-search.ts'

const perLine = 16
/** Up to this many bytes are searched at once. */
const small = 512 * 1024
const latin1 = new TextDecoder('latin1')

/** The body as bytes: offset, hex, and the characters that print. Search is for printed characters. */
export function HexView({
  bytes,
  search,
}: {
  readonly bytes: Uint8Array
  readonly search: Search
}) {
  const { wanted } = search
  const hits = useSliced(
    useCallback(
      () => places(bytes.length, (from, to) => latin1.decode(bytes.subarray(from, to)), wanted),
      [bytes, wanted],
    ),
    wanted === '' || bytes.length <= small,
  )
  const hit = useHits(search, hits)
  const hitLine = hit === null ? null : Math.floor(hit / perLine)
  return (
    <VirtualLines
      label="Body as bytes"
      count={Math.ceil(bytes.length / perLine)}
      reveal={hitLine}
      renderLine={(index) => {
        const part = bytes.subarray(index * perLine, (index + 1) * perLine)
        return (
          <div className={cx('hex-line', index === hitLine && 'tree-now')}>
            <span className="line-number">{(index * perLine).toString(16).padStart(8, '0')}</span>
            <span className="hex-bytes">{hex(part)}</span>
            <span className="hex-text">{printed(part)}</span>
          </div>
        )
      }}
    />
  )
}

function hex(part: Uint8Array): string {
  const pairs = Array.from(part, (byte) => byte.toString(16).padStart(2, '0'))
  return `${pairs.slice(0, 8).join(' ').padEnd(23)}  ${pairs.slice(8).join(' ').padEnd(23)}`
}

function printed(part: Uint8Array): string {
  return Array.from(part, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
  ).join('')
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The bytes as one hex string, for the clipboard. */
export function* hexText(bytes: Uint8Array): Sliced<string> {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += 4096) {
    let part = ''
    for (const byte of bytes.subarray(from, from + 4096)) part += pairs[byte]
    parts.push(part)
    yield
  }
  return parts.join('')
}
