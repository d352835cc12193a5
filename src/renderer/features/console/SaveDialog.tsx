import { useState } from 'react'
import type { ApiRequest } from '#contract/api.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../platform/use-client.ts'
import { say } from '../shell/toasts.ts'
import { useConsole } from './store.ts'

interface Props {
  readonly request: ApiRequest
  /** Why it cannot be saved: it is not whole. */
  readonly refused: string | null
  readonly onClose: () => void
}

/** Keeps the request under a name, in the place of the one it was loaded from or beside it. */
export function SaveDialog({ request, refused, onClose }: Props) {
  const client = useClient()
  const savedId = useConsole((state) => state.savedId)
  const { state } = useQuery('api.saved', {})
  const origin =
    state.phase === 'ready' ? (state.value.find(({ id }) => id === savedId) ?? null) : null
  const [name, setName] = useState<string | null>(null)
  const shown = name ?? origin?.name ?? cut(`${request.method} ${request.path}`, 120)
  const save = useAction(async (id: number | null) => {
    const saved = await client.call('api.save', {
      ...(id === null ? {} : { id }),
      name: shown.trim(),
      request,
    })
    useConsole.setState({ savedId: saved.id, panel: 'saved' })
    say('valid', `Saved as “${visible(cut(saved.name, 60))}”.`)
    onClose()
  })
  const empty = shown.trim() === ''
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save the request"
      description="With its method, path, rows and body. The token is chosen anew each time."
    >
      {refused === null ? (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!empty && !save.busy) save.start(origin?.id ?? null)
          }}
        >
          <Field
            label="Name"
            value={shown}
            maxLength={120}
            onChange={(event) => setName(event.target.value)}
          />
          {save.error !== null && (
            <Note tone="invalid" alert>
              {sentence(save.error)}
            </Note>
          )}
          <div className="dialog-actions">
            {origin !== null && (
              <Button busy={save.busy} disabled={empty} onClick={() => save.start(null)}>
                Save as another
              </Button>
            )}
            <Button kind="primary" type="submit" busy={save.busy} disabled={empty}>
              {origin === null ? 'Save' : `Save over “${visible(cut(origin.name, 24))}”`}
            </Button>
          </div>
        </form>
      ) : (
        <Note tone="missing">{refused}</Note>
      )}
    </Dialog>
  )
}
