import { Icons } from './icons.tsx'
import { createContext, use, useId, useState, type ReactNode } from 'react'
import type { MaskedValue } from '#contract/authorization.ts'
import { splitMasks } from '#contract/masks.ts'
import { useReveal, type Reveal } from './use-reveal.ts'
import { IconButton, CopyButton } from './Button.tsx'
import { Shown } from './Shown.tsx'

interface Secrets {
  readonly maskedValues: readonly MaskedValue[]
  /** Whether the values are not available and cannot be revealed. */
  readonly fixed: boolean
  /** The chip that is open. Only one can be open. */
  readonly openKey: string | null
  readonly revealed: Reveal<[name: string]>
  readonly open: (key: string, name: string) => void
}

const SecretsContext = createContext<Secrets | null>(null)

interface ProviderProps {
  maskedValues: readonly MaskedValue[]
  /** Loads one value when the user clicks. Null if the values are not available. */
  reveal: ((name: string) => Promise<string>) | null
  children: ReactNode
}

/** Provides the masked values for the texts below. One value can be revealed at a time, for at most 30 s. */
export function SecretsOf({ maskedValues, reveal, children }: ProviderProps) {
  const [openKey, setOpenKey] = useState<string | null>(null)
  const revealed = useReveal(async (name: string) => (reveal === null ? '' : reveal(name)))
  return (
    <SecretsContext
      value={{
        maskedValues,
        fixed: reveal === null,
        openKey,
        revealed,
        open: (key, name) => {
          revealed.hide()
          setOpenKey(key)
          revealed.show(name)
        },
      }}
    >
      {children}
    </SecretsContext>
  )
}

interface Props {
  text: string
  /** Renders line breaks. If omitted, they are shown as escapes. */
  lines?: boolean
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

function Chip({ masked }: { masked: MaskedValue }) {
  const key = useId()
  const secrets = use(SecretsContext)
  const isOpen = secrets?.openKey === key
  const name = masked.label.charAt(0).toLowerCase() + masked.label.slice(1)
  if (!secrets) return null
  const { fixed, revealed, open } = secrets
  if (fixed) {
    return (
      <span
        className="mask inline-flex items-center gap-2 [&_svg]:text-dim [&_svg]:icon-xs"
        data-fixed
        title="Masked. The value is not in the log."
      >
        <Icons.LockKeyhole />
        {masked.label}
        <Ending of={masked} />
      </span>
    )
  }
  if (isOpen && revealed.secret !== null) {
    return (
      <span
        className="mask-open inline-flex max-w-full items-center rounded-sm bg-accent-soft pl-3 align-middle text-ink [&_code]:min-w-0 [&_code]:wrap-anywhere [&_code]:whitespace-pre-wrap"
        onBlur={revealed.hideOnBlur}
      >
        <code className="mono select-text">
          <Shown text={revealed.secret} />
        </code>
        <CopyButton text={revealed.secret} label={`Copy ${name}`} />
        <IconButton label={`Hide ${name}`} onClick={revealed.hide} ref={focusButton}>
          <Icons.EyeOff />
        </IconButton>
      </span>
    )
  }
  return (
    <>
      <button
        type="button"
        className="mask inline-flex items-center gap-2 [&_svg]:text-dim [&_svg]:icon-xs"
        title="Masked. Press to reveal the value for 30 seconds."
        aria-busy={(isOpen && revealed.busy) || undefined}
        onClick={() => open(key, masked.name)}
      >
        <Icons.LockKeyhole />
        <span className="visually-hidden">Reveal </span>
        {masked.label}
        <Ending of={masked} />
      </button>
      {isOpen && revealed.error !== null && (
        <span className="font-ui text-s text-invalid" role="alert">
          {revealed.error}
        </span>
      )}
    </>
  )
}

function Ending({ of: { ending } }: { of: MaskedValue }) {
  return (
    ending !== null && (
      <span className="mono">
        …<Shown text={ending} />
      </span>
    )
  )
}
