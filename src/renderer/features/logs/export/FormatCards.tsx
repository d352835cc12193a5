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

/** The formats there are, each with what it is for. */
export function FormatCards({ formats, chosen, onChange }: Props) {
  const name = useId()
  return (
    <fieldset className="export-part">
      <legend>Format</legend>
      <div className="format-cards">
        {formats.map(({ id, label, about, extension, returns }) => (
          <label key={id} className="format-card" data-format={id}>
            <input
              type="radio"
              name={name}
              checked={chosen === id}
              aria-describedby={`${name}-${id}`}
              onChange={() => onChange(id)}
            />
            <span className="format-name">
              <b>{label}</b>
              <code className="mono">.{extension}</code>
            </span>
            <span className="format-about" id={`${name}-${id}`}>
              {about}
              {returning[returns] !== null && (
                <>
                  {' '}
                  <span className="format-returns">{returning[returns]}</span>
                </>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
