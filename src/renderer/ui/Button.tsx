import { type IconOrElement, iconElement } from './icons.tsx'
import type { ComponentProps } from 'react'
import { cx } from './Layout.tsx'
import './Button.css'

interface Props extends ComponentProps<'button'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** As high as a row of a list. */
  readonly small?: boolean
  readonly icon?: IconOrElement | undefined
  /** The key that does the same. */
  readonly hint?: string
  /** While true, the button cannot be pressed and is announced as busy. */
  readonly busy?: boolean
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
  /** The accessible name, also shown on hover. */
  readonly label: string
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
