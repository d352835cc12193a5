import { useState } from 'react'
import type { DraftSummary } from '#contract/compose.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Field } from '../../../components/Field.tsx'
import { Note } from '../../../components/Note.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { say } from '../../shell/toasts.ts'
import { flush } from '../save.ts'
import { changeSession, sessionNow } from '../store.ts'

interface Props {
  readonly draft: Pick<DraftSummary, 'id' | 'name'>
  readonly onClose: () => void
}

/** Gives a draft a name, by which it is a template, or a template another one. */
export function NameDialog({ draft, onClose }: Props) {
  const client = useClient()
  const [name, setName] = useState(draft.name ?? '')
  const save = useAction(async () => {
    await flush(client)
    const { content } = await client.call('compose.get', { id: draft.id })
    const saved = await client.call('compose.save', { id: draft.id, name: name.trim(), content })
    const session = sessionNow()
    if (session?.id === saved.id) changeSession(session.key, { name: saved.name })
    say('valid', `Kept as the template “${name.trim()}”.`)
    onClose()
  })
  const empty = name.trim() === ''
  return (
    <Dialog
      open
      onClose={onClose}
      title={draft.name === null ? 'Keep as a template' : 'Rename the template'}
      description="A template stays, and fills in {{uuid}}, {{now}} and {{counter}} anew at each send where that is switched on."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!empty && !save.busy) save.start()
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.target.value)}
        />
        {save.error !== null && (
          <Note tone="invalid" alert>
            {sentence(save.error)}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.busy} disabled={empty}>
            {draft.name === null ? 'Keep' : 'Rename'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
