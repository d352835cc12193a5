import { Bookmark, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SavedFilter } from '#contract/deliveries.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { cut, visible } from '../../../ui/text/visible.ts'
import { sentence } from '#renderer/platform/call-error.ts'
import { useAction, useClient } from '#renderer/platform/use-client.ts'
import { useCan } from '../../../state/app.ts'
import { setFilterText, useDeliveries } from '../../../state/deliveries.ts'
import { ChipMenu } from './CheckMenu.tsx'
import { forgetRecent, useRecent, useSaved } from './saved.ts'

/** The menu of filters with a name, and of those that were used lately. */
export function SavedFilters() {
  const [open, setOpen] = useState(false)
  // Saved filters are the user's own, whatever log is shown; only an exported page cannot keep any.
  const editing = useCan('editing')
  const close = (): void => setOpen(false)
  return (
    <ChipMenu
      icon={<Bookmark aria-hidden />}
      words="Saved"
      label="Saved filters"
      align="end"
      open={open}
      onOpenChange={setOpen}
    >
      {editing && <SaveForm />}
      <SavedList onClose={close} />
      <RecentList onClose={close} />
    </ChipMenu>
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
    return (
      <Text as="p" pad={[3, 3]} size="s" tone="dim">
        Write a filter to save it here under a name.
      </Text>
    )
  }
  const empty = name.trim() === ''
  return (
    <Row
      as="form"
      wrap
      grow
      gap={3}
      pad={1}
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
    </Row>
  )
}

function SavedList({ onClose }: { readonly onClose: () => void }) {
  const saved = useSaved((state) => state.saved)
  const [renaming, setRenaming] = useState<number | null>(null)
  if (saved.length === 0) return null
  return (
    <ul className="above-3" aria-label="Saved">
      {saved.map((one) => (
        <Row as="li" wrap align="center" gap={1} key={one.id}>
          {renaming === one.id ? (
            <RenameForm one={one} onDone={() => setRenaming(null)} />
          ) : (
            <SavedRow one={one} onClose={onClose} onRename={() => setRenaming(one.id)} />
          )}
        </Row>
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
    <Row
      as="form"
      wrap
      grow
      gap={3}
      pad={1}
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
    </Row>
  )
}

function RecentList({ onClose }: { readonly onClose: () => void }) {
  const recent = useRecent((state) => state.recent)
  if (recent.length === 0) return null
  return (
    <>
      <Row
        align="center"
        justify="between"
        above={4}
        line="top-soft"
        pad={[3, 3]}
        size="xs"
        tone="dim"
      >
        <span>Recent filters in this window</span>
        <Button kind="quiet" onClick={forgetRecent}>
          Forget
        </Button>
      </Row>
      <ul className="above-3" aria-label="Recent">
        {recent.map((filter) => (
          <Row as="li" wrap align="center" gap={1} key={filter}>
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
          </Row>
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
