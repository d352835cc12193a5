import { CircleAlert, CircleCheck } from 'lucide-react'
import { useId } from 'react'
import type { TunnelProviderView } from '#contract/tunnel.ts'
import { Button } from '../../../components/Button.tsx'
import { Field } from '../../../components/Field.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import type { SetupDraft } from './draft.ts'

interface Props {
  readonly providers: readonly TunnelProviderView[]
  readonly draft: SetupDraft
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>
  readonly lookAgain: () => void
  readonly onChoose: (provider: string) => void
  readonly onWrite: (field: string, value: string) => void
}

/** One of the providers: a card each, all drawn from what the engine tells of them. */
export function ProviderChoice({ providers, draft, lookAgain, onChoose, ...rest }: Props) {
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

type ChosenProps = Pick<Props, 'draft' | 'errors' | 'onWrite'> & {
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
