import { useState } from 'react'
import { targetAddress } from '#shared/text/address.ts'
import { formatDuration, plural } from '#shared/text/format.ts'
import type { Scenario, ScenarioRun } from '#contract/scenarios.ts'
import { anyNumber, numberOf } from '#kit/field-checks.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { CheckField, Field, SelectField } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Segments } from '#kit/Switch.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useForm } from '#kit/use-form.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { AddressField, urlError } from '#parts/send/SendFields.tsx'
import { useTargetSuggestions } from '#parts/send/target-suggestions.ts'
import { withConfirmation } from '#parts/send/ConfirmTarget.tsx'

interface Props {
  scenario: Scenario
  /** Newest first. */
  runs: readonly ScenarioRun[]
  onStarted: () => void
  onClose: () => void
}

type Pace = 'original' | 'faster' | 'at_once'

/** Asks where and how fast to send a scenario. The options of the last run are preset. */
export function RunScenario({ scenario, runs: [last], onStarted, onClose }: Props) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const suggestions = useTargetSuggestions({})
  const [url, setUrl] = useState(last?.url ?? '')
  const [pace, setPace] = useState<Pace>(paceOf(last))
  const [speed, setSpeed] = useState(String(last?.speed === 1 ? 60 : (last?.speed ?? 60)))
  const [endpoint, setEndpoint] = useState('')
  const [keepIds, setKeepIds] = useState(last?.keepIds ?? false)
  const errors = {
    url: urlError(url),
    speed: pace === 'faster' ? anyNumber(speed, 0.01, 100_000) : null,
  }
  const rate = pace === 'at_once' || errors.speed ? null : pace === 'original' ? 1 : numberOf(speed)
  const form = useForm(errors, async () => {
    const started = await withConfirmation(client, () =>
      client.call('scenarios.run', {
        name: scenario.name,
        url: url.trim() === '' ? null : targetAddress(url),
        endpointId: endpoint === '' ? null : Number(endpoint),
        speed: rate,
        keepIds,
      }),
    )
    if (started === null) return
    onStarted()
    onClose()
  })
  return (
    <FormDialog
      title="Run scenario"
      description={`Sends ${plural(scenario.deliveries, 'delivery', 'deliveries')} in order, with current times, and signed again.`}
      help={<LearnMore page="scenarios" />}
      action="Run"
      icon={Icons.Play}
      form={form}
      wide
      onClose={onClose}
    >
      <AddressField
        url={url}
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty="If empty, to the first forward target of the endpoint."
        onChange={setUrl}
      />
      <div className="flex flex-col items-start gap-4" role="group" aria-label="Pace">
        <Segments
          label="Pace"
          value={pace}
          options={[
            { value: 'original', label: 'Original pace' },
            { value: 'faster', label: 'Faster' },
            { value: 'at_once', label: 'At once' },
          ]}
          onChange={setPace}
        />
        {pace === 'faster' && (
          <Field
            className="field-short"
            label="Speed"
            inputMode="decimal"
            hint="60 sends an hour in a minute."
            value={speed}
            error={form.shown.speed}
            onChange={({ target }) => setSpeed(target.value)}
          />
        )}
        {rate !== null && (
          <p className="text-s text-mid" role="status">
            Takes {formatDuration((scenario.lastAt - scenario.firstAt) / rate)}.
          </p>
        )}
      </div>
      <SelectField
        label="Signed with"
        value={endpoint}
        onChange={({ target }) => setEndpoint(target.value)}
      >
        <option value="">The secret of each delivery’s endpoint</option>
        {endpoints.map(({ id, name }) => (
          <option key={id} value={id}>
            {shortText(`The secret of ${name}`, 80)}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="Keep IDs"
        note="Otherwise orders, tabs, items and guests get new IDs, so that a handler that ignores what it knows processes them."
        checked={keepIds}
        onChange={setKeepIds}
      />
    </FormDialog>
  )
}

function paceOf(last: ScenarioRun | undefined): Pace {
  if (!last || last.speed === 1) return 'original'
  return last.speed === null ? 'at_once' : 'faster'
}
