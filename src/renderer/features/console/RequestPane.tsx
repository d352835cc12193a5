import { Save, Terminal, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ApiRequest } from '#contract/api.ts'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../shell/bound.ts'
import type { Target } from './address.ts'
import { targetOf } from './address.ts'
import { CurlDialog } from './CurlDialog.tsx'
import { hasMarker, requestOf, withQueryRows } from './draft.ts'
import { OtherOriginDialog } from './OtherOriginDialog.tsx'
import { RequestLine } from './RequestLine.tsx'
import { RequestTabs } from './RequestTabs.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { sendRequest } from './send.ts'
import { draftFor, editDraft, restoreStash, useConsole } from './store.ts'
import { TokenField } from './TokenField.tsx'
import { useSendable } from './use-tokens.ts'

interface Props {
  readonly integration: Integration
  /** The button for the panel, where that is folded away. */
  readonly panel: ReactNode
  readonly answer: ReactNode
}

/** The request that is written, from the method to the body. */
export function RequestPane({ integration, panel, answer }: Props) {
  const client = useClient()
  const draft = useConsole((state) => draftFor(state, integration.id))
  const outcome = useConsole((state) => state.outcomes[integration.id])
  const stash = useConsole((state) =>
    state.stash?.integrationId === integration.id ? state.stash : null,
  )
  const { tokens, usual } = useSendable(integration.id)
  const [asked, setAsked] = useState(false)
  const [dialog, setDialog] = useState<'curl' | 'save' | null>(null)
  const [held, setHeld] = useState<{ request: ApiRequest; origin: string } | null>(null)

  const chosen = draft.tokenId === undefined ? (usual?.id ?? null) : draft.tokenId
  // One that is gone since is not quietly replaced by another user's.
  const token = tokens.find(({ id }) => id === chosen) ?? null
  const target = targetOf(integration.baseUrl, draft.path)
  const refused = refusal(draft.method, target)
  const sending = outcome?.phase === 'sending'
  const request = requestOf(withQueryRows(draft), integration.id, token?.id ?? null)

  function send(): void {
    if (sending) return
    setAsked(true)
    if (refused !== null || !target.ok) return
    editDraft(integration.id, withQueryRows(draft))
    if (target.foreign && token !== null) setHeld({ request, origin: target.origin })
    else dispatch(request, false)
  }

  function dispatch(sent: ApiRequest, allowed: boolean): void {
    setHeld(null)
    setAsked(false)
    void sendRequest(client, sent, allowed).then((came) => {
      const origin = target.ok ? target.origin : integration.baseUrl
      if (came === 'other-origin') setHeld({ request: sent, origin })
    })
  }

  useKeys({
    send,
    path: () => document.querySelector<HTMLInputElement>('[data-path]')?.focus(),
  })

  return (
    <>
      <section className="console-request" aria-label="Request">
        <RequestLine
          integration={integration}
          draft={draft}
          target={target}
          error={asked ? refused : null}
          sending={sending}
          onSend={send}
          onCancel={() => {
            if (outcome?.phase === 'sending') void client.call('api.cancel', { key: outcome.key })
          }}
        />
        <div className="console-second">
          <TokenField
            tokens={tokens}
            token={token}
            lost={chosen !== null && token === null}
            onChange={(tokenId) => editDraft(integration.id, { tokenId })}
          />
          <span className="console-gap" />
          {panel}
          <Button icon={<Terminal aria-hidden />} onClick={() => setDialog('curl')}>
            Copy as cURL
          </Button>
          <Button icon={<Save aria-hidden />} onClick={() => setDialog('save')}>
            Save
          </Button>
        </div>
        {stash !== null && (
          <Note
            tone="info"
            action={
              <Button icon={<Undo2 aria-hidden />} onClick={restoreStash}>
                Back to my request
              </Button>
            }
          >
            The request that you were writing was set aside.
          </Note>
        )}
        {hasMarker(draft) && (
          <Note tone="missing">
            It comes from the record, where a secret stands as a marker such as «access_token».
            Write the value in its place, or the marker is sent.
          </Note>
        )}
      </section>
      <div className="console-panes">
        <RequestTabs integrationId={integration.id} draft={draft} />
        {answer}
      </div>
      {held !== null && (
        <OtherOriginDialog
          origin={held.origin}
          baseUrl={integration.baseUrl}
          onClose={() => setHeld(null)}
          onSend={(withToken) =>
            dispatch(withToken ? held.request : { ...held.request, tokenId: null }, withToken)
          }
        />
      )}
      {dialog === 'curl' && (
        <CurlDialog request={request} refused={refused} onClose={() => setDialog(null)} />
      )}
      {dialog === 'save' && (
        <SaveDialog request={request} refused={refused} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

function refusal(method: string, target: Target): string | null {
  if (!/^[A-Z]{1,20}$/.test(method)) return 'Use a method such as GET or POST, in capitals.'
  return target.ok ? null : target.message
}
