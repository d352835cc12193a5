import { List } from 'lucide-react'
import { IconButton } from './Button.tsx'
import './MethodField.css'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const other = 'other'

interface MethodProps {
  readonly method: string
  /** What one of its own gives way to. */
  readonly usual?: 'GET' | 'POST'
  readonly onChange: (method: string) => void
}

/** One of the usual methods, or any other by its name. */
export function MethodField({ method, usual = 'GET', onChange }: MethodProps) {
  if (methods.some((known) => known === method)) {
    return (
      <select
        className="input request-method mono"
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
    <span className="input-frame request-method request-own" data-large>
      <input
        className="mono"
        aria-label="Method"
        placeholder="METHOD"
        value={method}
        maxLength={20}
        spellCheck={false}
        // It takes the place of the list that was used a moment ago.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={method === ''}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
      />
      <IconButton label="Select a common method" onClick={() => onChange(usual)}>
        <List aria-hidden />
      </IconButton>
    </span>
  )
}
