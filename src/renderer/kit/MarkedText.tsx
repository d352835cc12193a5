import type { ReactNode } from 'react'
import type { Mark } from './text/search-terms.ts'
import './MarkedText.css'

interface Props {
  readonly text: string
  /** The matched ranges, in order, without overlap. */
  readonly marks: readonly Mark[]
}

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
