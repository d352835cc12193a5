import { valuesOf } from '#contract/filter/edit.ts'
import { holdLimit, maxHeld } from '#contract/constants.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpointRules, useEndpoints } from '#client/state/live-values.ts'
import { filterFault } from '#client/state/filter.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { Field } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Note } from '#kit/Note.tsx'
import { Segments } from '#kit/Switch.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { NumberField, useDraft } from '#kit/use-draft.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

interface Draft {
  readonly filter: string
  readonly at: 'forward' | 'response'
  readonly limitMs: number
  readonly howMany: 'one' | 'some' | 'all'
  readonly count: number
}

const defaults = { limitMs: holdLimit.defaultMs, count: 3 }

interface Props {
  /** That of the list. */
  readonly filter: string
  readonly onClose: () => void
}

/** Asks which deliveries to hold, where, and how many. */
export function HoldDialog({ filter, onClose }: Props) {
  const client = useClient()
  const form = useDraft<Draft>(
    { filter, at: 'forward', howMany: 'one', ...defaults },
    (draft) => {
      const fault = filterFault(draft.filter)
      return { filter: fault && escapeControls(fault.message) }
    },
    async ({ filter, at, limitMs, howMany, count }) => {
      await client.call('hold.add', {
        filter: filter.trim(),
        at,
        ...(at === 'response' && { limitMs }),
        count: howMany === 'one' ? 1 : howMany === 'some' ? count : null,
      })
      onClose()
    },
  )
  const { draft, set, value, text } = form
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
        {...text('filter')}
      />
      <Segments
        label="Where"
        value={draft.at}
        options={[
          { value: 'forward', label: 'Before forwarding' },
          { value: 'response', label: 'Before the response' },
        ]}
        onChange={(at) => set({ limitMs: defaults.limitMs, at })}
      />
      {draft.at === 'response' ? (
        <NumberField
          label="Release after"
          unit="seconds"
          factor={1000}
          min={1}
          max={holdLimit.maxMs / 1000}
          hint="An assumption: the API documentation does not say how long the service waits for a response."
          {...value('limitMs')}
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
        onChange={(howMany) => set({ count: defaults.count, howMany })}
      />
      {draft.howMany === 'some' && (
        <NumberField label="How many" whole min={1} max={maxHeld.deliveries} {...value('count')} />
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
