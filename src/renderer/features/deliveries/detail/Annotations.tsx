import type { DeliverySummary } from '#contract/models.ts'
import { NoteEditor } from './NoteEditor.tsx'
import { TagEditor } from './TagEditor.tsx'
import './Annotations.css'

interface Props {
  readonly row: DeliverySummary
  /** Null: not here yet. */
  readonly note: string | null
  /** It was changed: the whole of it is to be read again. */
  readonly onChanged: () => void
}

/** The user's own words about a delivery: tags and a note. */
export function Annotations({ row, note, onChanged }: Props) {
  return (
    <div className="annotations" role="group" aria-label="Tags and note">
      <TagEditor row={row} onChanged={onChanged} />
      <NoteEditor id={row.id} note={note} onChanged={onChanged} />
    </div>
  )
}
