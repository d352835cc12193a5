import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Note } from '../../components/Note.tsx'
import { useClient, useQuery } from '../../platform/use-client.ts'
import { useAnswering } from '../answering/store.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { AddressField } from '../sending/AddressField.tsx'
import { HowFields } from '../sending/HowFields.tsx'
import { placesFor } from '../sending/places.ts'
import type { SendDraft } from '../sending/send-draft.ts'
import { plainDraft, secondsFault, urlFault, wishOf } from '../sending/send-draft.ts'
import { useShell } from '../shell/store.ts'
import { resend } from './resend.ts'
import { askWhereTo, useAttemptsStore } from './store.ts'

/** Asks where one delivery goes, and how it is signed. */
export function ResendDialog() {
  const id = useAttemptsStore((state) => state.dialogFor)
  if (id === null) return null
  return (
    <Dialog
      open
      onClose={close}
      title={`Send #${id} again`}
      description="As it came, byte for byte; only the value of Host follows the address."
      wide
    >
      <Ready key={id} id={id} />
    </Dialog>
  )
}

function close(): void {
  askWhereTo(null)
}

function Ready({ id }: { readonly id: number }) {
  const delivery = useQuery('deliveries.get', { id, log: null }).state
  const attempts = useQuery('attempts.list', { log: null, deliveryId: id, limit: 50 }).state
  if (delivery.phase === 'failed') {
    return (
      <Note tone="invalid" alert>
        {delivery.message}
      </Note>
    )
  }
  if (delivery.phase === 'loading' || attempts.phase === 'loading') {
    return <div className="send-form" role="status" aria-label="Loading" />
  }
  const used = attempts.phase === 'ready' ? attempts.value.rows.map(({ url }) => url) : []
  return <Form delivery={delivery.value} used={used} />
}

function Form({ delivery, used }: { readonly delivery: Delivery; readonly used: string[] }) {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useAnswering((state) => state.forwards)
  const places = placesFor({ used, forwards, listener, endpoints, delivery })
  const [draft, setDraft] = useState<SendDraft>({ ...plainDraft, url: places[0]?.url ?? '' })
  const [tried, setTried] = useState(false)
  const set = (change: Partial<SendDraft>): void => setDraft((before) => ({ ...before, ...change }))
  const wrong = { url: urlFault(draft.url), seconds: secondsFault(draft.seconds) }
  return (
    <form
      className="send-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (wrong.url !== null || wrong.seconds !== null) return
        close()
        void resend(client, { id: delivery.id, ...wishOf(draft) })
      }}
    >
      <AddressField
        url={draft.url}
        error={tried ? wrong.url : null}
        places={places}
        byItself="Empty: where it went last, else the first forward target, else our own listener."
        onChange={(url) => set({ url })}
      />
      <HowFields draft={draft} secondsError={tried ? wrong.seconds : null} set={set} />
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" type="submit" icon={<RotateCw aria-hidden />}>
          Send
        </Button>
      </div>
    </form>
  )
}
