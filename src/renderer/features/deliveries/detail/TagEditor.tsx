import { Plus, X } from '../../../ui/icons.tsx'
import { type ReactNode } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Row } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { escapeControls } from '../../../ui/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { toastError } from '../../../platform/toasts.ts'
import { openBulkDialog, annotate, tagsMost } from '../selection/bulk-actions.ts'

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

/** The tags of a delivery, each with a remove button, and a button to add one. */
export function TagEditor({ row, onChanged }: Props) {
  const client = useClient()
  const full = row.tags.length >= tagsMost

  function save(tags: string[]): void {
    annotate(client, row.id, { tags }).then(onChanged, toastError)
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
      <Button
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
        onClick={() => openBulkDialog('tag', { which: { ids: [row.id] }, count: 1 })}
      >
        <Plus aria-hidden /> Tag
      </Button>
    </>
  )
}
