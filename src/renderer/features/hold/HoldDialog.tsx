import { useState } from 'react'
import { valuesOf } from '#contract/filter/edit.ts'
import { holdLimit, maxHeld } from '#contract/constants.ts'
import { anyNumber, numberOf, onlyErrors, wholeNumber } from '../../platform/field-checks.ts'
import { useClient } from '../../platform/use-client.ts'
import { useEndpointRules } from '../../state/endpoint-rules.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { filterFault } from '../../state/filter.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Icons } from '../../ui/icons.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { escapeControls } from '../../ui/text/visible.ts'
import { fieldsOf, useForm } from '../../ui/use-form.ts'
import { LearnMore } from '../help/index.ts'

interface Draft {
  readonly filter: string
  readonly at: 'forward' | 'response'
  /** Seconds. */
  readonly limit: string
  readonly howMany: 'one' | 'some' | 'all'
  readonly count: string
}

interface Props {
  /** That of the list. */
  readonly filter: string
  readonly onClose: () => void
}

/** Asks which deliveries to hold, where, and how many. */
export function HoldDialog({ filter, onClose }: Props) {
  const client = useClient()
  const [draft, setDraft] = useState<Draft>({
    filter,
    at: 'forward',
    limit: String(holdLimit.defaultMs / 1000),
    howMany: 'one',
    count: '3',
  })
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }))
  const fault = filterFault(draft.filter)
  const errors = onlyErrors({
    filter: fault && escapeControls(fault.message),
    limit: draft.at === 'response' ? anyNumber(draft.limit, 1, holdLimit.maxMs / 1000) : null,
    count: draft.howMany === 'some' ? wholeNumber(draft.count, 1, maxHeld.deliveries) : null,
  })
  const form = useForm(errors, async () => {
    await client.call('hold.add', {
      filter: draft.filter.trim(),
      at: draft.at,
      ...(draft.at === 'response' && { limitMs: Math.round(numberOf(draft.limit) * 1000) }),
      count: draft.howMany === 'one' ? 1 : draft.howMany === 'some' ? Number(draft.count) : null,
    })
    onClose()
  })
  const field = fieldsOf(draft, form.shown, set)
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      action="Hold"
      icon={Icons.Hand}
      title="Hold deliveries"
      description="A held delivery waits above the list until you release, edit, drop or respond to it."
      help={<LearnMore page="holding" onFollow={onClose} />}
    >
      <Field
        label="Filter"
        data-mono
        placeholder="every delivery"
        maxLength={4000}
        {...field('filter')}
      />
      <Segments
        label="Where"
        value={draft.at}
        options={[
          { value: 'forward', label: 'Before forwarding' },
          { value: 'response', label: 'Before the response' },
        ]}
        onChange={(at) => set({ at })}
      />
      {draft.at === 'response' ? (
        <Field
          label="Release after"
          inputMode="decimal"
          after={<span className="dim">seconds</span>}
          hint="An assumption: the API documentation does not say how long the service waits for a response."
          {...field('limit')}
        />
      ) : (
        <NoTarget filter={draft.filter} onFollow={onClose} />
      )}
      <Segments
        label="How many"
        value={draft.howMany}
        options={[
          { value: 'one', label: 'The next one' },
          { value: 'some', label: 'The next few' },
          { value: 'all', label: 'Until I stop' },
        ]}
        onChange={(howMany) => set({ howMany })}
      />
      {draft.howMany === 'some' && (
        <Field label="How many" inputMode="numeric" {...field('count')} />
      )}
    </FormDialog>
  )
}

/** Shown if no endpoint that the filter names, or none at all, has a forward target. */
function NoTarget({
  filter,
  onFollow,
}: {
  readonly filter: string
  readonly onFollow: () => void
}) {
  const named = valuesOf(filter, 'endpoint')
  const integrations = valuesOf(filter, 'integration')
  const endpoints = useEndpoints((state) => state.endpoints).filter(
    ({ id, name, slug, integrationId }) =>
      (named.length === 0 || [String(id), name, slug].some((each) => named.includes(each))) &&
      (integrations.length === 0 || integrations.includes(String(integrationId))),
  )
  const isForwarded = useEndpointRules((state) =>
    state.forwards.some(
      ({ enabled, endpointId }) => enabled && endpoints.some(({ id }) => id === endpointId),
    ),
  )
  if (isForwarded || endpoints.length === 0) return null
  return (
    <Note tone="warning">
      {endpoints.length === 1
        ? `The endpoint “${escapeControls(endpoints[0]?.name ?? '')}” has no forward target`
        : 'These endpoints have no forward target'}
      , so nothing is held before forwarding.{' '}
      <a
        href="#/setup/endpoints"
        onClick={(event) => {
          // The browser does not follow a link that is removed with its dialog.
          event.preventDefault()
          onFollow()
          location.assign('#/setup/endpoints')
        }}
      >
        Add a forward target
      </a>
    </Note>
  )
}
