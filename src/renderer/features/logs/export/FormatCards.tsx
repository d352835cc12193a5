import { Undo2 } from 'lucide-react'
import { useId } from 'react'
import type { LogFormatView } from '#contract/logs.ts'

interface Props {
  readonly formats: readonly LogFormatView[]
  readonly chosen: string
  readonly onChange: (id: string) => void
}

const returning = {
  whole: 'can be imported again',
  in_part: 'can be imported in part',
  no: null,
} as const satisfies Record<LogFormatView['returns'], string | null>

/** The formats there are, and what the chosen one is for. */
export function FormatCards({ formats, chosen, onChange }: Props) {
  const name = useId()
  const shown = formats.find(({ id }) => id === chosen)
  return (
    <fieldset className="export-part">
      <legend>Format</legend>
      <div className="format-cards">
        {formats.map(({ id, label, about, extension }) => (
          <label key={id} className="format-card" data-format={id} title={about}>
            <input
              type="radio"
              name={name}
              checked={chosen === id}
              aria-describedby={`${name}-about`}
              onChange={() => onChange(id)}
            />
            <b>{label}</b>
            <code className="mono">.{extension}</code>
          </label>
        ))}
      </div>
      {shown && (
        <p className="format-about" id={`${name}-about`}>
          {shown.about}
          {returning[shown.returns] !== null && (
            <span className="format-returns">
              <Undo2 aria-hidden /> {returning[shown.returns]}
            </span>
          )}
        </p>
      )}
    </fieldset>
  )
}
