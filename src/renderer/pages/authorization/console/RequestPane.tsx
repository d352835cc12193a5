import { Icons } from '#kit/icons.tsx'
import { useState, type ReactNode } from 'react'
import type { ApiRequest } from '#contract/api.ts'
import type { Integration } from '#contract/integrations.ts'
import { Fact } from '#kit/Table.tsx'
import { Button, CopyButton } from '#kit/Button.tsx'
import { ErrorNote, Note, WhenLoaded } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { targetOf, type Target } from '#client/addresses/console.ts'
import { hasMarker, requestOf, tokenOf, withQueryRows } from './draft.ts'
import { RequestLine } from './RequestLine.tsx'
import { RequestTabs } from './RequestTabs.tsx'
import { draftFor, editDraft, sendRequest, useConsole } from './store.ts'
import type { TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { useNow } from '#kit/Time.tsx'
import { useTokens } from '#client/state/authorization.ts'
import { Dialog, FormDialog } from '#kit/Dialog.tsx'
import { truncate, escapeControls, shortText } from '#kit/text/visible.ts'
import { tokenName, tokenStates } from '../tokens/labels.tsx'
import { Field, InlineSelect } from '#kit/Field.tsx'
import { toast } from '#kit/toasts.ts'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { copyText } from '#kit/clipboard.ts'

interface Props {
  integration: Integration
  /** The button that opens the panel in a narrow window. */
  panel: ReactNode
  response: ReactNode
}

/** The request editor, from the method to the body. */
export function RequestPane({ integration, panel, response }: Props) {
  const client = useClient()
  const draft = useConsole((state) => draftFor(state, integration.id))
  const outcome = useConsole((state) => state.outcomes[integration.id])
  const tokens = useSendable(integration.id)
  const token = tokenOf(draft, tokens, useNow() / 1000)
  const [submitted, setSubmitted] = useState(false)
  const [dialog, setDialog] = useState<'curl' | 'save' | null>(null)
  const [pendingSend, setPendingSend] = useState<{ request: ApiRequest; origin: string } | null>(
    null,
  )

  const close = (): void => setDialog(null)
  const target = targetOf(integration.baseUrl, draft.path)
  const invalidReason = invalidReasonOf(draft.method, target)
  const sending = outcome?.phase === 'sending'
  const request = requestOf(withQueryRows(draft), integration.id, token?.id ?? null)

  function send(): void {
    if (sending) return
    setSubmitted(true)
    if (invalidReason !== null || !target.ok) return
    editDraft(integration.id, withQueryRows(draft))
    if (target.foreign && token !== null) setPendingSend({ request, origin: target.origin })
    else dispatch(request, false)
  }

  function dispatch(sent: ApiRequest, allowed: boolean): void {
    setPendingSend(null)
    setSubmitted(false)
    void sendRequest(client, sent, allowed).then((result) => {
      const origin = target.ok ? target.origin : integration.baseUrl
      if (result === 'other-origin') setPendingSend({ request: sent, origin })
    })
  }

  useKeys({
    send,
    path: () => document.querySelector<HTMLInputElement>('[data-path]')?.focus(),
  })

  return (
    <>
      <section
        className="grid flex-none grid-cols-1 gap-4 border-b border-line bg-surface px-6 py-5"
        aria-label="Request"
      >
        <RequestLine
          integration={integration}
          draft={draft}
          target={target}
          error={submitted ? invalidReason : null}
          sending={sending}
          onSend={send}
          onCancel={() => {
            if (outcome?.phase === 'sending') void client.call('api.cancel', { key: outcome.key })
          }}
        />
        <div className="flex flex-wrap items-center gap-4">
          <TokenField
            tokens={tokens}
            token={token}
            lost={draft.tokenId !== null && token === null}
            onChange={(tokenId) => editDraft(integration.id, { tokenId })}
          />
          <span className="flex-1" />
          {panel}
          <Button icon={Icons.Terminal} onClick={() => setDialog('curl')}>
            Copy as cURL
          </Button>
          <Button icon={Icons.Save} onClick={() => setDialog('save')}>
            Save
          </Button>
        </div>
        {hasMarker(draft) && (
          <Note tone="warning">
            This request contains a marker such as «access_token» in place of a secret. Replace it
            with the value, otherwise the marker is sent.
          </Note>
        )}
      </section>
      <div className="grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <RequestTabs integrationId={integration.id} draft={draft} />
        {response}
      </div>
      {pendingSend !== null && (
        <OtherOriginDialog
          origin={pendingSend.origin}
          baseUrl={integration.baseUrl}
          onClose={() => setPendingSend(null)}
          onSend={(withToken) =>
            dispatch(
              withToken ? pendingSend.request : { ...pendingSend.request, tokenId: null },
              withToken,
            )
          }
        />
      )}
      {dialog !== null && invalidReason !== null ? (
        <Dialog open onClose={close} title={dialog === 'curl' ? 'cURL command' : 'Save request'}>
          <Note tone="warning">{invalidReason}</Note>
        </Dialog>
      ) : dialog === 'curl' ? (
        <CurlDialog request={request} onClose={close} />
      ) : (
        dialog === 'save' && <SaveDialog request={request} onClose={close} />
      )}
    </>
  )
}

/** The tokens that have a value to send, newest first. */
export function useSendable(integrationId: number): readonly TokenView[] {
  return useTokens(integrationId).filter(
    ({ status }) => status !== 'forgotten' && status !== 'unavailable',
  )
}

function invalidReasonOf(method: string, target: Target): string | null {
  if (!/^[A-Z]{1,20}$/.test(method)) return 'Use an uppercase method such as GET or POST.'
  return target.ok ? null : target.message
}

interface OtherOriginDialogProps {
  origin: string
  baseUrl: string
  onClose: () => void
  onSend: (withToken: boolean) => void
}

function OtherOriginDialog({ origin, baseUrl, onClose, onSend }: OtherOriginDialogProps) {
  const own = targetOf(baseUrl, '/')
  const target = shortText(origin, 120)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send the token to another origin?"
      description="Anyone with the token can act as the user who approved it, until it expires or is revoked."
    >
      <dl className="framed mt-5 grid grid-cols-label-1 gap-3 gap-x-4 px-5 py-4">
        <Fact name="Token issued for" mono>
          {escapeControls(own.ok ? own.origin : baseUrl)}
        </Fact>
        <Fact name="Request sent to" mono>
          {target}
        </Fact>
      </dl>
      <div className="mt-6 grid gap-4">
        <Button kind="primary" onClick={() => onSend(false)}>
          Send without token
        </Button>
        <Button kind="danger" onClick={() => onSend(true)}>
          <span className="cut">Send with token to {target}</span>
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}

interface TokenFieldProps {
  tokens: readonly TokenView[]
  /** The token to send; null for none. */
  token: TokenView | null
  /** The selected token no longer exists. */
  lost: boolean
  onChange: (tokenId: number | null) => void
}

function TokenField({ tokens, token, lost, onChange }: TokenFieldProps) {
  const now = useNow() / 1000
  return (
    <div className="flex min-w-0 items-center gap-4">
      <InlineSelect
        label={
          <>
            <Icons.KeyRound /> Token
          </>
        }
        data-token
        value={token?.id ?? ''}
        onChange={(event) =>
          onChange(event.target.value === '' ? null : Number(event.target.value))
        }
      >
        {tokens.map((each) => (
          <option key={each.id} value={each.id}>
            {tokenName(each)} · {tokenStates[tokenStateAt(each, now)].word.toLowerCase()}
          </option>
        ))}
        <option value="">without token</option>
      </InlineSelect>
      {token === null ? (
        <span className="cut text-s text-dim">
          {tokens.length === 0 ? (
            <>
              No tokens yet. <a href="#/authorization/runs">Authorize a user</a> to get one.
            </>
          ) : lost ? (
            'The selected token no longer exists. Select another.'
          ) : (
            'No Authorization header.'
          )}
        </span>
      ) : (
        <code className="cut mono text-s" title="Sent with the request, but never shown here">
          <span className="text-dim">Authorization:</span> Bearer ••••
          {escapeControls(token.ending ?? '')}
        </code>
      )}
    </div>
  )
}

interface DialogProps {
  request: ApiRequest
  onClose: () => void
}

function SaveDialog({ request, onClose }: DialogProps) {
  const client = useClient()
  const savedId = useConsole((state) => state.savedId)
  const { state } = useQuery('api.saved', {})
  const origin = state.phase === 'ready' ? state.value.find(({ id }) => id === savedId) : undefined
  const [name, setName] = useState<string | null>(null)
  const shown = name ?? origin?.name ?? truncate(`${request.method} ${request.path}`, 120)
  const save = useAction(async (id?: number) => {
    const saved = await client.call('api.save', {
      ...(id !== undefined && { id }),
      name: shown.trim(),
      request,
    })
    useConsole.setState({ savedId: saved.id, panel: 'saved' })
    toast('valid', `Saved as “${shortText(saved.name, 60)}”.`)
    onClose()
  })
  const empty = shown.trim() === ''
  return (
    <FormDialog
      onClose={onClose}
      title="Save request"
      description="Saves the method, path, query, headers and body. The token is selected each time."
      action={origin ? `Replace “${shortText(origin.name, 24)}”` : 'Save'}
      actions={
        origin && (
          <Button busy={save.busy} disabled={empty} onClick={() => save.start()}>
            Save as copy
          </Button>
        )
      }
      disabled={empty}
      form={{ ...save, submit: () => save.start(origin?.id) }}
    >
      <Field
        label="Name"
        value={shown}
        maxLength={120}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

function CurlDialog({ request, onClose }: DialogProps) {
  const client = useClient()
  const query = useQuery('api.curl', { request })
  const withToken = useAction(async () => {
    const { command } = await client.call('api.curl', { request, withToken: true })
    await copyText(command)
    toast('valid', 'Copied with the token. Do not share it in chats or tickets.')
    onClose()
  })
  const hasToken = request.tokenId !== null
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="cURL command"
      description={`For a POSIX shell.${hasToken ? ' Reads the token from the environment variable TOKEN.' : ''}`}
    >
      <WhenLoaded query={query}>
        {({ command }) => (
          <>
            <CodeBlock label="Command" text={command} />
            <ErrorNote error={withToken.error} />
            <div className="dialog-actions">
              {hasToken && (
                <Button kind="danger" busy={withToken.busy} onClick={() => withToken.start()}>
                  Copy with token in clear text
                </Button>
              )}
              <CopyButton text={command} label="Copy command" words="Copy" kind="primary" />
            </div>
          </>
        )}
      </WhenLoaded>
    </Dialog>
  )
}
