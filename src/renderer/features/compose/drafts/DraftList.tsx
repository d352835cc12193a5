import { Icons } from '../../../ui/icons.tsx'
import { useState } from 'react'
import type { DraftSummary } from '#contract/compose.ts'
import { Row, Text } from '../../../ui/Layout.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { EmptyFailure } from '../../../ui/Failure.tsx'
import type { Client } from '../../../platform/client.ts'
import { useClient } from '../../../platform/use-client.ts'
import { fetchDrafts, dropSession } from '../open.ts'
import { sessionNow, useCompose } from '../store.ts'
import { draftLabel, DraftRow } from './DraftRow.tsx'
import { TemplateDialog } from '../DraftHead.tsx'
import { confirm } from '../../../ui/Confirm.tsx'

export function DraftList() {
  const client = useClient()
  const drafts = useCompose((state) => state.drafts)
  const error = useCompose((state) => state.draftsError)
  const [naming, setNaming] = useState<DraftSummary | null>(null)
  const remove = (draft: DraftSummary): void => confirmDeletion(client, draft)
  const templates = drafts?.filter(({ name }) => name !== null) ?? []
  const others = drafts?.filter(({ name }) => name === null) ?? []
  return (
    <>
      <Row fixed pad={[4, 5]} line="bottom">
        <a className="button wide" href="#/send/drafts">
          <Icons.Plus /> New
        </a>
      </Row>
      <div className="grow shrink scroll" data-scrolls>
        {error !== null && drafts === null ? (
          <EmptyFailure title="Could not load the drafts" onRetry={() => fetchDrafts(client)}>
            {error}
          </EmptyFailure>
        ) : drafts === null ? (
          <div role="status" aria-label="Loading" />
        ) : drafts.length === 0 ? (
          <Empty icon={Icons.FileText} title="No drafts yet">
            Your changes are saved here automatically and survive a restart.
          </Empty>
        ) : (
          <>
            <Group title="Templates" drafts={templates} onName={setNaming} onDelete={remove} />
            <Group title="Drafts" drafts={others} onName={setNaming} onDelete={remove} />
          </>
        )}
      </div>
      {naming !== null && (
        <TemplateDialog key={naming.id} draft={naming} onClose={() => setNaming(null)} />
      )}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly drafts: readonly DraftSummary[]
  readonly onName: (draft: DraftSummary) => void
  readonly onDelete: (draft: DraftSummary) => void
}

function Group({ title, drafts, onName, onDelete }: GroupProps) {
  if (drafts.length === 0) return null
  return (
    <section aria-label={title}>
      <Text as="h2" size="xs" weight="semibold" tone="dim" pad={[3, 5]}>
        {title}
      </Text>
      <ul className="lined">
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} onName={onName} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  )
}

function confirmDeletion(client: Client, draft: DraftSummary): void {
  confirm({
    title: `Delete “${draftLabel(draft)}”?`,
    description:
      draft.origin.kind === 'delivery'
        ? 'Deletes the draft. The original delivery and its attempts stay.'
        : 'Deletes the draft and its attempts.',
    action: 'Delete',
    async run() {
      // Close it first, so that nothing saves it again during the deletion.
      if (sessionNow()?.id === draft.id) dropSession()
      await client.call('compose.remove', { id: draft.id })
    },
  })
}
