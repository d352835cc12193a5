import type { DraftSummary } from '#contract/compose.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { dropSession } from '../open.ts'
import { sessionNow } from '../store.ts'
import { calledOf } from './DraftRow.tsx'

interface Props {
  readonly draft: DraftSummary
  readonly onClose: () => void
}

/** Asks before a draft goes. */
export function DeleteDialog({ draft, onClose }: Props) {
  const client = useClient()
  const remove = useAction(async () => {
    // First, so that nothing stores it anew while it goes.
    if (sessionNow()?.id === draft.id) dropSession()
    await client.call('compose.remove', { id: draft.id })
    onClose()
  })
  const kept = draft.origin.kind === 'delivery'
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${calledOf(draft)}”?`}
      description={
        kept
          ? 'What is written in it goes. The delivery that it comes from stays, with what was sent.'
          : 'What is written in it goes, with what was sent of it.'
      }
      action="Delete"
      busy={remove.busy}
      error={remove.error === null ? null : sentence(remove.error)}
      onConfirm={() => remove.start()}
    />
  )
}
