import { Search, X } from 'lucide-react'
import type { RefObject } from 'react'
import { IconButton } from '../../components/Button.tsx'
import { counted } from '../../components/text/numbers.ts'

interface Props {
  readonly query: string
  readonly found: number
  readonly onChange: (query: string) => void
  readonly field: RefObject<HTMLInputElement | null>
}

/** Looks for settings as one types. */
export function FindField({ query, found, onChange, field }: Props) {
  const looking = query.trim() !== ''
  return (
    <div className="settings-find" role="search">
      <Search aria-hidden />
      <input
        ref={field}
        type="text"
        aria-label="Find a setting"
        placeholder="Find a setting"
        aria-keyshortcuts="/"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing || query === '') return
          event.preventDefault()
          onChange('')
        }}
      />
      <span className="settings-found" role="status">
        {looking && (found === 0 ? 'None found' : `${counted(found, 'setting', 'settings')} found`)}
      </span>
      {query === '' && <kbd aria-hidden>/</kbd>}
      {query !== '' && (
        <IconButton
          label="Clear (Esc)"
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
