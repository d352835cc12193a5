import { CornerDownLeft, Send, Square } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../../components/Button.tsx'
import { MethodField } from '../../../components/MethodField.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { useKeys } from '../../shell/bound.ts'
import { modKey } from '../../shell/keys.ts'
import { edit } from '../edit.ts'
import { cancelSending, sendDraft } from '../send.ts'
import type { Session } from '../store.ts'
import { AddressField } from './AddressField.tsx'
import { PlaceMark } from './PlaceMark.tsx'
import { TimeLimit } from './TimeLimit.tsx'
import { TlsChoice } from './TlsChoice.tsx'
import './Target.css'

/** Method, address, as whom, and the button that sends. */
export function TargetBar({ session }: { readonly session: Session }) {
  const client = useClient()
  const { content, target, preview, outcome } = session
  const problems = (preview?.problems ?? []).filter(
    ({ field }) => field === 'url' || field === 'method',
  )
  const urlProblem = problems.find(({ field }) => field === 'url') ?? null
  const sending = outcome?.phase === 'sending'
  const send = (): void => void sendDraft(client)
  useKeys({
    'compose-send': send,
    'compose-address': () => document.querySelector<HTMLElement>('[data-address]')?.focus(),
  })
  return (
    <div className="compose-target">
      <form
        className="compose-line"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <MethodField
          method={content.method}
          usual="POST"
          onChange={(method) => edit(client, { method })}
        />
        <AddressField
          url={content.url}
          endpointId={content.endpointId}
          error={urlProblem?.message ?? null}
          onChange={(url) => edit(client, { url })}
        />
        {sending ? (
          <Button
            className="compose-send"
            icon={<Square aria-hidden />}
            onClick={() => cancelSending(client)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            kind="primary"
            type="submit"
            className="compose-send"
            icon={<Send aria-hidden />}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title={`${modKey} Enter sends from everywhere on this page`}
          >
            Send
            <kbd aria-hidden>
              {modKey}
              <CornerDownLeft />
            </kbd>
          </Button>
        )}
      </form>
      <div className="compose-facts">
        <AsEndpoint session={session} />
        {target !== null && <PlaceMark target={target} />}
        {target !== null && <TlsChoice target={target} />}
        <span className="compose-gap" />
        <TimeLimit session={session} />
      </div>
      <ul className="compose-problems" id="compose-problems" aria-label="What is wrong with it">
        {problems.map(({ code, message }) => (
          <li key={code} data-tone="invalid">
            <Shown text={message} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** As which endpoint: its brand, secrets and application id. */
function AsEndpoint({ session }: { readonly session: Session }) {
  const client = useClient()
  const id = useId()
  const endpoints = useEndpoints((state) => state.endpoints)
  const { endpointId, sign } = session.content
  return (
    <span className="compose-as">
      <label htmlFor={id}>As</label>
      <span className="field">
        <select
          id={id}
          title="Whose brand, secrets and application id it goes out with"
          value={endpointId ?? ''}
          onChange={(event) => {
            const next = event.target.value === '' ? null : Number(event.target.value)
            // A secret of the endpoint of before would quietly go on signing.
            const signed = sign.how === 'secret' || sign.how === 'broken'
            edit(client, {
              endpointId: next,
              ...(signed && next !== null ? { sign: { ...sign, endpointId: next } } : {}),
            })
          }}
        >
          {endpoints.map((endpoint) => (
            <option key={endpoint.id} value={endpoint.id}>
              {visible(cut(endpoint.name, 60))}
            </option>
          ))}
          <option value="">no endpoint</option>
        </select>
      </span>
    </span>
  )
}
