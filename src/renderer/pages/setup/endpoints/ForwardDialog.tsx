import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { Field } from '#kit/Field.tsx'
import { Note } from '#kit/Note.tsx'
import { Segments } from '#kit/Switch.tsx'
import { useRelays } from '#client/state/live-values.ts'
import { useClient } from '#client/use-client.ts'
import { withConfirmation } from '#parts/send/ConfirmTarget.tsx'
import { Fold } from '#kit/Page.tsx'
import { hasUnreadable, NumberField, useDraft } from '#kit/use-draft.tsx'
import { OnScriptFailure, ScriptField } from '#parts/ScriptField.tsx'
import { TypeChoice } from '#parts/TypeChoice.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

type ForwardInput = Omit<ForwardTarget, 'id' | 'endpointId' | 'enabled' | 'temporary'>

function inputOf(forward: ForwardTarget): ForwardInput {
  const {
    id: _id,
    endpointId: _endpoint,
    enabled: _enabled,
    temporary: _temporary,
    ...input
  } = forward
  return input
}

interface Props {
  /** Null for a new target. */
  forward: ForwardTarget | null
  onSave: (forward: ForwardInput) => Promise<void>
  onClose: () => void
}

export function ForwardDialog({ forward, onSave, onClose }: Props) {
  const client = useClient()
  const hasRelays = useRelays(({ relays }) => relays.length > 0)
  const form = useDraft<ForwardInput>(
    forward ? inputOf(forward) : { url: '', ...defaultForward, types: [] },
    ({ url }) => ({
      url: url.trim() === '' ? 'Enter an address, such as http://localhost:3000/hooks.' : null,
    }),
    async (draft) => {
      const confirmed = await withConfirmation(client, async () => {
        await onSave({ ...draft, url: draft.url.trim() })
        return true
      })
      if (confirmed) onClose()
    },
  )
  const { draft, set, value, text } = form
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      action={forward ? 'Save' : 'Forward'}
      title={forward ? 'Edit forward target' : 'Forward deliveries'}
      description="Each delivery is forwarded exactly as received, unless a script changes it. Only the Host header changes to match the address."
      help={<LearnMore page="sending" section="forward-deliveries" onFollow={onClose} />}
    >
      <Field label="To" data-mono placeholder="http://localhost:3000/webhooks" {...text('url')} />
      <Fold
        summary="Advanced"
        {...((forward !== null || (form.submitted && hasUnreadable(draft))) && { open: true })}
      >
        <div className="grid gap-5">
          <TypeChoice types={draft.types} onChange={(types) => set({ types: [...types] })} />
          <Segments label="When" options={modes} {...value('mode')} />
          {draft.mode === 'return' && (
            <Note tone="info">
              The service waits for this target. If the target does not respond, Tabscope returns
              502. The delivery is stored either way.
              {hasRelays &&
                ' Receivers of a relay have responded already: for their deliveries, the response of the target is only recorded.'}
            </Note>
          )}
          <ScriptField
            script={draft.script}
            onChange={(script) => set({ script })}
            onFollow={onClose}
          />
          {draft.script !== null && draft.mode === 'after' && (
            <OnScriptFailure {...value('onScriptFailure')} />
          )}
          <div className="grid grid-cols-2 items-start gap-5">
            <NumberField
              label="Time limit"
              unit="seconds"
              factor={1000}
              min={0.001}
              max={120}
              {...value('timeoutMs')}
            />
            {draft.mode === 'after' && (
              <>
                <NumberField
                  label="Retries"
                  whole
                  min={0}
                  max={20}
                  hint="After 1 s, 2 s, 4 s … 60 s, or up to 10 min if Retry-After asks for it."
                  {...value('retries')}
                />
                <NumberField
                  label="Concurrency"
                  whole
                  min={1}
                  max={32}
                  hint="1 keeps the order."
                  {...value('concurrency')}
                />
                <NumberField
                  label="Queue limit"
                  whole
                  min={1}
                  max={100_000}
                  hint="Beyond this, the oldest are dropped and reported."
                  {...value('queueLimit')}
                />
              </>
            )}
          </div>
        </div>
      </Fold>
    </FormDialog>
  )
}

const modes = [
  { value: 'after', label: 'Respond first, then forward' },
  { value: 'return', label: 'Return the target’s response' },
] as const
