import { StickyNote } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Shown } from '../../../components/Shown.tsx'
import { count } from '../../../components/text/numbers.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { modKey } from '../../shell/keys.ts'
import { annotate, noteLongest } from '../annotate.ts'

/** With fewer characters left than this, their number is told. */
const fewLeft = 400

interface Props {
  readonly id: number
  readonly note: string | null
  readonly onChanged: () => void
}

/** The note of a delivery: read as text, written in a field that stores when it is left. */
export function NoteEditor({ id, note, onChanged }: Props) {
  const client = useClient()
  const button = useRef<HTMLButtonElement>(null)
  /** What is being written; null: nobody writes. */
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** One leaves the field by Ctrl+Enter and by Escape as well: then there is nothing left to store. */
  const left = useRef(false)
  /** Asked for before the note was here. */
  const wanted = useRef(false)
  const edit = (): void => {
    wanted.current = note === null
    if (note === null) return
    left.current = false
    setError(null)
    setDraft(note)
  }
  useKeys({ note: edit })
  useEffect(() => {
    if (wanted.current) edit()
  })

  /** Who left by a key goes on from the button. */
  const back = useRef(false)
  const writing = draft !== null
  useEffect(() => {
    if (!writing && back.current) button.current?.focus()
    if (!writing) back.current = false
  }, [writing])

  function leave(text: string | null, byKey: boolean): void {
    if (left.current) return
    left.current = true
    back.current = byKey
    if (text === null || text === note) {
      setDraft(null)
      return
    }
    annotate(client, id, { note: text }).then(
      () => {
        setDraft(null)
        onChanged()
      },
      (reason: unknown) => {
        // What was written is not thrown away.
        left.current = false
        setError(sentence(reason))
      },
    )
  }

  if (draft === null) {
    return (
      <>
        <button
          ref={button}
          type="button"
          className="annotate"
          disabled={note === null}
          aria-keyshortcuts="n"
          title="A noted delivery is pinned, so that it is kept (N)"
          onClick={edit}
        >
          <StickyNote aria-hidden /> {note === null || note === '' ? 'Note' : 'Edit note'}
        </button>
        {note !== null && note !== '' && <NoteText note={note} />}
      </>
    )
  }
  return (
    <div className="note-field">
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked for it by a key or a button, and types next
        autoFocus
        aria-label="Note"
        aria-describedby={`note-hint-${id}`}
        aria-invalid={error !== null || undefined}
        value={draft}
        maxLength={noteLongest}
        rows={4}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => leave(draft, false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave(null, true)
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) leave(draft, true)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <p id={`note-hint-${id}`} className="dim note-hint">
        {modKey} Enter stores it, Esc leaves it as it was. The delivery is pinned with it.
        {draft.length > noteLongest - fewLeft && ` ${count(noteLongest - draft.length)} left.`}
      </p>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Line by line, with every character that would hide or reorder others written out. */
export function NoteText({ note }: { readonly note: string }) {
  return (
    // It scrolls: then it must be reached by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="own-note" role="note" aria-label="Note" tabIndex={0} data-scrolls>
      {note.split('\n').map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a fixed text: their place is their identity
        <p key={index}>
          <Shown text={line} />
        </p>
      ))}
    </div>
  )
}
