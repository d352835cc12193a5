import { useState } from 'react'
import { wholeNumber } from '#kit/field-checks.ts'
import { useCommands, useKeys } from '#client/command-registry.ts'
import { toastError } from '#kit/toasts.ts'
import { useClient } from '#client/use-client.ts'
import { askToRespond, useHold } from '#client/state/hold.ts'
import { Countdown } from '#kit/Time.tsx'
import { FormDialog } from '#kit/Dialog.tsx'
import { Field } from '#kit/Field.tsx'
import { useForm } from '#kit/use-form.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { withConfirmation } from '#parts/send/ConfirmTarget.tsx'
import { TypeChoice } from '#parts/TypeChoice.tsx'
import { act, allHeld, report, startEdit, useSelectedHeld } from './hold-notices.tsx'
import { valuesOf, withValues } from '#contract/filter/edit.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Endpoint } from '#contract/models.ts'
import { holdLimit, maxHeld } from '#contract/constants.ts'
import { useEndpointRules, useEndpoints } from '#client/state/live-values.ts'
import { filterFault } from '#client/state/filter.ts'
import { Icons } from '#kit/icons.tsx'
import { Segments } from '#kit/Switch.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { NumberField, useDraft } from '#kit/use-draft.tsx'

/** The commands and dialogs of holding, on every page. */
export function HoldHost() {
  const client = useClient()
  const { rules, held, dialog } = useHold()
  const selected = useSelectedHeld()
  const waiting = allHeld(held, 'response')
  useKeys(allHeld(held).length > 0 ? { 'hold-release-all': () => act(client, 'release') } : {})
  useCommands({
    ...(rules.length > 0 && {
      'hold-stop': () => void client.call('hold.stop', {}).catch(toastError),
    }),
    ...(allHeld(held, 'forward').length > 0 && { 'hold-drop-all': () => act(client, 'drop') }),
    ...(waiting.length > 0 && { 'hold-respond-all': () => askToRespond(waiting) }),
    ...(selected && {
      'hold-release': () => act(client, 'release', selected),
      ...(selected.targets.length > 0 && { 'hold-edit': () => void startEdit(client, selected) }),
      ...(selected.at === 'forward'
        ? { 'hold-drop': () => act(client, 'drop', selected) }
        : { 'hold-respond': () => askToRespond([selected]) }),
    }),
  })
  if (dialog === null) return null
  return dialog.kind === 'hold' ? (
    <HoldDialog filter={dialog.filter} onClose={close} />
  ) : (
    <RespondDialog ids={dialog.ids} />
  )
}

function close(): void {
  useHold.setState({ dialog: null })
}

/** Of the last response, because a countdown leaves no time to write it again. */
let last = { status: '200', body: '' }

function RespondDialog({ ids }: { ids: readonly number[] }) {
  const client = useClient()
  const [status, setStatus] = useState(last.status)
  const [body, setBody] = useState(last.body)
  const releaseAt = useHold(({ held }) =>
    Math.min(
      ...held.flatMap((each) => (ids.includes(each.deliveryId) ? (each.releaseAt ?? []) : [])),
    ),
  )
  const form = useForm({ status: wholeNumber(status, 200, 599) }, async () => {
    const sent = await client.call('hold.respond', { ids: [...ids], status: Number(status), body })
    last = { status, body }
    report(sent.ids, `got ${status}`)
    close()
  })
  return (
    <FormDialog
      title={ids.length === 1 ? `Respond to #${ids[0]}` : `Respond to ${ids.length} deliveries`}
      description="The service gets this response. Then the delivery is forwarded, except to a target whose response would have been returned."
      form={form}
      onClose={close}
      action="Respond"
      help={<LearnMore page="holding" onFollow={close} />}
    >
      {Number.isFinite(releaseAt) && <Countdown words="Released in" at={releaseAt} />}
      <Field
        label="Status"
        data-mono
        inputMode="numeric"
        value={status}
        error={form.shown.status}
        onChange={({ target }) => setStatus(target.value)}
      />
      <div className="field">
        <label htmlFor="hold-body">Body</label>
        <textarea
          id="hold-body"
          className="input mono text-s"
          rows={3}
          maxLength={65_536}
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      </div>
    </FormDialog>
  )
}

