import type { TunnelProviderView, TunnelView, TunnelSetup } from '#contract/tunnel.ts'
import { Note } from '../../../components/Note.tsx'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Page.tsx'
import { type Loaded, useAction, useClient } from '../../../platform/use-client.ts'
import './Setup.css'
import { Check, CircleAlert, CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { openConfirmed } from '../commands.ts'
import { draftOf, sameSetup, type SetupDraft, setupErrors, setupOf, withOption } from './draft.ts'
import { Field } from '../../../components/Field.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'

interface Props {
  readonly view: TunnelView
  readonly providers: Loaded<readonly TunnelProviderView[]>
  /** Looks again what is installed. */
  readonly reload: () => void
}

/** By what the listener is made reachable. */
export function SetupCard({ view, providers: state, reload }: Props) {
  return (
    <Card
      title="By what"
      note="What is used when the tunnel is opened, here and at the next start."
    >
      {state.phase === 'ready' ? (
        <SetupForm view={view} providers={state.value} lookAgain={reload} />
      ) : state.phase === 'failed' ? (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      ) : (
        <p className="dim" role="status">
          Looking for what is installed here
        </p>
      )}
    </Card>
  )
}

interface SetupFormProps {
  readonly view: TunnelView
  readonly providers: readonly TunnelProviderView[]
  readonly lookAgain: () => void
}

/** The providers as cards, the settings of the chosen one in it, and what to do with them. */
function SetupForm({ view, providers, lookAgain }: SetupFormProps) {
  const client = useClient()
  /** Null: nothing is written, and what is stored is shown. */
  const [written, setWritten] = useState<SetupDraft | null>(null)
  const draft = written ?? draftOf(view.setup)
  const fields = providers.find(({ id }) => id === draft.provider)?.fields ?? []
  const wish = setupOf(draft, fields)
  const [done, setDone] = useState<TunnelSetup | null>(null)
  const send = useAction(async (open: boolean) => {
    if (open && !(await openConfirmed(client, wish))) return
    if (!open) await client.call('tunnel.configure', { setup: wish })
    setWritten(null)
    setDone(wish)
  })
  const errors = setupErrors(send.error, fields)
  const changed = !sameSetup(wish, view.setup)
  const saved = !changed && !send.busy && done !== null && sameSetup(done, wish)
  const change = (next: SetupDraft): void => {
    setWritten(next)
    setDone(null)
    send.reset()
  }
  return (
    <form
      className="tunnel-setup"
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.busy) send.start(false)
      }}
    >
      <ProviderChoice
        providers={providers}
        draft={draft}
        errors={errors.fields}
        lookAgain={lookAgain}
        onChoose={(provider) => change({ ...draft, provider })}
        onWrite={(name, value) => change(withOption(draft, name, value))}
      />
      {errors.whole !== null && (
        <Note tone="invalid" alert>
          {errors.whole}
        </Note>
      )}
      {view.temporary && (
        <Note tone="info">
          What is open now was asked for on the command line, for as long as Tabscope runs. The
          stored setup is not changed by it.
        </Note>
      )}
      <div className="setup-actions">
        <Button
          kind={changed || view.state === 'off' ? 'primary' : 'plain'}
          busy={send.busy}
          onClick={() => send.start(true)}
        >
          {view.state === 'off' ? 'Open with these' : 'Open anew with these'}
        </Button>
        <Button type="submit" busy={send.busy}>
          Save
        </Button>
        <span className="setup-said" role="status">
          {saved && (
            <>
              <Check aria-hidden /> Saved
            </>
          )}
        </span>
        {changed && <span className="dim">not saved yet</span>}
      </div>
    </form>
  )
}

interface ProviderChoiceProps {
  readonly providers: readonly TunnelProviderView[]
  readonly draft: SetupDraft
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>
  readonly lookAgain: () => void
  readonly onChoose: (provider: string) => void
  readonly onWrite: (field: string, value: string) => void
}

/** One of the providers: a card each, all drawn from what the engine tells of them. */
function ProviderChoice({ providers, draft, lookAgain, onChoose, ...rest }: ProviderChoiceProps) {
  const name = useId()
  return (
    <fieldset className="providers" data-scrolls>
      <legend className="visually-hidden">By what the listener is made reachable</legend>
      {providers.map((provider) => {
        const chosen = provider.id === draft.provider
        return (
          <div
            key={provider.id}
            className="provider"
            data-chosen={chosen || undefined}
            data-provider={provider.id}
          >
            <label>
              <input
                type="radio"
                name={name}
                value={provider.id}
                checked={chosen}
                onChange={() => onChoose(provider.id)}
              />
              <b>{provider.label}</b>
              <span className="provider-about">{provider.about}</span>
            </label>
            <Program provider={provider} lookAgain={lookAgain} />
            {chosen && <Chosen provider={provider} draft={draft} {...rest} />}
          </div>
        )
      })}
    </fieldset>
  )
}

/** The program that it needs: where it was found, or what to do. */
function Program(props: { readonly provider: TunnelProviderView; readonly lookAgain: () => void }) {
  const { missing, program } = props.provider
  if (missing !== null) {
    return (
      <div className="provider-program" data-tone="missing">
        <CircleAlert aria-hidden />
        <p>
          <Shown text={cut(missing, 400)} />
        </p>
        <Button kind="quiet" onClick={props.lookAgain}>
          Look again
        </Button>
      </div>
    )
  }
  return program === null ? null : (
    <div className="provider-program" data-tone="valid">
      <CircleCheck aria-hidden />
      <p>
        found as{' '}
        <span className="mono selectable">
          <Shown text={cut(program, 300)} />
        </span>
      </p>
    </div>
  )
}

type ChosenProps = Pick<ProviderChoiceProps, 'draft' | 'errors' | 'onWrite'> & {
  readonly provider: TunnelProviderView
}

function Chosen({ provider, draft, errors, onWrite }: ChosenProps) {
  const { fields, notes } = provider
  return (
    <div className="provider-settings">
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.required ? field.label : `${field.label} (optional)`}
          data-mono
          placeholder={field.placeholder}
          hint={field.hint}
          maxLength={2000}
          error={errors[field.name]}
          value={draft.options[provider.id]?.[field.name] ?? ''}
          onChange={(event) => onWrite(field.name, event.target.value)}
        />
      ))}
      {notes.length > 0 && (
        <ul className="provider-notes" aria-label="To be known before it is relied on">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
