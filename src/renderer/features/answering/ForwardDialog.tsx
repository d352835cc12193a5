import { useState } from 'react'
import type { ForwardTarget } from '#contract/answering.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { Segments } from '../../components/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { confirming } from '../targets/confirming.ts'
import {
  draftOf,
  faultsOf,
  type ForwardDraft,
  type ForwardFaults,
  type ForwardInput,
  inputOf,
} from './forward-draft.ts'
import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../components/EventIcon.tsx'
import { visible } from '../../components/text/visible.ts'

interface Props {
  /** Null: a new one. */
  readonly forward: ForwardTarget | null
  readonly onSave: (forward: ForwardInput) => Promise<void>
  readonly onClose: () => void
}

/** Where deliveries go on to. */
export function ForwardDialog({ forward, onSave, onClose }: Props) {
  const [draft, setDraft] = useState<ForwardDraft>(() => draftOf(forward))
  const [tried, setTried] = useState(false)
  const client = useClient()
  const faults = faultsOf(draft)
  const set = (change: Partial<ForwardDraft>): void =>
    setDraft((before) => ({ ...before, ...change }))
  const save = useAction(async () => {
    const went = await confirming(client, async () => {
      await onSave(inputOf(draft))
      return true
    })
    if (went) onClose()
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={forward ? 'Change this forward' : 'Forward deliveries'}
      description="Each goes on as it arrived, byte for byte. Only the value of Host follows the address."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (Object.keys(faults).length === 0) save.start()
        }}
      >
        <Field
          label="To"
          data-mono
          placeholder="http://localhost:3000/webhooks"
          value={draft.url}
          error={tried ? faults.url : null}
          onChange={(event) => set({ url: event.target.value })}
        />
        <TypeChoice types={draft.types} onChange={(types) => set({ types })} />
        <Segments
          label="When"
          value={draft.mode}
          options={[
            { value: 'after', label: 'After our answer' },
            { value: 'answer', label: 'Its answer is ours' },
          ]}
          onChange={(mode) => set({ mode })}
        />
        {draft.mode === 'answer' && (
          <Note tone="info">
            The service waits for this target. When it does not answer, we answer 502; the delivery
            is kept all the same.
          </Note>
        )}
        <Numbers draft={draft} faults={tried ? faults : {}} set={set} />
        {save.error !== null && (
          <Note tone="invalid" alert>
            {sentence(save.error)}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.busy}>
            {forward ? 'Save' : 'Forward'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface NumbersProps {
  readonly draft: ForwardDraft
  readonly faults: ForwardFaults
  readonly set: (change: Partial<ForwardDraft>) => void
}

function Numbers({ draft, faults, set }: NumbersProps) {
  return (
    <div className="forward-numbers">
      <Field
        label="Time limit"
        inputMode="decimal"
        after={<span className="dim">seconds</span>}
        value={draft.timeout}
        error={faults.timeout}
        onChange={(event) => set({ timeout: event.target.value })}
      />
      {draft.mode === 'after' && (
        <>
          <Field
            label="Tries after a failure"
            inputMode="numeric"
            hint="After 1 s, 2 s, 4 s … 60 s."
            value={draft.retries}
            error={faults.retries}
            onChange={(event) => set({ retries: event.target.value })}
          />
          <Field
            label="At once"
            inputMode="numeric"
            hint="1 keeps the order."
            value={draft.inFlight}
            error={faults.inFlight}
            onChange={(event) => set({ inFlight: event.target.value })}
          />
          <Field
            label="May wait"
            inputMode="numeric"
            hint="Over it the oldest are skipped, and that is said."
            value={draft.queue}
            error={faults.queue}
            onChange={(event) => set({ queue: event.target.value })}
          />
        </>
      )}
    </div>
  )
}

interface TypeChoiceProps {
  /** Empty: all. */
  readonly types: readonly string[]
  readonly onChange: (types: readonly string[]) => void
}

/** Which event types: all, or some. */
function TypeChoice({ types, onChange }: TypeChoiceProps) {
  const known = eventTypes.map(({ type }) => type)
  const shown = [...known, ...types.filter((type) => !known.includes(type))]
  return (
    <fieldset className="type-choice">
      <legend>
        Types <span className="dim">{types.length === 0 ? 'none chosen: all of them' : ''}</span>
      </legend>
      <div className="type-choice-list">
        {shown.map((type) => (
          <label key={type} className="type-choice-one">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target }) =>
                onChange(target.checked ? [...types, type] : types.filter((each) => each !== type))
              }
            />
            <EventIcon name={eventTypeOf(type)?.view.icon ?? 'circle-question-mark'} />
            <span className="mono">{visible(type)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
