import { Bookmark, CircleAlert, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SavedRequest } from '#contract/api.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Field } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { fullTime } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../platform/use-client.ts'
import { pathWithQuery } from './draft.ts'
import { draftFor, loadRequest, setOutcome, useConsole } from './store.ts'

/** The requests that were given a name. */
export function SavedList({ integrationId }: { readonly integrationId: number }) {
  const turn = useConsole((state) => state.savedTurn)
  const { state, reload } = useQuery('api.saved', {})
  const [renaming, setRenaming] = useState<SavedRequest | null>(null)
  const [deleting, setDeleting] = useState<SavedRequest | null>(null)
  useEffect(() => {
    if (turn > 0) reload()
  }, [turn, reload])

  if (state.phase === 'failed') {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="Saved requests could not be read"
        actions={<Button onClick={reload}>Try again</Button>}
      >
        {state.message}
      </Empty>
    )
  }
  if (state.phase === 'loading') {
    return <div className="side-list" role="status" aria-label="Loading" />
  }
  if (state.value.length === 0) {
    return (
      <Empty icon={<Bookmark aria-hidden />} title="Nothing saved yet">
        Save a request under a name to have it at hand.
      </Empty>
    )
  }
  return (
    <>
      <div className="side-list" data-scrolls>
        <ul aria-label="Saved requests">
          {state.value.map((saved, index) => (
            <Row
              key={saved.id}
              saved={saved}
              integrationId={integrationId}
              first={index === 0}
              onRename={() => setRenaming(saved)}
              onDelete={() => setDeleting(saved)}
            />
          ))}
        </ul>
      </div>
      {renaming !== null && (
        <RenameDialog key={renaming.id} saved={renaming} onClose={() => setRenaming(null)} />
      )}
      {deleting !== null && <DeleteDialog saved={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

interface RowProps {
  readonly saved: SavedRequest
  readonly integrationId: number
  readonly first: boolean
  readonly onRename: () => void
  readonly onDelete: () => void
}

function Row({ saved, integrationId, first, onRename, onDelete }: RowProps) {
  const here = useConsole((state) => state.savedId === saved.id)
  const name = visible(cut(saved.name, 120))
  return (
    <li className="side-saved">
      <button
        type="button"
        className="side-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        title={`Saved ${fullTime(saved.savedAt)}`}
        onClick={() => load(saved, integrationId)}
      >
        <span className="side-name cut">{name}</span>
        <span className="side-facts mono">
          <b>{saved.request.method}</b>{' '}
          <span className="cut">
            <Shown text={cut(pathWithQuery(saved.request), 200)} />
          </span>
        </span>
      </button>
      <span className="side-actions">
        <IconButton label={`Rename ${name}`} onClick={onRename}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

/** Under the integration of now, whichever it was saved under, with the token that is chosen now. */
function load(saved: SavedRequest, integrationId: number): void {
  const { tokenId } = draftFor(useConsole.getState(), integrationId)
  loadRequest({ ...saved.request, integrationId, tokenId: null }, saved.id, tokenId)
  setOutcome(integrationId, null)
}

interface DialogProps {
  readonly saved: SavedRequest
  readonly onClose: () => void
}

function RenameDialog({ saved, onClose }: DialogProps) {
  const client = useClient()
  const [name, setName] = useState(saved.name)
  const rename = useAction(async () => {
    await client.call('api.save', { id: saved.id, name: name.trim(), request: saved.request })
    onClose()
  })
  return (
    <Dialog open onClose={onClose} title="Rename the request">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '' && !rename.busy) rename.start()
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.target.value)}
        />
        {rename.error !== null && (
          <Note tone="invalid" alert>
            {sentence(rename.error)}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={rename.busy} disabled={name.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function DeleteDialog({ saved, onClose }: DialogProps) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.call('api.removeSaved', { id: saved.id })
    onClose()
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${visible(cut(saved.name, 60))}”?`}
      description="The saved request goes. What was sent stays in the history."
      action="Delete"
      busy={remove.busy}
      error={remove.error === null ? null : sentence(remove.error)}
      onConfirm={() => remove.start()}
    />
  )
}
