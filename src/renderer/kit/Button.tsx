import { type IconOrElement, iconElement, Icons } from './icons.tsx'
import { type ComponentProps, useEffect, useState } from 'react'
import { cx } from './cx.ts'
import { copyText } from './clipboard.ts'
import './Button.css'

interface Props extends ComponentProps<'button'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  small?: boolean
  icon?: IconOrElement | undefined
  hint?: string
  /** While true, the button cannot be pressed and is announced as busy. */
  busy?: boolean
}

export function Button({
  kind = 'plain',
  small,
  icon,
  hint,
  busy,
  children,
  className,
  onClick,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={cx('button', className)}
      data-kind={kind}
      data-small={small || undefined}
      aria-busy={busy || undefined}
      // Not `disabled`, because a disabled button loses the focus.
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      aria-keyshortcuts={hint}
    >
      {iconElement(icon)}
      {children}
      {hint !== undefined && <kbd aria-hidden>{hint.toUpperCase()}</kbd>}
    </button>
  )
}

interface IconProps extends ComponentProps<'button'> {
  label: string
}

export function IconButton({ label, children, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx('icon-button', className)}
    >
      {children}
    </button>
  )
}

interface CopyProps {
  text: string | (() => string | Promise<string>)
  label: string
  /** Writes the text to the clipboard. Default: only that. */
  copy?: (text: string) => Promise<void>
  words?: string
  kind?: 'plain' | 'primary'
}

const shownFor = 1600

/** Copies a text and shows the result in the button for a moment. */
export function CopyButton({ text, label, copy = copyText, words, kind = 'plain' }: CopyProps) {
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
