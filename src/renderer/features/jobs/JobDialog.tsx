import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { withScheme } from '#contract/http.ts'
import { jobLimit } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Note } from '../../components/Note.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAnswering } from '../answering/store.ts'
import { countChosen } from '../deliveries/selection/choosing.ts'
import { chooseNone, setAsking, useSelection } from '../deliveries/selection/store.ts'
import { useDeliveries } from '../deliveries/store.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { hostOf } from '../attempts/words.ts'
import { AddressField } from '../sending/AddressField.tsx'
import { HowFields } from '../sending/HowFields.tsx'
import { placesFor } from '../sending/places.ts'
import type { SendDraft } from '../sending/send-draft.ts'
import { plainDraft, secondsFault, urlFault, wishOf } from '../sending/send-draft.ts'
import { useRecent } from '../sending/use-recent.ts'
import { useShell } from '../shell/store.ts'
import { confirming } from '../targets/confirming.ts'
import { paceFaults, paceOf, plainPace } from './pace-draft.ts'
import type { PaceDraft } from './pace-draft.ts'
import { PaceFields } from './PaceFields.tsx'
import { takeJob } from './store.ts'
import './Jobs.css'

/** Asks where those that are chosen go, how they are signed, and how fast. */
export function JobDialog() {
  const asking = useSelection((state) => state.asking)
  const chosen = useDeliveries(({ rows, revision }) => (revision < 0 ? null : rows))
  const selection = useSelection()
  if (!asking || chosen === null) return null
  const many = countChosen(chosen, selection)
  return (
    <Dialog
      open
      onClose={close}
      title={`Re-send ${counted(many, 'delivery', 'deliveries')}`}
      description={
        selection.all === null || selection.all.filter === ''
          ? 'In the order in which they arrived, each as it came, byte for byte.'
          : 'All that match the filter now, in the order in which they arrived, each as it came, byte for byte.'
      }
      wide
    >
      <Form many={many} />
    </Dialog>
  )
}

function close(): void {
  setAsking(false)
}

function Form({ many }: { readonly many: number }) {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useAnswering((state) => state.forwards)
  const recent = useRecent()
  const [draft, setDraft] = useState<SendDraft>(plainDraft)
  const [pace, setPace] = useState<PaceDraft>(plainPace)
  const [tried, setTried] = useState(false)
  const wrong = { url: urlFault(draft.url), seconds: secondsFault(draft.seconds) }
  const slow = paceFaults(pace)
  const tooMany = many > jobLimit
  const start = useAction(async () => {
    const { ids, all } = useSelection.getState()
    const which =
      all === null
        ? { ids: [...ids].sort((one, other) => one - other) }
        : { filter: all.filter, upTo: all.upTo }
    const job = await confirming(client, () =>
      client.call('jobs.start', { ...which, ...wishOf(draft), pace: paceOf(pace) }),
    )
    if (job === null) return
    takeJob(job)
    chooseNone()
  })
  return (
    <form
      className="send-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (wrong.url !== null || wrong.seconds !== null || tooMany) return
        if (Object.keys(slow).length === 0) start.start()
      }}
    >
      <AddressField
        url={draft.url}
        error={tried ? wrong.url : null}
        places={placesFor({ used: [], recent, forwards, listener, endpoints, delivery: null })}
        byItself="Empty: each to where it went last, else to the first forward target of its endpoint, else to our own listener."
        onChange={(url) => setDraft((before) => ({ ...before, url }))}
      />
      <PaceFields
        pace={pace}
        faults={tried ? slow : {}}
        set={(change) => setPace((before) => ({ ...before, ...change }))}
      />
      <HowFields
        draft={draft}
        secondsError={tried ? wrong.seconds : null}
        set={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
      {tooMany && (
        <Note tone="invalid" alert>
          At most {count(jobLimit)} deliveries go out in one job. Narrow the filter.
        </Note>
      )}
      {start.error !== null && (
        <Note tone="invalid" alert>
          {sentence(start.error)}
        </Note>
      )}
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" type="submit" busy={start.busy} icon={<RotateCw aria-hidden />}>
          Re-send {count(many)}
          {draft.url.trim() === ''
            ? ', each where it went last'
            : wrong.url === null && ` to ${visible(cut(hostOf(withScheme(draft.url)), 40))}`}
        </Button>
      </div>
    </form>
  )
}
