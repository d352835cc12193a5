import { useState } from 'react'
import type { DraftSummary } from '#contract/compose.ts'
import { FormDialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { say } from '../../../platform/toasts.ts'
import { flush } from '../save.ts'
import { changeSession, sessionNow } from '../store.ts'

interface Props {
  readonly draft: Pick<DraftSummary, 'id' | 'name'>
  readonly onClose: () => void
}

/** Names a draft, which makes it a template, or renames a template. */
export function NameDialog({ draft, onClose }: Props) {
  const client = useClient()
  const [name, setName] = useState(draft.name ?? '')
  const save = useAction(async () => {
    await flush(client)
    const { content } = await client.call('compose.get', { id: draft.id })
    const saved = await client.call('compose.save', { id: draft.id, name: name.trim(), content })
    const session = sessionNow()
    if (session?.id === saved.id) changeSession(session.key, { name: saved.name })
    say('valid', `Saved as template “${name.trim()}”.`)
    onClose()
  })
  return (
    <FormDialog
      onClose={onClose}
      title={draft.name === null ? 'Save as template' : 'Rename template'}
      description="Use a template for any number of requests. If placeholders are on, {{uuid}}, {{now}} and {{counter}} get new values for each request."
      action={draft.name === null ? 'Save' : 'Rename'}
      disabled={name.trim() === ''}
      busy={save.busy}
      error={save.error === null ? null : sentence(save.error)}
      onSubmit={() => save.start()}
    >
      <Field
        label="Name"
        value={name}
        maxLength={120}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
