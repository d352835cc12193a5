import type { ReactNode } from 'react'
import type { Mark } from './text/search-terms.ts'
import './MarkedText.css'

interface Props {
  readonly text: string
  /** What of it was found, in order, without overlap. */
  readonly marks: readonly Mark[]
}

/** A text with what was found of it set off. */
export function MarkedText({ text, marks }: Props) {
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
