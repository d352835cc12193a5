import { useId } from 'react'
import { type SignChoice, signFaults } from '#contract/sending.ts'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { edit } from '../edit.ts'
import type { Session } from '../store.ts'
import {
  chosenSecret,
  faultLabels,
  type SecretOption,
  secretOptions,
  withHow,
} from './sign-choice.ts'
import './Signature.css'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { VerdictMark } from '../../../components/Mark.tsx'
import { copyText } from '../../../platform/clipboard.ts'

const choices = [
  ['auto', 'Automatic', 'as captured, signed after an edit'],
  ['keep', 'As captured', 'whatever the body is'],
  ['secret', 'Sign with', 'a secret of your choice'],
  ['none', 'Leave out', 'no signature header'],
  ['broken', 'Break on purpose', 'the target should refuse it'],
] as const satisfies readonly (readonly [SignChoice['how'], string, string])[]

/** What is sent as the signature header, and what that is now: one row. */
export function SignatureRow({ session }: { readonly session: Session }) {
  const client = useClient()
  const id = useId()
  const { sign, endpointId, origin } = session.content
  const endpoints = useEndpoints((state) => state.endpoints)
  const secrets = secretOptions(endpoints, endpointId)
  const problems = session.preview?.problems.filter(({ field }) => field === 'sign') ?? []
  // What comes from a log was signed with somebody else's secret: nothing is kept unasked.
  const hintOf = (how: SignChoice['how'], hint: string): string =>
    how === 'auto' && origin.kind === 'log' ? 'signed with the endpoint’s secret' : hint
  const shown = choices.filter(
    ([how]) => how !== 'keep' || ['delivery', 'log'].includes(origin.kind),
  )
  return (
    <section className="signature" aria-label="Signature">
      <div className="signature-row">
        <label htmlFor={id}>Signature</label>
        <span className="field">
          <select
            id={id}
            aria-label="Signature to send"
            value={sign.how}
            onChange={(event) => {
              const how = shown.find(([each]) => each === event.target.value)?.[0]
              const next = how === undefined ? null : withHow(sign, how, secrets)
              if (next) edit(client, { sign: next })
            }}
          >
            {shown.map(([how, word, usual]) => {
              const possible = withHow(sign, how, secrets) !== null || how === sign.how
              return (
                <option
                  key={how}
                  value={how}
                  disabled={!possible}
                  title={possible ? hintOf(how, usual) : 'No endpoint has a secret'}
                >
                  {word}
                </option>
              )
            })}
          </select>
        </span>
        <Details sign={sign} secrets={secrets} />
        <LiveSignature session={session} />
      </div>
      <ul className="compose-problems">
        {problems.map(({ code, message, severity }) => (
          <li key={code} data-tone={severity === 'error' ? 'invalid' : 'missing'}>
            <Shown text={message} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface DetailsProps {
  readonly sign: SignChoice
  readonly secrets: readonly SecretOption[]
}

/** With which secret, and what is wrong with it. */
function Details({ sign, secrets }: DetailsProps) {
  const client = useClient()
  if (sign.how !== 'secret' && sign.how !== 'broken') return null
  const chosen = chosenSecret(sign, secrets)
  return (
    <span className="field signature-details">
      {sign.how === 'broken' && (
        <select
          aria-label="What is wrong with it"
          value={sign.fault}
          onChange={(event) => {
            const fault = signFaults.find((each) => each === event.target.value)
            if (fault) edit(client, { sign: { ...sign, fault } })
          }}
        >
          {signFaults.map((fault) => (
            <option key={fault} value={fault}>
              {faultLabels[fault]}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Secret"
        value={chosen ? keyOf(chosen) : ''}
        onChange={(event) => {
          const next = secrets.find((each) => keyOf(each) === event.target.value)
          if (!next) return
          const { endpointId, which } = next
          edit(client, { sign: { ...sign, endpointId, which } })
        }}
      >
        {!chosen && <option value="">a secret that is gone</option>}
        {secrets.map((each) => (
          <option key={keyOf(each)} value={keyOf(each)}>
            {visible(cut(each.name, 60))}
          </option>
        ))}
      </select>
    </span>
  )
}

function keyOf({ endpointId, which }: SecretOption): string {
  return `${endpointId} ${which}`
}

/** The signature as it would go out now, and what our own check says of it. */
function LiveSignature({ session }: { readonly session: Session }) {
  const { preview, previewOf, content, previewError } = session
  if (preview === null) {
    return (
      <p className="signature-now dim" role="status">
        {previewError ?? 'Being computed'}
      </p>
    )
  }
  const { value, secretName, verdict } = preview.signature
  return (
    <div
      className="signature-now"
      data-testid="live-signature"
      data-stale={previewOf !== content || undefined}
    >
      <p className="signature-said">
        <VerdictMark verdict={verdict} />
        <span className="dim cut">
          {value === null
            ? 'None goes out.'
            : secretName === null
              ? 'As captured or written.'
              : null}
          {secretName !== null && (
            <>
              With <Shown text={cut(secretName, 80)} />
            </>
          )}
        </span>
      </p>
      {value !== null && (
        <p className="signature-value">
          <code className="mono selectable">
            <Shown text={cut(value, 400)} />
          </code>
          <CopyButton text={value} label="Copy signature" copy={copyText} />
        </p>
      )}
      {previewError !== null && <p className="field-error">{previewError}</p>}
    </div>
  )
}
