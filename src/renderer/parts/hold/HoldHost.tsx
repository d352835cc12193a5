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
import {
  allHeld,
  drop,
  dropAll,
  release,
  releaseAll,
  report,
  startEdit,
  useSelectedHeld,
} from './actions.ts'
import { HoldDialog } from './HoldDialog.tsx'

/** The commands and dialogs of holding, on every page. */
export function HoldHost() {
  const client = useClient()
  const { rules, held, dialog } = useHold()
  const selected = useSelectedHeld()
  const waiting = allHeld(held, 'response')
  useKeys(allHeld(held).length > 0 ? { 'hold-release-all': () => releaseAll(client) } : {})
  useCommands({
    ...(rules.length > 0 && {
      'hold-stop': () => void client.call('hold.stop', {}).catch(toastError),
    }),
    ...(allHeld(held, 'forward').length > 0 && { 'hold-drop-all': () => dropAll(client) }),
    ...(waiting.length > 0 && { 'hold-respond-all': () => askToRespond(waiting) }),
    ...(selected && {
      'hold-release': () => release(client, selected),
      ...(selected.targets.length > 0 && { 'hold-edit': () => void startEdit(client, selected) }),
      ...(selected.at === 'forward'
        ? { 'hold-drop': () => drop(client, selected) }
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

function RespondDialog({ ids }: { readonly ids: readonly number[] }) {
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
