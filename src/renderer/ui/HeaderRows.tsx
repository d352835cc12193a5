import { Plus, X } from './icons.tsx'
import type { Header } from '#contract/models.ts'
import { Stack } from './Layout.tsx'
import { Button, IconButton } from './Button.tsx'
import './HeaderRows.css'

interface Props {
  readonly headers: readonly Header[]
  readonly legend: string
  readonly maximum: number
  readonly onChange: (headers: readonly Header[]) => void
}

export function HeaderRows({ headers, legend, maximum, onChange }: Props) {
  function set(index: number, header: Header): void {
    onChange(headers.with(index, header))
  }
  return (
    <Stack as="fieldset" gap={3} className="header-rows">
      <legend>{legend}</legend>
      {headers.map(([name, value], index) => (
        // Rows have no ID, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <div className="header-row" key={index}>
          <input
            className="input mono"
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Venue"
            value={name}
            spellCheck={false}
            onChange={(event) => set(index, [event.target.value, value])}
          />
          <input
            className="input mono"
            aria-label={`Value of header ${index + 1}`}
            placeholder="pier-9"
            value={value}
            spellCheck={false}
            onChange={(event) => set(index, [name, event.target.value])}
          />
          <IconButton
            label={`Remove header ${index + 1}`}
            onClick={() => onChange(headers.toSpliced(index, 1))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {headers.length < maximum && (
        <Button
          kind="quiet"
          icon={<Plus aria-hidden />}
          onClick={() => onChange([...headers, ['', '']])}
        >
          Add header
        </Button>
      )}
    </Stack>
  )
}
