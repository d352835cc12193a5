import { EyeOff, LockKeyhole } from 'lucide-react'
import { createContext, use, useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { HeldBack } from '#contract/authorization.ts'
import { splitMasks } from '#contract/masks.ts'
import { Row } from './Layout.tsx'
import { copyText } from '../platform/clipboard.ts'
import { useReveal } from '../platform/use-reveal.ts'
import { IconButton } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Shown } from './Shown.tsx'
import './Masked.css'

interface Secrets {
  readonly heldBack: readonly HeldBack[]
  /** They are not here at all. */
  readonly fixed: boolean
  /** Which chip is open: one at a time. */
  readonly openKey: string | null
  readonly value: string | null
  readonly error: string | null
  readonly busy: boolean
  readonly open: (key: string, name: string) => void
  readonly close: () => void
}

const SecretsContext = createContext<Secrets | null>(null)

interface ProviderProps {
  readonly heldBack: readonly HeldBack[]
  /** Gets one value, on a click of the user. Null: nobody here has them. */
  readonly reveal: ((name: string) => Promise<string>) | null
  readonly children: ReactNode
}

/** Around texts with masked secrets: knows their names, and shows one value at a time, for 30 s at most. */
export function SecretsOf({ heldBack, reveal, children }: ProviderProps) {
  const [asked, setAsked] = useState<{ key: string; name: string } | null>(null)
  const revealed = useReveal(async (name: string) => (reveal === null ? '' : reveal(name)))
  return (
    <SecretsContext
      value={{
        heldBack,
        fixed: reveal === null,
        openKey: asked?.key ?? null,
        value: revealed.secret,
        error: revealed.error,
        busy: revealed.busy,
        open: (key, name) => {
          revealed.hide()
          setAsked({ key, name })
          revealed.show(name)
        },
        close: revealed.hide,
      }}
    >
      {children}
    </SecretsContext>
  )
}

interface Props {
  readonly text: string
  /** Line breaks break the line; without it they are shown as escapes. */
  readonly lines?: boolean
}

/** Text of a record: what was held back stands as a chip, what would not show as an escape. */
export function Masked({ text, lines }: Props) {
  const known = use(SecretsContext)?.heldBack ?? []
  return (lines ? text.split('\n') : [text]).map((line, row) => (
    // The lines of a fixed text: their place is their identity.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={row}>
      {row > 0 && '\n'}
      {splitMasks(line).map((part, index) => {
        const held = part.name === null ? undefined : known.find(({ name }) => name === part.name)
        return held ? (
          // oxlint-disable-next-line react/no-array-index-key
          <Chip key={index} held={held} />
        ) : (
          // A marker that names nothing is text like any other.
          // oxlint-disable-next-line react/no-array-index-key
          <Shown key={index} text={part.text} />
        )
      })}
    </span>
  ))
}

/** The chip that was pressed is gone: the focus goes to what took its place, and the value goes when the focus does. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus()
}

function Chip({ held }: { readonly held: HeldBack }) {
  const key = useId()
  const secrets = use(SecretsContext)
  const mine = secrets?.openKey === key
  const name = held.label.charAt(0).toLowerCase() + held.label.slice(1)
  if (!secrets) return null
  if (secrets.fixed) {
    return (
      <Row
        as="span"
        inline
        align="center"
        gap={2}
        className="mask"
        data-fixed
        title="Masked. The value is not in the log."
      >
        <LockKeyhole aria-hidden />
        {held.label}
        <Ending of={held} />
      </Row>
    )
  }
  if (mine && secrets.value !== null) {
    return (
      <Row
        as="span"
        inline
        align="center"
        className="mask-open"
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) secrets.close()
        }}
      >
        <code className="mono selectable">
          <Shown text={secrets.value} />
        </code>
        <CopyButton text={secrets.value} label={`Copy ${name}`} copy={copyText} />
        <IconButton label={`Hide ${name}`} onClick={secrets.close} ref={takeFocus}>
          <EyeOff aria-hidden />
        </IconButton>
      </Row>
    )
  }
  return (
    <>
      <button
        type="button"
        className="row-inline gap-2 align-center mask"
        title="Masked. Press to reveal the value for 30 seconds."
        aria-busy={(mine && secrets.busy) || undefined}
        onClick={() => secrets.open(key, held.name)}
      >
        <LockKeyhole aria-hidden />
        <span className="visually-hidden">Reveal </span>
        {held.label}
        <Ending of={held} />
      </button>
      {mine && secrets.error !== null && (
        <span className="mask-error" role="alert">
          {secrets.error}
        </span>
      )}
    </>
  )
}

function Ending({ of: { ending } }: { readonly of: HeldBack }) {
  return (
    ending !== null && (
      <span className="mono">
        …<Shown text={ending} />
      </span>
    )
  )
}
