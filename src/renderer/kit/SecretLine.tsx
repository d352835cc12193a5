import { Icons } from './icons.tsx'
import type { ReactNode } from 'react'
import { Button, CopyButton } from './Button.tsx'
import { cx } from './cx.ts'
import { ErrorText } from './Note.tsx'
import { Shown } from './Shown.tsx'
import { useAction } from './use-action.ts'
import { useReveal } from './use-reveal.ts'

interface Props {
  name: string
  /** Whether the name is before the secret. */
  labelled?: boolean
  /** Its last characters, if known. */
  ending: string | null
  /** Why it cannot be revealed: "not set". */
  obstacle?: string | undefined
  load: () => Promise<string>
  /** Copies the hidden secret. If omitted, it must be revealed first. */
  copyHidden?: () => Promise<void>
  children?: ReactNode
}

/** A secret in one line, hidden until revealed, with buttons to reveal, copy and hide it. */
export function SecretLine(props: Props) {
  const { name, labelled, ending, obstacle, load, copyHidden, children } = props
  const reveal = useReveal(load)
  const copy = useAction(async () => copyHidden?.())
  const { secret } = reveal
  const shown = secret !== null
  return (
    <div
      className="flex min-h-(--control) flex-wrap items-center gap-1 gap-x-3"
      onBlur={reveal.hideOnBlur}
    >
      {labelled && <span className="w-(--measure-label) flex-none text-mid">{name}</span>}
      {shown ? (
        <>
          <code className="mono secret-shown min-w-0 rounded-sm bg-accent-soft px-3 py-1 wrap-anywhere select-text">
            <Shown text={secret} />
          </code>
          <CopyButton text={secret} label={`Copy ${name.toLowerCase()}`} />
        </>
      ) : (
        <span className={cx('text-dim', obstacle === undefined && 'mono')}>
          {obstacle ?? <>••••••••{ending !== null && <Shown text={ending} />}</>}
        </span>
      )}
      {obstacle === undefined && !shown && copyHidden && (
        <Button
          kind="quiet"
          aria-label={`Copy ${name.toLowerCase()} without revealing it`}
          icon={Icons.Copy}
          onClick={() => copy.start()}
        >
          Copy
        </Button>
      )}
      {obstacle === undefined && (
        <Button
          kind="quiet"
          busy={reveal.busy}
          aria-label={`${shown ? 'Hide' : 'Reveal'} ${name.toLowerCase()}`}
          icon={shown ? Icons.EyeOff : Icons.Eye}
          onClick={shown ? reveal.hide : () => reveal.show()}
        >
          {shown ? 'Hide' : 'Reveal'}
        </Button>
      )}
      {children}
      <ErrorText as="span" error={reveal.error ?? copy.error} />
    </div>
  )
}
