import { Fragment, type ReactNode } from 'react'
import { truncate, visibleParts } from './text/visible.ts'
import type { Mark } from './text/search-terms.ts'

/** Breaks a hash between groups of 16 digits only, so that no line has a single one. */
export function Hash({ text }: { text: string }) {
  if (!/^[0-9a-f]{32,128}$/i.test(text)) return <Shown text={text} />
  return (
    <span className="hash wrap-normal">
      {(text.match(/.{1,16}/g) ?? []).map((group, index) => (
        // The text does not change, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {group}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}

interface Props {
  text: string
  max?: number
}

/** Untrusted text, with invisible and control characters shown as escapes. */
export function Shown({ text, max = Infinity }: Props) {
  const short = truncate(text, max)
  const parts = visibleParts(short)
  if (parts.length === 1 && parts[0] && !parts[0].escaped) return short
  return parts.map((part, index) =>
    part.escaped ? (
      // The text does not change, so the index is the key.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className="escape">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}

/** A sentence of ours, in which backticks enclose code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const Part = index % 2 === 1 ? 'code' : 'span'
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the text does not change
      <Part key={index} className={Part === 'code' ? 'mono' : undefined}>
        <Shown text={part} />
      </Part>
    )
  })
}

interface MarkedTextProps {
  text: string
  /** The matched ranges, in order, without overlap. */
  marks: readonly Mark[]
}

export function MarkedText({ text, marks }: MarkedTextProps) {
  const pieces: ReactNode[] = []
  let done = 0
  for (const [from, to] of marks) {
    pieces.push(
      text.slice(done, from),
      <mark key={from} className="found">
        {text.slice(from, to)}
      </mark>,
    )
    done = to
  }
  return (
    <>
      {pieces}
      {text.slice(done)}
    </>
  )
}
