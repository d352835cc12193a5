import { Plus, X } from 'lucide-react'
import type { ApiParameter } from '#contract/api.ts'
import { Button, IconButton } from '../../components/Button.tsx'

interface Props {
  readonly what: 'parameter' | 'header'
  readonly rows: readonly ApiParameter[]
  readonly hint: string
  readonly onChange: (rows: ApiParameter[]) => void
}

const most = 200
const empty: ApiParameter = { name: '', value: '', on: true }

/** Names and values, each of which can be switched off without being lost. */
export function ParameterRows({ what, rows, hint, onChange }: Props) {
  function set(index: number, change: Partial<ApiParameter>): void {
    const before = rows[index]
    if (before) onChange(rows.with(index, { ...before, ...change }))
  }
  return (
    <div className="parameters">
      {rows.map(({ name, value, on }, index) => {
        const number = index + 1
        return (
          // Rows have no identity but their place, and are edited in it.
          // oxlint-disable-next-line react/no-array-index-key
          <div className="parameter" key={index} data-off={!on || undefined}>
            <input
              type="checkbox"
              aria-label={`Send ${what} ${number}`}
              title={on ? 'It is sent' : 'It is not sent'}
              checked={on}
              onChange={(event) => set(index, { on: event.target.checked })}
            />
            <input
              className="input mono"
              aria-label={`Name of ${what} ${number}`}
              placeholder="name"
              value={name}
              spellCheck={false}
              autoComplete="off"
              // A row is added in order to be written in.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={name === '' && value === ''}
              onChange={(event) => set(index, { name: event.target.value })}
            />
            <input
              className="input mono"
              aria-label={`Value of ${what} ${number}`}
              placeholder="value"
              value={value}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set(index, { value: event.target.value })}
            />
            <IconButton
              label={`Remove ${what} ${number}`}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
        )
      })}
      {rows.length < most && (
        <Button kind="quiet" icon={<Plus aria-hidden />} onClick={() => onChange([...rows, empty])}>
          Add {what}
        </Button>
      )}
      <p className="field-hint">{hint}</p>
    </div>
  )
}
