import type { DeliverySummary } from '#contract/models.ts'
import { Shown } from '../../../components/Shown.tsx'
import { useEditable } from '../scope/scope.ts'
import { NoteEditor, NoteText } from './NoteEditor.tsx'
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
  const editable = useEditable()
  if (!editable) return <Written row={row} note={note} />
  return (
    <div className="annotations" role="group" aria-label="Tags and note">
      <TagEditor row={row} onChanged={onChanged} />
      <NoteEditor id={row.id} note={note} onChanged={onChanged} />
    </div>
  )
}

/** The same where nothing can be changed; nothing where nothing was written. */
function Written({ row, note }: Pick<Props, 'row' | 'note'>) {
  const noted = note !== null && note !== ''
  if (row.tags.length === 0 && !noted) return null
  return (
    <div className="annotations" role="group" aria-label="Tags and note">
      {row.tags.map((tag) => (
        <span className="own-tag" key={tag} data-fixed>
          <Shown text={tag} />
        </span>
      ))}
      {noted && <NoteText note={note} />}
    </div>
  )
}
