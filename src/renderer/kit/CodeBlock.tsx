import { Fragment, useEffect, useState } from 'react'
import type { Token } from './highlight.ts'
import { Shown } from './Shown.tsx'

interface Props {
  label: string
  text: string
  /** Its name has the ending of the language, in which the text is highlighted. */
  file?: string
}

export function CodeBlock({ label, text, file }: Props) {
  const tokens = useTokens(file, text)
  return (
    // A scrollable element must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre
      className="mono code-block mt-4 max-h-(--measure-menu) overflow-auto rounded-md border border-line bg-sunken px-5 py-4 text-s leading-[1.6] wrap-anywhere whitespace-pre-wrap select-text"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {tokens.map((token, index) => (
        // The text does not change, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={colors[token.scope ?? '']}>
          <Lines text={token.text} />
        </span>
      ))}
    </pre>
  )
}

const colors: Readonly<Record<string, string>> = {
  comment: 'text-dim',
  doctag: 'text-dim',
  string: 'text-valid',
  regexp: 'text-valid',
  number: 'text-info',
  keyword: 'text-accent',
  literal: 'text-accent',
  built_in: 'text-accent',
  meta: 'text-mid',
  attr: 'font-semibold',
  title: 'font-semibold',
}

/** Without colors until the highlighter is loaded. */
function useTokens(file: string | undefined, text: string): readonly Token[] {
  const key = file === undefined ? null : `${file}\n${text}`
  const [highlighted, setHighlighted] = useState<{ key: string; tokens: Token[] } | null>(null)
  useEffect(() => {
    let isCurrent = true
    if (file !== undefined && key !== null) {
      import('./highlight.ts').then(
        ({ tokensOf }) => isCurrent && setHighlighted({ key, tokens: tokensOf(file, text) }),
        () => undefined,
      )
    }
    return () => {
      isCurrent = false
    }
  }, [file, key, text])
  return highlighted?.key === key && highlighted ? highlighted.tokens : [{ scope: null, text }]
}

function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && '\n'}
      <Shown text={line} />
    </Fragment>
  ))
}
