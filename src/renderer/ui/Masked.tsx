import { EyeOff, LockKeyhole } from './icons.tsx'
import { createContext, use, useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { MaskedValue } from '#contract/authorization.ts'
import { splitMasks } from '#contract/masks.ts'
import { Row } from './Layout.tsx'
import { useReveal } from '../platform/use-reveal.ts'
import { IconButton } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Shown } from './Shown.tsx'
import './Masked.css'

interface Secrets {
  readonly maskedValues: readonly MaskedValue[]
  /** Whether the values are not available and cannot be revealed. */
  readonly fixed: boolean
  /** The chip that is open. Only one can be open. */
  readonly openKey: string | null
  readonly value: string | null
  readonly error: string | null
  readonly busy: boolean
  readonly open: (key: string, name: string) => void
  readonly close: () => void
}

const SecretsContext = createContext<Secrets | null>(null)

interface ProviderProps {
  readonly maskedValues: readonly MaskedValue[]
  /** Loads one value when the user clicks. Null if the values are not available. */
  readonly reveal: ((name: string) => Promise<string>) | null
  readonly children: ReactNode
}

/** Provides the masked values for the texts below. One value can be revealed at a time, for at most 30 s. */
export function SecretsOf({ maskedValues, reveal, children }: ProviderProps) {
  const [openChip, setOpenChip] = useState<{ key: string; name: string } | null>(null)
  const revealed = useReveal(async (name: string) => (reveal === null ? '' : reveal(name)))
  return (
    <SecretsContext
      value={{
        maskedValues,
        fixed: reveal === null,
        openKey: openChip?.key ?? null,
        value: revealed.secret,
        error: revealed.error,
        busy: revealed.busy,
        open: (key, name) => {
          revealed.hide()
          setOpenChip({ key, name })
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
  /** Renders line breaks. If omitted, they are shown as escapes. */
  readonly lines?: boolean
}

/** A text with masked values as chips and control characters as escapes. */
export function Masked({ text, lines }: Props) {
  const known = use(SecretsContext)?.maskedValues ?? []
  return (lines ? text.split('\n') : [text]).map((line, row) => (
    // The text does not change, so the index is the key.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={row}>
      {row > 0 && '\n'}
      {splitMasks(line).map((part, index) => {
        const masked = part.name === null ? undefined : known.find(({ name }) => name === part.name)
        return masked ? (
          // oxlint-disable-next-line react/no-array-index-key
          <Chip key={index} masked={masked} />
        ) : (
          // A marker with an unknown name is ordinary text.
          // oxlint-disable-next-line react/no-array-index-key
          <Shown key={index} text={part.text} />
        )
      })}
    </span>
  ))
}

/** The pressed chip was replaced, so its replacement gets the focus. The value is hidden when the focus leaves. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus()
}

function Chip({ masked }: { readonly masked: MaskedValue }) {
  const key = useId()
  const secrets = use(SecretsContext)
  const isOpen = secrets?.openKey === key
  const name = masked.label.charAt(0).toLowerCase() + masked.label.slice(1)
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
        {masked.label}
        <Ending of={masked} />
      </Row>
    )
  }
  if (isOpen && secrets.value !== null) {
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
        <CopyButton text={secrets.value} label={`Copy ${name}`} />
        <IconButton label={`Hide ${name}`} onClick={secrets.close} ref={focusButton}>
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
        aria-busy={(isOpen && secrets.busy) || undefined}
        onClick={() => secrets.open(key, masked.name)}
      >
        <LockKeyhole aria-hidden />
        <span className="visually-hidden">Reveal </span>
        {masked.label}
        <Ending of={masked} />
      </button>
      {isOpen && secrets.error !== null && (
        <span className="mask-error" role="alert">
          {secrets.error}
        </span>
      )}
    </>
  )
}

function Ending({ of: { ending } }: { readonly of: MaskedValue }) {
  return (
    ending !== null && (
      <span className="mono">
        …<Shown text={ending} />
      </span>
    )
  )
}
