import { count, counted } from '../../components/text/numbers.ts'
import { hexLine, printed } from '../body/hex-text.ts'
import type { ByteDiff } from './byte-diff.ts'

const perLine = 16

/** Where two bodies differ first, with the bytes around it. */
export function ByteDiffView({ diff }: { readonly diff: ByteDiff }) {
  const { at, from, around, sizes } = diff
  if (at === null) return null
  const ended = sizes.findIndex((size) => size === at)
  return (
    <div className="diff-box">
      <p className="dim">
        {ended >= 0
          ? `They are the same up to byte ${count(at)}, where the one ${ended === 0 ? 'before' : 'after'} ends.`
          : `They differ first at byte ${count(at)}, counted from 0.`}{' '}
        {counted(sizes[0], 'byte', 'bytes')} before, {count(sizes[1])} after.
      </p>
      <Hex label="Bytes before" bytes={around[0]} from={from} at={at} />
      <Hex label="Bytes after" bytes={around[1]} from={from} at={at} />
    </div>
  )
}

interface HexProps {
  readonly label: string
  readonly bytes: Uint8Array
  readonly from: number
  readonly at: number
}

function Hex({ label, bytes, from, at }: HexProps) {
  const lines = Array.from({ length: Math.ceil(bytes.length / perLine) }, (_, line) => ({
    begin: from + line * perLine,
    part: bytes.subarray(line * perLine, (line + 1) * perLine),
  }))
  return (
    <div
      className="diff-hex mono selectable"
      role="region"
      aria-label={label}
      // It scrolls, so the keyboard must be able to reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      <h4>{label}</h4>
      {lines.length === 0 && <p className="dim">none</p>}
      {lines.map(({ begin, part }) => (
        <div
          key={begin}
          className="hex-line"
          data-now={(at >= begin && at < begin + perLine) || undefined}
        >
          <span className="line-number">{begin.toString(16).padStart(8, '0')}</span>
          <span className="hex-bytes">{hexLine(part)}</span>
          <span className="hex-text">{printed(part)}</span>
        </div>
      ))}
    </div>
  )
}
