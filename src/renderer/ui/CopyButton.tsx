import { Icons } from './icons.tsx'
import { useEffect, useState } from 'react'
import { copyText } from '../platform/clipboard.ts'
import { Button, IconButton } from './Button.tsx'

interface Props {
  /** The text to copy, or a function that returns it on click. */
  readonly text: string | (() => string | Promise<string>)
  /** The accessible name: "Copy address". */
  readonly label: string
  /** Writes the text to the clipboard. Default: only that. */
  readonly copy?: (text: string) => Promise<void>
  /** A visible label next to the icon. */
  readonly words?: string
  readonly kind?: 'plain' | 'primary'
}

const shownFor = 1600

/** Copies a text and shows the result in the button for a moment. */
export function CopyButton({ text, label, copy = copyText, words, kind = 'plain' }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), shownFor)
    return () => clearTimeout(timer)
  }, [outcome])

  function start(): void {
    const given = typeof text === 'string' ? text : text()
    Promise.resolve(given)
      .then(copy)
      .then(
        () => setOutcome('copied'),
        () => setOutcome('failed'),
      )
  }

  const icon =
    outcome === 'copied' ? <Icons.Check /> : outcome === 'failed' ? <Icons.X /> : <Icons.Copy />
  const resultLabel = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : ''
  return (
    <>
      {words === undefined ? (
        <IconButton label={label} onClick={start} data-outcome={outcome ?? undefined}>
          {icon}
        </IconButton>
      ) : (
        <Button kind={kind} icon={icon} onClick={start} aria-label={resultLabel || label}>
          {resultLabel || words}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {resultLabel}
      </span>
    </>
  )
}
