import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './Button.tsx'

interface Props {
  /** What is copied, or what gives it at the click. */
  readonly text: string | (() => string | Promise<string>)
  /** The accessible name: "Copy address". */
  readonly label: string
  /** Puts the text on the clipboard. */
  readonly copy: (text: string) => Promise<void>
  /** With words instead of the icon alone. */
  readonly words?: string
  readonly kind?: 'plain' | 'primary'
}

const shownFor = 1600

/** Copies, and says so in its own place. */
export function CopyButton({ text, label, copy, words, kind = 'plain' }: Props) {
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
    outcome === 'copied' ? (
      <Check aria-hidden />
    ) : outcome === 'failed' ? (
      <X aria-hidden />
    ) : (
      <Copy aria-hidden />
    )
  const said = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : ''
  return (
    <>
      {words === undefined ? (
        <IconButton label={label} onClick={start} data-outcome={outcome ?? undefined}>
          {icon}
        </IconButton>
      ) : (
        <Button kind={kind} icon={icon} onClick={start} aria-label={said || label}>
          {said || words}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}
