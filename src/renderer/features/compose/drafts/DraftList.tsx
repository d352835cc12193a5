import { CircleAlert, FileText } from 'lucide-react'
import { useState } from 'react'
import type { DraftSummary } from '#contract/compose.ts'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { askForDrafts } from '../follow-drafts.ts'
import { useCompose } from '../store.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { DraftRow } from './DraftRow.tsx'
import { NameDialog } from './NameDialog.tsx'
import { NewMenu } from './NewMenu.tsx'
import './Drafts.css'

/** What was begun and not thrown away: drafts, and templates by their names. */
export function DraftList() {
  const client = useClient()
  const drafts = useCompose((state) => state.drafts)
  const error = useCompose((state) => state.draftsError)
  const [naming, setNaming] = useState<DraftSummary | null>(null)
  const [deleting, setDeleting] = useState<DraftSummary | null>(null)
  const templates = drafts?.filter(({ name }) => name !== null) ?? []
  const others = drafts?.filter(({ name }) => name === null) ?? []
  return (
    // The keys of what is in it come through it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className="compose-side"
      aria-label="Drafts and templates"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !useCompose.getState().listShown) return
        event.stopPropagation()
        useCompose.setState({ listShown: false })
        document.querySelector<HTMLElement>('.compose-list-button')?.focus()
      }}
    >
      <div className="compose-side-head">
        <NewMenu />
      </div>
      <div className="compose-side-list" data-scrolls>
        {error !== null && drafts === null ? (
          <Empty
            icon={<CircleAlert aria-hidden />}
            title="Drafts could not be read"
            actions={<Button onClick={() => askForDrafts(client)}>Try again</Button>}
          >
            {error}
          </Empty>
        ) : drafts === null ? (
          <div role="status" aria-label="Loading" />
        ) : drafts.length === 0 ? (
          <Empty icon={<FileText aria-hidden />} title="No drafts yet">
            What you change is kept here by itself, and survives a restart.
          </Empty>
        ) : (
          <>
            <Group title="Templates" drafts={templates} onName={setNaming} onDelete={setDeleting} />
            <Group title="Drafts" drafts={others} onName={setNaming} onDelete={setDeleting} />
          </>
        )}
      </div>
      {naming !== null && (
        <NameDialog key={naming.id} draft={naming} onClose={() => setNaming(null)} />
      )}
      {deleting !== null && <DeleteDialog draft={deleting} onClose={() => setDeleting(null)} />}
    </aside>
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
      <h2 className="compose-side-title">{title}</h2>
      <ul>
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} onName={onName} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  )
}
