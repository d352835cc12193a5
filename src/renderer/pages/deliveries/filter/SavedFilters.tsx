import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { SavedFilter } from '#contract/deliveries.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { ErrorText } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { NameDialog } from '#kit/Dialog.tsx'
import { setFilterText, useDeliveries } from '#client/state/deliveries.ts'
import { setColumns, useListColumns } from '#client/state/list-columns.ts'
import { ChipMenu } from './FilterMenus.tsx'
import { create } from 'zustand'
import type { Client } from '#client/client.ts'
import { loadRecent, saveRecent } from '#kit/storage.ts'

export function SavedFilters() {
  const client = useClient()
  const [open, setOpen] = useState(false)
  const [renaming, setRenaming] = useState<SavedFilter | null>(null)
  return (
    <>
      <ChipMenu
        icon={Icons.Bookmark}
        words="Saved"
        label="Saved filters"
        align="end"
        open={open}
        onOpenChange={setOpen}
      >
        <SaveForm />
        <SavedList
          onClose={() => setOpen(false)}
          onRename={(saved) => {
            setOpen(false)
            setRenaming(saved)
          }}
        />
      </ChipMenu>
      {renaming !== null && (
        <NameDialog
          title="Rename filter"
          action="Rename"
          name={renaming.name}
          onSave={async (name) => {
            await client.call('filters.save', { ...renaming, name })
          }}
          onClose={() => setRenaming(null)}
        />
      )}
    </>
  )
}

function SaveForm() {
  const filter = useDeliveries((state) => state.filter)
  const { columns } = useListColumns()
  const client = useClient()
  const [name, setName] = useState('')
  const save = useAction(async () => {
    await client.call('filters.save', {
      name: name.trim(),
      filter,
      columns: columns && [...columns],
    })
    setName('')
  })
  const empty = name.trim() === ''
  return (
    <form
      className="flex flex-1 flex-wrap gap-3 p-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (!empty && !save.busy) save.start()
      }}
    >
      <input
        className="input"
        aria-label="Filter name"
        placeholder="Filter name"
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" kind="primary" busy={save.busy} disabled={empty}>
        Save
      </Button>
      <ErrorText error={save.error} />
    </form>
  )
}

interface ListProps {
  onClose: () => void
  onRename: (saved: SavedFilter) => void
}

function SavedList(props: ListProps) {
  const saved = useSaved((state) => state.saved)
  if (saved.length === 0) return null
  return (
    <ul className="mt-3" aria-label="Saved">
      {saved.map((filter) => (
        <li className="flex flex-wrap items-center gap-1" key={filter.id}>
          <SavedRow saved={filter} {...props} />
        </li>
      ))}
    </ul>
  )
}

function SavedRow({ saved, onClose, onRename }: ListProps & { readonly saved: SavedFilter }) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.call('filters.remove', { id: saved.id })
  })
  const name = escapeControls(saved.name)
  return (
    <>
      <button
        type="button"
        className="grid min-w-0 flex-1 rounded-sm px-3 py-2 wrap-anywhere hover:bg-hover"
        onClick={() => {
          setFilterText(saved.filter)
          if (saved.columns !== null) setColumns(saved.columns)
          onClose()
        }}
      >
        <span>{name}</span>
        <span className="mono cut text-dim">
          {shortText(saved.filter === '' ? 'all deliveries' : saved.filter, 80)}
          {saved.columns !== null && ', with columns'}
        </span>
      </button>
      <IconButton label={`Rename ${name}`} onClick={() => onRename(saved)}>
        <Icons.Pencil />
      </IconButton>
      <IconButton label={`Remove ${name}`} onClick={() => remove.start()}>
        <Icons.Trash2 />
      </IconButton>
      <ErrorText error={remove.error} />
    </>
  )
}

/** Saved filters, stored in the data folder. */
export const useSaved = create<{ readonly saved: readonly SavedFilter[] }>(() => ({ saved: [] }))

function show(saved: readonly SavedFilter[]): void {
  useSaved.setState({ saved })
}

/** Keeps the saved filters in sync with the engine. */
export function followSaved(client: Client): void {
  client.on('filters.changed', show)
  client.onReload(() => {
    client.call('filters.saved', {}).then(show, () => {
      // The banner reports a lost connection. They are requested again once it is back.
    })
  })
}

const key = 'tabscope.recent-filters'
const maxRecent = 10

/** Recently used filters, newest first. Stored in this browser or window. */
export const useRecent = create<{ readonly recent: readonly string[] }>(() => ({
  recent: loadRecent(key, maxRecent),
}))

export function remember(filter: string): void {
  const { recent } = useRecent.getState()
  if (filter === '' || recent[0] === filter) return
  useRecent.setState({ recent: saveRecent(key, maxRecent, filter, recent) })
}
