import { Icons } from './icons.tsx'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import './Field.css'

interface Props {
  label: string
  query: string
  onChange: (query: string) => void
  field: RefObject<HTMLInputElement | null>
  large?: boolean
  className?: string
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  /** The number of results, in an element with `role="status"`. */
  children: ReactNode
}

/** A search field with a clear button. Escape clears it. The key "/" is only a hint: the page binds it. */
export function SearchField(props: Props) {
  const { label, query, onChange, field, large, className, onKeyDown, children } = props
  return (
    <div className={cx('input-frame', className)} data-large={large || undefined} role="search">
      <Icons.Search />
      <input
        ref={field}
        type="text"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts="/"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape' && query !== '') {
            event.preventDefault()
            onChange('')
          } else onKeyDown?.(event)
        }}
      />
      {children}
      {query === '' ? (
        <kbd aria-hidden>/</kbd>
      ) : (
        <IconButton
          label="Clear search (Esc)"
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <Icons.X />
        </IconButton>
      )}
    </div>
  )
}
