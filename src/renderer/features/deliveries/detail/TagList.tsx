import { Icons } from '../../../ui/icons.tsx'
import type { DeliverySummary } from '#contract/models.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Row } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { escapeControls } from '../../../ui/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { toastError } from '../../../platform/toasts.ts'
import { annotate } from '../selection/bulk-actions.ts'

interface Props {
  readonly row: DeliverySummary
  readonly editable: boolean
  readonly onChanged: () => void
}

/** The tags of a delivery as entries of a list, each with a remove button where it can be changed. */
export function TagList({ row, editable, onChanged }: Props) {
  const client = useClient()
  function remove(tag: string): void {
    const tags = row.tags.filter((held) => held !== tag)
    annotate(client, row.id, { tags }).then(onChanged, toastError)
  }
  return row.tags.map((tag) => (
    <li key={tag}>
      <Row
        as="span"
        inline
        align="center"
        size="xs"
        weight="semibold"
        anywhere
        round="full"
        className="own-tag"
        data-fixed={!editable || undefined}
      >
        <Shown text={tag} />
        {editable && (
          <IconButton label={`Remove the tag ${escapeControls(tag)}`} onClick={() => remove(tag)}>
            <Icons.X />
          </IconButton>
        )}
      </Row>
    </li>
  ))
}
