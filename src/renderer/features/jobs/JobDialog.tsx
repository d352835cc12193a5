import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { withScheme } from '#contract/http.ts'
import { jobLimit, type JobPace } from '#contract/sending.ts'
import { Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { count, counted } from '../../ui/text/numbers.ts'
import { cut, visible } from '../../ui/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAnswering } from '../../state/answering.ts'
import { countChosen } from '../../state/select-deliveries.ts'
import { chooseNone, setAsking, useSelection } from '../../state/selection.ts'
import { useDeliveries } from '../../state/deliveries.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { hostOf } from '../attempts/index.ts'
import {
  AddressField,
  HowFields,
  placesFor,
  plainDraft,
  secondsFault,
  type SendDraft,
  urlFault,
  sendRequest,
  useRecent,
} from '../sending/index.ts'
import { useShell } from '../../state/app.ts'
import { confirming } from '../targets/index.ts'
import { takeJob } from '../../state/jobs.ts'
import { Field } from '../../ui/Field.tsx'
import { Segments } from '../../ui/Segments.tsx'
import './Jobs.css'

/** How fast they go out, as it is being written. */
interface PaceDraft {
  readonly how: JobPace['how']
  readonly stopOnFailure: boolean
  readonly perSecond: string
  readonly speed: string
  /** In seconds. */
  readonly longestGap: string
  readonly width: string
}

export const plainPace: PaceDraft = {
  how: 'one_by_one',
  stopOnFailure: false,
  perSecond: '10',
  speed: '1',
  longestGap: '60',
  width: '8',
}

type PaceFaults = Partial<Record<'perSecond' | 'speed' | 'longestGap' | 'width', string>>

/** Why it cannot be taken so. Only what the chosen pace needs is looked at. */
export function paceFaults(draft: PaceDraft): PaceFaults {
  switch (draft.how) {
    case 'one_by_one':
      return {}
    case 'rate':
      return within(draft.perSecond, 0.1, 1000) ? {} : { perSecond: 'From 0.1 to 1,000.' }
    case 'spacing':
      return {
        ...(within(draft.speed, 0.01, 1000) ? {} : { speed: 'From 0.01 to 1,000.' }),
        ...(within(draft.longestGap, 0, 86_400)
          ? {}
          : { longestGap: 'From 0 to 86,400 seconds, a day.' }),
      }
    case 'at_once':
      return within(draft.width, 1, 64) && Number.isInteger(numberOf(draft.width))
        ? {}
        : { width: 'A whole number from 1 to 64.' }
  }
}

/** The pace as the engine takes it. Only of a draft without a fault. */
export function paceOf(draft: PaceDraft): JobPace {
  switch (draft.how) {
    case 'one_by_one':
      return { how: 'one_by_one', stopOnFailure: draft.stopOnFailure }
    case 'rate':
      return { how: 'rate', perSecond: numberOf(draft.perSecond) }
    case 'spacing':
      return {
        how: 'spacing',
        speed: numberOf(draft.speed),
        longestGap: Math.round(numberOf(draft.longestGap) * 1000),
      }
    case 'at_once':
      return { how: 'at_once', width: numberOf(draft.width) }
  }
}

function within(text: string, least: number, most: number): boolean {
  const value = numberOf(text)
  return value >= least && value <= most
}

/** NaN: it is none. A comma is a decimal point as well. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'))
}

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
      className="form"
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
    <Stack column gap={4} align="start" role="group" aria-label="Pace">
      <Segments
        label="How fast"
        value={pace.how}
        options={[
          { value: 'one_by_one', label: 'One by one' },
          { value: 'rate', label: 'At a rate' },
          { value: 'spacing', label: 'Original timing' },
          { value: 'at_once', label: 'In parallel' },
        ]}
        onChange={(how) => set({ how })}
      />
      <Details pace={pace} faults={faults} set={set} />
    </Stack>
  )
}

function Details({ pace, faults, set }: PaceFieldsProps) {
  switch (pace.how) {
    case 'one_by_one':
      return (
        <Row as="label" align="center" gap={4} size="s" className="send-check">
          <input
            type="checkbox"
            checked={pace.stopOnFailure}
            onChange={(event) => set({ stopOnFailure: event.target.checked })}
          />
          Stop at the first that is not answered with 2xx
        </Row>
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
        <Grid columns="1 1" gap={5} wide>
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
        </Grid>
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
