import { Icons } from './icons.tsx'
import type { ReactNode } from 'react'
import type { Reveal } from './use-reveal.ts'
import { Button, CopyButton } from './Button.tsx'
import { Shown } from './Shown.tsx'

interface Props {
  /** The name used in button labels, such as "Access token". */
  readonly name: string
  /** Shown while the secret is hidden: `EndsIn`, or why nothing can be revealed. */
  readonly hidden: ReactNode
  /** Whether the secret can be revealed. */
  readonly readable: boolean
  readonly reveal: Reveal
  /** Copies the hidden secret. If omitted, it must be revealed first. */
  readonly onCopyHidden?: () => void
}

/** A secret in one line, hidden until revealed, with buttons to reveal, copy and hide it. */
export function SecretValue({ name, hidden, readable, reveal, onCopyHidden }: Props) {
  const { secret, busy } = reveal
  const shown = secret !== null
  return (
    <>
      {shown ? (
        <>
          <code className="mono secret-shown min-w-0 rounded-sm bg-accent-soft px-3 py-1 wrap-anywhere select-text">
            <Shown text={secret} />
          </code>
          <CopyButton text={secret} label={`Copy ${name.toLowerCase()}`} />
        </>
      ) : (
        <span className="mono text-dim">{hidden}</span>
      )}
      {readable && !shown && onCopyHidden && (
        <Button
          kind="quiet"
          aria-label={`Copy ${name.toLowerCase()} without revealing it`}
          icon={Icons.Copy}
          onClick={onCopyHidden}
        >
          Copy
        </Button>
      )}
      {readable && (
        <Button
          kind="quiet"
          busy={busy}
          aria-label={`${shown ? 'Hide' : 'Reveal'} ${name.toLowerCase()}`}
          icon={shown ? Icons.EyeOff : Icons.Eye}
          onClick={shown ? reveal.hide : () => reveal.show()}
        >
          {shown ? 'Hide' : 'Reveal'}
        </Button>
      )}
    </>
  )
}

/** A hidden secret: dots, and its last characters if known. */
export function EndsIn({ ending }: { readonly ending: string | null }) {
  return <>••••••••{ending !== null && <Shown text={ending} />}</>
}
