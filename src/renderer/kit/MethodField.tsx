import { Icons } from './icons.tsx'
import { IconButton } from './Button.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const other = 'other'

interface MethodProps {
  method: string
  /** The method to return to from a custom one. */
  defaultMethod?: 'GET' | 'POST'
  onChange: (method: string) => void
}

/** Selects a common method, or accepts any other name. */
export function MethodField({ method, defaultMethod = 'GET', onChange }: MethodProps) {
  if (methods.some((known) => known === method)) {
    return (
      <select
        className="input mono w-(--measure-label) flex-none font-bold"
        data-large
        aria-label="Method"
        value={method}
        onChange={(event) => onChange(event.target.value === other ? '' : event.target.value)}
      >
        {methods.map((known) => (
          <option key={known}>{known}</option>
        ))}
        <option value={other}>Other…</option>
      </select>
    )
  }
  return (
    <span className="input-frame w-(--measure-field) flex-none font-bold" data-large>
      <input
        className="mono"
        aria-label="Method"
        placeholder="METHOD"
        value={method}
        maxLength={20}
        spellCheck={false}
        // It replaces the list that the user has just used.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={method === ''}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
      />
      <IconButton label="Select a common method" onClick={() => onChange(defaultMethod)}>
        <Icons.List />
      </IconButton>
    </span>
  )
}
