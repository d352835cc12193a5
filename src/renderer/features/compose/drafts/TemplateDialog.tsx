import type { DraftSummary } from '#contract/compose.ts'
import { NameDialog } from '../../../ui/Dialog.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { say } from '../../../platform/toasts.ts'
import { flush } from '../save.ts'
import { changeSession, sessionNow } from '../store.ts'

interface Props {
  readonly draft: Pick<DraftSummary, 'id' | 'name'>
  readonly onClose: () => void
}

/** Names a draft, which makes it a template, or renames a template. */
export function TemplateDialog({ draft, onClose }: Props) {
  const client = useClient()
  const isNew = draft.name === null
  return (
    <NameDialog
      title={isNew ? 'Save as template' : 'Rename template'}
      description="Use a template for any number of requests. If placeholders are on, {{uuid}}, {{now}} and {{counter}} get new values for each request."
      action={isNew ? 'Save' : 'Rename'}
      name={draft.name ?? ''}
      onSave={async (name) => {
        await flush(client)
        const { content } = await client.call('compose.get', { id: draft.id })
        const saved = await client.call('compose.save', { id: draft.id, name, content })
        const session = sessionNow()
        if (session?.id === saved.id) changeSession(session.key, { name: saved.name })
        say('valid', `Saved as template “${name}”.`)
      }}
      onClose={onClose}
    />
  )
}
