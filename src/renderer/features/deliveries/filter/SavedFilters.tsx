import { Bookmark, Pencil, Trash2 } from '../../../ui/icons.tsx'
import { type ComponentProps, useState } from 'react'
import type { SavedFilter } from '#contract/deliveries.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { ErrorText } from '../../../ui/Failure.tsx'
import { useAction, useClient } from '#renderer/platform/use-client.ts'
import { useCan } from '../../../state/app.ts'
import { setFilterText, useDeliveries } from '../../../state/deliveries.ts'
import { ChipMenu } from './CheckMenu.tsx'
import { useSaved } from './saved.ts'

export function SavedFilters() {
  const [open, setOpen] = useState(false)
  // Saved filters do not depend on the shown log. Only an exported page cannot store any.
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
    </ChipMenu>
  )
}

function SaveForm() {
  const client = useClient()
  const filter = useDeliveries((state) => state.filter)
  if (filter === '') {
    return (
      <Text as="p" pad={[3, 3]} size="s" tone="dim">
        Enter a filter to save it.
      </Text>
    )
  }
  return (
    <NameForm
      before=""
      action="Save"
      kind="primary"
      onSave={async (name) => {
        await client.call('filters.save', { name, filter })
      }}
      aria-label="Filter name"
      placeholder="Filter name"
    />
  )
}

interface NameFormProps extends ComponentProps<'input'> {
  /** The name in the field at first, and after the one entered was saved. */
  readonly before: string
  readonly action: string
  readonly kind?: 'plain' | 'primary'
  readonly onSave: (name: string) => Promise<void>
}

/** A field for the name of a filter, with the button that saves it. */
function NameForm({ before, action, kind = 'plain', onSave, ...input }: NameFormProps) {
  const [name, setName] = useState(before)
  const save = useAction(async () => {
    await onSave(name.trim())
    setName(before)
  })
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
        {...input}
        className="input"
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" kind={kind} busy={save.busy} disabled={empty}>
        {action}
      </Button>
      <ErrorText error={save.error} />
    </Row>
  )
}

function SavedList({ onClose }: { readonly onClose: () => void }) {
  const saved = useSaved((state) => state.saved)
  const [renaming, setRenaming] = useState<number | null>(null)
  if (saved.length === 0) return null
  return (
    <ul className="margin-top-3" aria-label="Saved">
      {saved.map((filter) => (
        <Row as="li" wrap align="center" gap={1} key={filter.id}>
          {renaming === filter.id ? (
            <RenameForm saved={filter} onDone={() => setRenaming(null)} />
          ) : (
            <SavedRow saved={filter} onClose={onClose} onRename={() => setRenaming(filter.id)} />
          )}
        </Row>
      ))}
    </ul>
  )
}

interface RowProps {
  readonly saved: SavedFilter
  readonly onClose: () => void
  readonly onRename: () => void
}

function SavedRow({ saved, onClose, onRename }: RowProps) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.call('filters.remove', { id: saved.id })
  })
  const name = escapeControls(saved.name)
  return (
    <>
      <button
        type="button"
        className="saved-apply"
        onClick={() => {
          setFilterText(saved.filter)
          onClose()
        }}
      >
        <span>{name}</span>
        <span className="mono dim cut">{escapeControls(truncate(saved.filter, 80))}</span>
      </button>
      <IconButton label={`Rename ${name}`} onClick={onRename}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${name}`} onClick={() => remove.start()}>
        <Trash2 aria-hidden />
      </IconButton>
      <ErrorText error={remove.error} />
    </>
  )
}

interface RenameProps {
  readonly saved: SavedFilter
  readonly onDone: () => void
}

function RenameForm({ saved: { id, name: before, filter }, onDone }: RenameProps) {
  const client = useClient()
  return (
    <NameForm
      before={before}
      action="Rename"
      onSave={async (name) => {
        await client.call('filters.save', { id, name, filter })
        onDone()
      }}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a button, so the user types next
      autoFocus
      aria-label={`New name for ${escapeControls(before)}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    />
  )
}