interface Draft {
  readonly target: string
  readonly filter: string
  readonly at: 'forward' | 'response'
  readonly limitMs: number
  readonly howMany: 'one' | 'some' | 'all'
  readonly count: number
}

const defaults = { limitMs: holdLimit.defaultMs, count: 3 }

/** What was typed before the guide was opened from the dialog. */
let left: { readonly filter: string; readonly draft: Draft } | null = null

interface HoldProps {
  /** That of the list. */
  filter: string
  onClose: () => void
}

/** Asks which deliveries to hold, where, and how many. */
export function HoldDialog({ filter, onClose }: HoldProps) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useEndpointRules((state) => state.forwards)
  const close = (kept: typeof left): void => {
    left = kept
    onClose()
  }
  const form = useDraft<Draft>(
    left?.filter === filter
      ? left.draft
      : { filter, target: '', at: 'forward', howMany: 'one', ...defaults },
    (draft) => {
      const fault = filterFault(draft.filter)
      return { filter: fault && escapeControls(fault.message) }
    },
    async ({ target, filter, at, limitMs, howMany, count }) => {
      const added = await withConfirmation(client, async () => {
        const url = at === 'forward' ? target.trim() : ''
        for (const { id } of url === '' ? [] : unforwardedOf(filter, endpoints, forwards))
          await client.call('forwards.add', { endpointId: id, url })
        return client.call('hold.add', {
          filter: filter.trim(),
          at,
          ...(at === 'response' && { limitMs }),
          count: howMany === 'one' ? 1 : howMany === 'some' ? count : null,
        })
      })
      if (added !== null) close(null)
    },
  )
  const { draft, set, value, text } = form
  const unforwarded = unforwardedOf(draft.filter, endpoints, forwards)
  return (
    <FormDialog
      form={form}
      onClose={() => close(null)}
      action="Hold"
      icon={Icons.Hand}
      title="Hold deliveries"
      description="A held delivery waits above the list until you release, edit, drop or respond to it."
      help={<LearnMore page="holding" onFollow={() => close({ filter, draft })} />}
    >
      <Field
        label="Filter"
        data-mono
        placeholder="every delivery"
        maxLength={4000}
        {...text('filter')}
      />
      <TypeChoice
        types={valuesOf(draft.filter, 'type')}
        onChange={(types) => set({ filter: withValues(draft.filter, 'type', types) })}
      />
      <Segments
        label="Where"
        value={draft.at}
        options={[
          { value: 'forward', label: 'Before forwarding' },
          { value: 'response', label: 'Before the response' },
        ]}
        onChange={(at) => set({ at, limitMs: draft.limitMs || defaults.limitMs })}
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
        unforwarded.length > 0 && (
          <Field
            label="Forward to"
            data-mono
            placeholder="http://localhost:3000/webhooks"
            hint={`${
              unforwarded.length > 1 ? 'These endpoints have' : 'This endpoint has'
            } no forward target: without one, nothing is held before forwarding.`}
            {...text('target')}
          />
        )
      )}
      <Segments
        label="How many"
        value={draft.howMany}
        options={[
          { value: 'one', label: 'The next one' },
          { value: 'some', label: 'The next few' },
          { value: 'all', label: 'Until I stop' },
        ]}
        onChange={(howMany) => set({ howMany, count: draft.count || defaults.count })}
      />
      {draft.howMany === 'some' && (
        <NumberField label="How many" whole min={1} max={maxHeld.deliveries} {...value('count')} />
      )}
    </FormDialog>
  )
}

/** The endpoints of a filter, if none of them is forwarded. */
function unforwardedOf(
  filter: string,
  all: readonly Endpoint[],
  forwards: readonly ForwardTarget[],
) {
  const named = valuesOf(filter, 'endpoint')
  const integrations = valuesOf(filter, 'integration')
  const endpoints = all.filter(
    ({ id, name, slug, integrationId }) =>
      (named.length === 0 || [String(id), name, slug].some((each) => named.includes(each))) &&
      (integrations.length === 0 || integrations.includes(String(integrationId))),
  )
  const isForwarded = forwards.some(
    ({ enabled, endpointId }) => enabled && endpoints.some(({ id }) => id === endpointId),
  )
  return isForwarded ? [] : endpoints
}
