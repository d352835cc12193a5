import { Copy, Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Shown } from './Shown.tsx'
import './SecretValue.css'

interface Props {
  /** "Access token": said of the buttons. */
  readonly name: string
  /** The secret while it is revealed; null while it is not. */
  readonly secret: string | null
  /** What stands in its place: `endsIn`, or why there is nothing to reveal. */
  readonly hidden: ReactNode
  /** False where nothing can be revealed. */
  readonly readable: boolean
  readonly busy: boolean
  readonly onReveal: () => void
  readonly onHide: () => void
  readonly copy: (text: string) => Promise<void>
  /** Copies it while it is hidden. Absent: it must be revealed first. */
  readonly onCopyHidden?: () => void
}

/** A secret on a line: hidden until it is asked for, with "Reveal", and then "Copy" and "Hide". */
export function SecretValue(props: Props) {
  const { name, secret, hidden, readable, busy, onReveal, onHide, copy, onCopyHidden } = props
  const shown = secret !== null
  return (
    <>
      {shown ? (
        <>
          <code className="mono selectable secret-shown">
            <Shown text={secret} />
          </code>
          <CopyButton text={secret} label={`Copy ${name.toLowerCase()}`} copy={copy} />
        </>
      ) : (
        <span className="mono dim">{hidden}</span>
      )}
      {readable && !shown && onCopyHidden && (
        <Button
          kind="quiet"
          aria-label={`Copy ${name.toLowerCase()} without revealing it`}
          icon={<Copy aria-hidden />}
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
          icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          onClick={shown ? onHide : onReveal}
        >
          {shown ? 'Hide' : 'Reveal'}
        </Button>
      )}
    </>
  )
}

/** A secret that is not shown: dots, and how it ends where that is known. */
export function EndsIn({ ending }: { readonly ending: string | null }) {
  return <>••••••••{ending !== null && <Shown text={ending} />}</>
}
