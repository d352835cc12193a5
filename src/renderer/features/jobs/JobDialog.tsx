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
import { hostOf } from '../attempts/labels.ts'
import { AddressField } from '../sending/AddressField.tsx'
import { HowFields } from '../sending/HowFields.tsx'
import { placesFor } from '../sending/places.ts'
import {
  plainDraft,
  secondsFault,
  type SendDraft,
  urlFault,
  sendRequest,
} from '../sending/send-draft.ts'
import { useRecent } from '../sending/use-recent.ts'
import { useShell } from '../shell/store.ts'
import { confirming } from '../targets/confirming.ts'
import { type PaceDraft, paceFaults, type PaceFaults, paceOf, plainPace } from './pace-draft.ts'
import { takeJob } from './store.ts'
import './Jobs.css'
import { Field } from '../../components/Field.tsx'
import { Segments } from '../../components/Segments.tsx'

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
      client.call('jobs.start', { ...which, ...sendRequest(draft), pace: paceOf(pace) }),
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

interface PaceFieldsProps {
  readonly pace: PaceDraft
  readonly faults: PaceFaults
  readonly set: (change: Partial<PaceDraft>) => void
}

/** How fast they go out, always in the order in which they arrived. */
function PaceFields({ pace, faults, set }: PaceFieldsProps) {
  return (
    <div className="pace" role="group" aria-label="Pace">
      <Segments
        label="How fast"
        value={pace.how}
        options={[
          { value: 'one_by_one', label: 'One by one' },
          { value: 'rate', label: 'At a rate' },
          { value: 'spacing', label: 'As they arrived' },
          { value: 'at_once', label: 'Many at once' },
        ]}
        onChange={(how) => set({ how })}
      />
      <Details pace={pace} faults={faults} set={set} />
    </div>
  )
}

function Details({ pace, faults, set }: PaceFieldsProps) {
  switch (pace.how) {
    case 'one_by_one':
      return (
        <label className="send-check">
          <input
            type="checkbox"
            checked={pace.stopOnFailure}
            onChange={(event) => set({ stopOnFailure: event.target.checked })}
          />
          Stop at the first that is not answered with 2xx
        </label>
      )
    case 'rate':
      return (
        <Field
          className="field-short"
          label="Deliveries a second"
          inputMode="decimal"
          value={pace.perSecond}
          error={faults.perSecond}
          onChange={(event) => set({ perSecond: event.target.value })}
        />
      )
    case 'spacing':
      return (
        <div className="pace-two">
          <Field
            label="Times as fast"
            inputMode="decimal"
            hint="1: as far apart as they arrived."
            value={pace.speed}
            error={faults.speed}
            onChange={(event) => set({ speed: event.target.value })}
          />
          <Field
            label="Longest gap"
            inputMode="decimal"
            hint="Longer ones are cut to it."
            value={pace.longestGap}
            error={faults.longestGap}
            after={<span className="field-unit">seconds</span>}
            onChange={(event) => set({ longestGap: event.target.value })}
          />
        </div>
      )
    case 'at_once':
      return (
        <Field
          className="field-short"
          label="Under way at once"
          inputMode="numeric"
          hint="They begin in order, but may arrive in another."
          value={pace.width}
          error={faults.width}
          onChange={(event) => set({ width: event.target.value })}
        />
      )
  }
}
