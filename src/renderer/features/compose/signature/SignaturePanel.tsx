import { useId } from 'react'
import type { SignChoice } from '#contract/sending.ts'
import { signFaults } from '#contract/sending.ts'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { edit } from '../edit.ts'
import type { Session } from '../store.ts'
import { LiveSignature } from './LiveSignature.tsx'
import type { SecretOption } from './sign-choice.ts'
import { chosenSecret, faultWords, secretOptions, withHow } from './sign-choice.ts'
import './Signature.css'

const ways = [
  ['auto', 'Automatic', 'as captured until edited, then signed'],
  ['keep', 'As captured', 'whatever the body is'],
  ['secret', 'Sign with', 'a secret of your choice, at each key'],
  ['none', 'Leave out', 'no signature header goes out'],
  ['broken', 'Break on purpose', 'to see that it is refused'],
] as const satisfies readonly (readonly [SignChoice['how'], string, string])[]

/** What becomes of the signature header, and what it is now. */
export function SignaturePanel({ session }: { readonly session: Session }) {
  const client = useClient()
  const name = useId()
  const { sign, endpointId, origin } = session.content
  const endpoints = useEndpoints((state) => state.endpoints)
  const secrets = secretOptions(endpoints, endpointId)
  const problems = session.preview?.problems.filter(({ field }) => field === 'sign') ?? []
  // What comes from a log was signed with somebody else's secret: nothing is kept unasked.
  const hintOf = (how: SignChoice['how'], hint: string): string =>
    how === 'auto' && origin.kind === 'log' ? 'signed with the endpoint’s secret' : hint
  const shown = ways.filter(([how]) => how !== 'keep' || ['delivery', 'log'].includes(origin.kind))
  return (
    <section className="signature" aria-label="Signature">
      <h2>Signature</h2>
      <LiveSignature session={session} />
      <ul className="compose-problems">
        {problems.map(({ code, message, severity }) => (
          <li key={code} data-tone={severity === 'error' ? 'invalid' : 'missing'}>
            <Shown text={message} />
          </li>
        ))}
      </ul>
      <fieldset className="signature-ways" data-scrolls>
        <legend className="visually-hidden">What becomes of it</legend>
        {shown.map(([how, word, usual]) => {
          const hint = hintOf(how, usual)
          const next = withHow(sign, how, secrets)
          const chosen = sign.how === how
          return (
            <div key={how} className="signature-way" data-chosen={chosen || undefined}>
              <label title={next === null ? 'No endpoint has a secret' : hint}>
                <input
                  type="radio"
                  name={name}
                  checked={chosen}
                  disabled={next === null && !chosen}
                  onChange={() => next && edit(client, { sign: next })}
                />
                {word}
              </label>
              {chosen && (how === 'secret' || how === 'broken') ? (
                <Details sign={sign} secrets={secrets} />
              ) : (
                <span className="dim cut">{next === null ? 'no secret is set' : hint}</span>
              )}
            </div>
          )
        })}
      </fieldset>
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
              {faultWords[fault]}
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
