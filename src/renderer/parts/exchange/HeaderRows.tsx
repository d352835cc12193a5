import { Icons } from '#kit/icons.tsx'
import type { Header } from '#contract/models.ts'
import { Button, IconButton } from '#kit/Button.tsx'

interface NamedValue {
  readonly name: string
  readonly value: string
  /** Whether it is sent. If omitted, it cannot be turned off. */
  readonly on?: boolean
}

interface NamedValueProps<T extends NamedValue> {
  /** What a row is called: header or parameter. */
  what: string
  rows: readonly T[]
  maximum: number
  /** A new row. */
  empty: T
  placeholders?: readonly [name: string, value: string]
  onChange: (rows: T[]) => void
}

export function NamedValueRows<T extends NamedValue>(props: NamedValueProps<T>) {
  const { what, rows, maximum, empty, placeholders = ['name', 'value'], onChange } = props
  function set(index: number, change: Partial<NamedValue>): void {
    const before = rows[index]
    if (before) onChange(rows.with(index, { ...before, ...change }))
  }
  return (
    <>
      {rows.map(({ name, value, on }, index) => {
        const number = index + 1
        return (
          // Rows are only identified by their index.
          // oxlint-disable-next-line react/no-array-index-key
          <div
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_auto] items-center gap-3 data-on:grid-cols-[auto_minmax(0,1fr)_minmax(0,1.4fr)_auto] [&_.input]:w-full [&_.input]:text-s data-[on=false]:[&_.input]:text-dim data-[on=false]:[&_.input]:line-through"
            key={index}
            data-on={on}
          >
            {on !== undefined && (
              <input
                type="checkbox"
                aria-label={`Send ${what} ${number}`}
                title={on ? 'Sent' : 'Not sent'}
                checked={on}
                onChange={(event) => set(index, { on: event.target.checked })}
              />
            )}
            {(['name', 'value'] as const).map((part, column) => (
              <input
                key={part}
                className="input mono"
                aria-label={`${part === 'name' ? 'Name' : 'Value'} of ${what} ${number}`}
                placeholder={placeholders[column]}
                value={part === 'name' ? name : value}
                spellCheck={false}
                autoComplete="off"
                // The user adds a row to type in it.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus={part === 'name' && name === '' && value === ''}
                onChange={(event) => set(index, { [part]: event.target.value })}
              />
            ))}
            <IconButton
              label={`Remove ${what} ${number}`}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              <Icons.X />
            </IconButton>
          </div>
        )
      })}
      {rows.length < maximum && (
        <Button kind="quiet" icon={Icons.Plus} onClick={() => onChange([...rows, empty])}>
          Add {what}
        </Button>
      )}
    </>
  )
}

interface Props {
  headers: readonly Header[]
  legend: string
  maximum: number
  onChange: (headers: readonly Header[]) => void
}

export function HeaderRows({ headers, legend, maximum, onChange }: Props) {
  return (
    <fieldset className="grid min-w-0 gap-3 border-0 p-0 [&_.button]:-ml-4 [&_.button]:justify-self-start [&_legend]:mb-2 [&_legend]:text-s [&_legend]:font-semibold [&_legend]:text-mid">
      <legend>{legend}</legend>
      <NamedValueRows
        what="header"
        rows={headers.map(([name, value]) => ({ name, value }))}
        maximum={maximum}
        empty={{ name: '', value: '' }}
        placeholders={['X-Venue', 'pier-9']}
        onChange={(rows) => onChange(rows.map(({ name, value }) => [name, value]))}
      />
    </fieldset>
  )
}
