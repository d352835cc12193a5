import { Plus, X } from '../../../ui/icons.tsx'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Row } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { escapeControls } from '../../../ui/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { toastError } from '../../../platform/toasts.ts'
import { annotate, tagLongest, tagsMost } from '../selection/bulk-actions.ts'
import { useSuggestions } from '../use-suggestions.ts'

export function TagChip({
  tag,
  children,
}: {
  readonly tag: string
  readonly children?: ReactNode
}) {
  return (
    <Row
      as="span"
      inline
      align="center"
      size="xs"
      weight="semibold"
      anywhere
      round="full"
      className="own-tag"
      data-fixed={children === undefined || undefined}
    >
      <Shown text={tag} />
      {children}
    </Row>
  )
}

interface Props {
  readonly row: DeliverySummary
  readonly onChanged: () => void
}

/** The tags of a delivery, each with a remove button, and a field to add one. */
export function TagEditor({ row, onChanged }: Props) {
  const client = useClient()
  const button = useRef<HTMLButtonElement>(null)
  const [adding, setAdding] = useState(false)
  const full = row.tags.length >= tagsMost
  useKeys({ tag: () => !full && setAdding(true) })

  function save(tags: string[]): void {
    annotate(client, row.id, { tags }).then(onChanged, toastError)
  }
  /** After leaving the field by key, the focus returns to the button. */
  const returnFocus = useRef(false)
  useEffect(() => {
    if (!adding && returnFocus.current) button.current?.focus()
    returnFocus.current = false
  }, [adding])
  function close(byKey: boolean): void {
    returnFocus.current = byKey
    setAdding(false)
  }

  return (
    <>
      {row.tags.map((tag) => (
        <TagChip key={tag} tag={tag}>
          <IconButton
            label={`Remove the tag ${escapeControls(tag)}`}
            onClick={() => save(row.tags.filter((held) => held !== tag))}
          >
            <X aria-hidden />
          </IconButton>
        </TagChip>
      ))}
      {adding ? (
        <TagField
          taken={row.tags}
          onAdd={(tag) => !row.tags.includes(tag) && save([...row.tags, tag])}
          onClose={close}
        />
      ) : (
        <Button
          ref={button}
          kind="quiet"
          small
          className="annotate"
          disabled={full}
          aria-keyshortcuts="l"
          title={
            full
              ? `A delivery can have at most ${tagsMost} tags`
              : 'Tagged deliveries are pinned, so retention keeps them (L)'
          }
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden /> Tag
        </Button>
      )}
    </>
  )
}

interface FieldProps {
  readonly taken: readonly string[]
  readonly onAdd: (tag: string) => void
  readonly onClose: (byKey: boolean) => void
}

function TagField({ taken, onAdd, onClose }: FieldProps) {
  const [text, setText] = useState('')
  /** Closed by key: the field is removed, and its blur event must not add the tag. */
  const closed = useRef(false)
  const prefix = text.trim()
  const suggested = useSuggestions({ field: 'tag', prefix })
  const options = (suggested?.values ?? []).filter((tag) => !taken.includes(tag)).slice(0, 8)
  function add(tag: string): void {
    if (tag !== '') onAdd(tag)
    setText('')
  }
  const listId = useId()
  return (
    <>
      <input
        className="input tag-field size-s"
        list={listId}
        // Opened by a key or a button, so the user types next.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label="New tag"
        placeholder="Tag, then Enter"
        value={text}
        maxLength={tagLongest}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && prefix !== '') add(prefix)
          else if (event.key === 'Escape' || event.key === 'Enter') {
            closed.current = true
            onClose(true)
          } else return
          event.preventDefault()
        }}
        onBlur={() => {
          if (closed.current) return
          add(prefix)
          onClose(false)
        }}
      />
      <datalist id={listId}>
        {options.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </datalist>
    </>
  )
}
