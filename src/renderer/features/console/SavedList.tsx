import { Icons } from '../../ui/icons.tsx'
import { useState } from 'react'
import type { SavedRequest } from '#contract/api.ts'
import { Text, Row } from '../../ui/Layout.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { confirm } from '../../ui/Confirm.tsx'
import { NameDialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { fullTime } from '../../ui/text/time.ts'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { EmptyFailure } from '../../ui/Failure.tsx'
import type { Client } from '../../platform/client.ts'
import { useClient, useQuery, useRefresh } from '../../platform/use-client.ts'
import { pathWithQuery } from './draft.ts'
import { refreshEvery, draftFor, loadRequest, setOutcome, useConsole } from './store.ts'

export function SavedList({ integrationId }: { readonly integrationId: number }) {
  const { state, reload } = useQuery('api.saved', {})
  const [renaming, setRenaming] = useState<SavedRequest | null>(null)
  const client = useClient()
  useRefresh(null, ['api.changed'], refreshEvery, reload)

  if (state.phase === 'failed') {
    return (
      <EmptyFailure title="Could not load the saved requests" onRetry={reload}>
        {state.message}
      </EmptyFailure>
    )
  }
  if (state.phase === 'loading') {
    return <div role="status" aria-label="Loading" />
  }
  if (state.value.length === 0) {
    return (
      <Empty icon={Icons.Bookmark} title="Nothing saved yet">
        Save a request to reuse it.
      </Empty>
    )
  }
  return (
    <>
      <div className="grow shrink scroll" data-scrolls>
        <ul className="lined" aria-label="Saved requests">
          {state.value.map((saved, index) => (
            <SavedRow
              key={saved.id}
              saved={saved}
              integrationId={integrationId}
              first={index === 0}
              onRename={() => setRenaming(saved)}
              onDelete={() => confirmDeletion(client, saved)}
            />
          ))}
        </ul>
      </div>
      {renaming !== null && (
        <RenameDialog key={renaming.id} saved={renaming} onClose={() => setRenaming(null)} />
      )}
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

function SavedRow({ saved, integrationId, first, onRename, onDelete }: RowProps) {
  const here = useConsole((state) => state.savedId === saved.id)
  const name = escapeControls(truncate(saved.name, 120))
  return (
    <li className="list-item">
      <button
        type="button"
        className="list-row side-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        title={`Saved ${fullTime(saved.savedAt)}`}
        onClick={() => load(saved, integrationId)}
      >
        <Text weight="semibold" cut>
          {name}
        </Text>
        <Row as="span" align="baseline" gap={3} shrink mono tone="dim" size="2xs">
          <Text as="b" fixed weight="bold">
            {saved.request.method}
          </Text>{' '}
          <span className="cut">
            <Shown text={truncate(pathWithQuery(saved.request), 200)} />
          </span>
        </Row>
      </button>
      <span className="list-actions">
        <IconButton label={`Rename ${name}`} onClick={onRename}>
          <Icons.Pencil />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <Icons.Trash2 />
        </IconButton>
      </span>
    </li>
  )
}

/** Loads a saved request into the current integration, with the currently selected token. */
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
  return (
    <NameDialog
      title="Rename request"
      action="Rename"
      name={saved.name}
      onSave={async (name) => {
        await client.call('api.save', { id: saved.id, name, request: saved.request })
      }}
      onClose={onClose}
    />
  )
}

function confirmDeletion(client: Client, saved: SavedRequest): void {
  confirm({
    title: `Delete “${escapeControls(truncate(saved.name, 60))}”?`,
    description: 'Deletes the saved request. Sent requests stay in the history.',
    action: 'Delete',
    async run() {
      await client.call('api.removeSaved', { id: saved.id })
    },
  })
}
