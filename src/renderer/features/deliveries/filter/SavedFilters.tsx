import { Bookmark, ChevronDown, Pencil, Trash2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { SavedFilter } from '#contract/deliveries.ts'
import { Button, IconButton } from '#renderer/components/Button.tsx'
import { cut, visible } from '#renderer/components/text/visible.ts'
import { sentence } from '#renderer/platform/call-error.ts'
import { useAction, useClient } from '#renderer/platform/use-client.ts'
import { useCan } from '../../shell/store.ts'
import { setFilterText, useDeliveries } from '../store.ts'
import { forgetRecent, useRecent } from './recent.ts'
import { useSaved } from './saved.ts'

/** The menu of filters with a name, and of those that were used lately. */
export function SavedFilters() {
  const [open, setOpen] = useState(false)
  // Saved filters are the user's own, whatever log is shown; only an exported page cannot keep any.
  const editing = useCan('editing')
  const close = (): void => setOpen(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="chip-menu">
        <Bookmark aria-hidden />
        <span className="chip-word">Saved</span>
        <ChevronDown aria-hidden className="chip-more" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="check-menu saved-menu"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Saved filters"
          data-scrolls
        >
          {editing && <SaveForm />}
          <SavedList onClose={close} />
          <RecentList onClose={close} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function SaveForm() {
  const client = useClient()
  const filter = useDeliveries((state) => state.filter)
  const [name, setName] = useState('')
  const save = useAction(async () => {
    await client.call('filters.save', { name: name.trim(), filter })
    setName('')
  })
  if (filter === '') {
    return <p className="dim saved-hint">Write a filter to save it here under a name.</p>
  }
  const empty = name.trim() === ''
  return (
    <form
      className="saved-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!empty && !save.busy) save.start()
      }}
    >
      <input
        className="input"
        aria-label="Name for this filter"
        placeholder="Name for this filter"
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" kind="primary" busy={save.busy} disabled={empty}>
        Save
      </Button>
      <Failed error={save.error} />
    </form>
  )
}

function SavedList({ onClose }: { readonly onClose: () => void }) {
  const saved = useSaved((state) => state.saved)
  const [renaming, setRenaming] = useState<number | null>(null)
  if (saved.length === 0) return null
  return (
    <ul className="saved-list" aria-label="Saved">
      {saved.map((one) => (
        <li key={one.id}>
          {renaming === one.id ? (
            <RenameForm one={one} onDone={() => setRenaming(null)} />
          ) : (
            <SavedRow one={one} onClose={onClose} onRename={() => setRenaming(one.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  readonly one: SavedFilter
  readonly onClose: () => void
  readonly onRename: () => void
}

function SavedRow({ one, onClose, onRename }: RowProps) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.call('filters.remove', { id: one.id })
  })
  const name = visible(one.name)
  return (
    <>
      <button
        type="button"
        className="saved-apply"
        onClick={() => {
          setFilterText(one.filter)
          onClose()
        }}
      >
        <span>{name}</span>
        <span className="mono dim cut">{visible(cut(one.filter, 80))}</span>
      </button>
      <IconButton label={`Rename ${name}`} onClick={onRename}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${name}`} onClick={() => remove.start()}>
        <Trash2 aria-hidden />
      </IconButton>
      <Failed error={remove.error} />
    </>
  )
}

function RenameForm({ one, onDone }: { readonly one: SavedFilter; readonly onDone: () => void }) {
  const client = useClient()
  const [name, setName] = useState(one.name)
  const rename = useAction(async () => {
    await client.call('filters.save', { id: one.id, name: name.trim(), filter: one.filter })
    onDone()
  })
  return (
    <form
      className="saved-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !rename.busy) rename.start()
      }}
    >
      <input
        className="input"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked for it by a button, and types next
        autoFocus
        aria-label={`New name for ${visible(one.name)}`}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onDone()
        }}
      />
      <Button type="submit" busy={rename.busy} disabled={name.trim() === ''}>
        Rename
      </Button>
      <Failed error={rename.error} />
    </form>
  )
}

function RecentList({ onClose }: { readonly onClose: () => void }) {
  const recent = useRecent((state) => state.recent)
  if (recent.length === 0) return null
  return (
    <>
      <div className="saved-head">
        <span>Used lately, in this window</span>
        <Button kind="quiet" onClick={forgetRecent}>
          Forget
        </Button>
      </div>
      <ul className="saved-list" aria-label="Used lately">
        {recent.map((filter) => (
          <li key={filter}>
            <button
              type="button"
              className="saved-apply mono"
              onClick={() => {
                setFilterText(filter)
                onClose()
              }}
            >
              <span className="cut">{visible(cut(filter, 100))}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Failed({ error }: { readonly error: unknown }) {
  if (error === null) return null
  return (
    <p className="field-error" role="alert">
      {sentence(error)}
    </p>
  )
}
