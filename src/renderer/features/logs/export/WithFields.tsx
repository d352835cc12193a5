import type { ExportDraft } from './draft.ts'

interface Props {
  readonly draft: ExportDraft
  readonly canGzip: boolean
  readonly onChange: (change: Partial<ExportDraft>) => void
}

const parts = [
  ['attempts', 'Attempts', 'what was sent again or forwarded, and the answers'],
  ['notes', 'Notes and tags', 'what you wrote about deliveries'],
  [
    'authorization',
    'Authorization',
    'integrations, the life of tokens, records of runs; no secret',
  ],
] as const

/** What goes with the deliveries, where the format has a place for it, and whether the file is compressed. */
export function WithFields({ draft, canGzip, onChange }: Props) {
  return (
    <fieldset className="export-part">
      <legend>With them</legend>
      {parts.map(([name, label, about]) => (
        <label key={name} className="export-choice">
          <input
            type="checkbox"
            checked={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.checked })}
          />
          <span>
            {label} <span className="dim">{about}</span>
          </span>
        </label>
      ))}
      {canGzip && (
        <label className="export-choice">
          <input
            type="checkbox"
            checked={draft.gzip}
            onChange={(event) => onChange({ gzip: event.target.checked })}
          />
          <span>
            Compressed <span className="dim">with gzip, smaller by far</span>
          </span>
        </label>
      )}
    </fieldset>
  )
}
