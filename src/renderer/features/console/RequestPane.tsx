import { KeyRound, Save, Terminal, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ApiRequest } from '#contract/api.ts'
import type { Integration } from '#contract/integrations.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useAction, useClient, useQuery } from '../../platform/use-client.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { type Target, targetOf } from '../../routes/console.ts'
import { CurlDialog } from './CurlDialog.tsx'
import { hasMarker, requestOf, withQueryRows } from './draft.ts'
import { RequestLine } from './RequestLine.tsx'
import { RequestTabs } from './RequestTabs.tsx'
import { sendRequest } from './send.ts'
import { draftFor, editDraft, restoreStash, useConsole } from './store.ts'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { useNow } from '../../ui/use-now.ts'
import { useTokens } from '../../state/authorization.ts'
import { Dialog, FormDialog } from '../../ui/Dialog.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { tokenStateLabel } from '../authorization/index.ts'
import { Field, InlineSelect } from '../../ui/Field.tsx'
import { sentence } from '../../platform/call-error.ts'
import { say } from '../../platform/toasts.ts'

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
      <Grid
        as="section"
        columns="1"
        gap={4}
        fixed
        pad={[5, 6]}
        line="bottom"
        ground="surface"
        aria-label="Request"
      >
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
        <Row wrap align="center" gap={4}>
          <TokenField
            tokens={tokens}
            token={token}
            lost={chosen !== null && token === null}
            onChange={(tokenId) => editDraft(integration.id, { tokenId })}
          />
          <Text grow />
          {panel}
          <Button icon={<Terminal aria-hidden />} onClick={() => setDialog('curl')}>
            Copy as cURL
          </Button>
          <Button icon={<Save aria-hidden />} onClick={() => setDialog('save')}>
            Save
          </Button>
        </Row>
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
      </Grid>
      <Grid columns="1 1" grow shrink className="console-panes">
        <RequestTabs integrationId={integration.id} draft={draft} />
        {answer}
      </Grid>
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

/** The tokens of an integration that can still be sent, newest first, and the one that a request takes where none is chosen. */
function useSendable(integrationId: number): {
  tokens: readonly TokenView[]
  usual: TokenView | null
} {
  const now = useNow() / 1000
  const tokens = useTokens(integrationId).filter(({ standing }) => canBeSent(standing))
  const alive = tokens.find((token) => isAlive(tokenStateAt(token, now)))
  return { tokens, usual: alive ?? tokens[0] ?? null }
}

/** One that is forgotten or cannot be unsealed has no value to send. */
function canBeSent(standing: TokenView['standing']): boolean {
  return standing !== 'forgotten' && standing !== 'unavailable'
}

function isAlive(state: TokenState): boolean {
  return state === 'active' || state === 'due'
}

interface OtherOriginDialogProps {
  /** Where the request goes. */
  readonly origin: string
  readonly baseUrl: string
  readonly onClose: () => void
  readonly onSend: (withToken: boolean) => void
}

/** Asks before a token leaves the service's origin. The safe way has the focus. */
function OtherOriginDialog({ origin, baseUrl, onClose, onSend }: OtherOriginDialogProps) {
  const own = targetOf(baseUrl, '/')
  const there = visible(cut(origin, 120))
  return (
    <Dialog
      open
      onClose={onClose}
      title="The token would leave the service"
      description="Whoever holds it acts as the user who approved it, until it ends or is revoked."
    >
      <Stack as="dl" gap={3} above={5} pad={[4, 5]} frame>
        <Grid columns="label 1" gap={4} align="baseline">
          <Text as="dt" tone="mid" size="s">
            The token belongs to
          </Text>
          <Text as="dd" anywhere mono>
            {own.ok ? visible(own.origin) : visible(baseUrl)}
          </Text>
        </Grid>
        <Grid columns="label 1" gap={4} align="baseline">
          <Text as="dt" tone="mid" size="s">
            The request goes to
          </Text>
          <Text as="dd" anywhere mono>
            {there}
          </Text>
        </Grid>
      </Stack>
      <Stack gap={4} above={6}>
        <Button kind="primary" onClick={() => onSend(false)}>
          Send without the token
        </Button>
        <Button kind="danger" onClick={() => onSend(true)}>
          <span className="cut">Send with the token to {there}</span>
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </Stack>
    </Dialog>
  )
}

interface TokenFieldProps {
  readonly tokens: readonly TokenView[]
  /** The one that goes along; null: none. */
  readonly token: TokenView | null
  /** The one that was chosen is not there any more. */
  readonly lost: boolean
  readonly onChange: (tokenId: number | null) => void
}

/** On whose behalf the request is made, and the header that comes of it. */
function TokenField({ tokens, token, lost, onChange }: TokenFieldProps) {
  const now = useNow() / 1000
  return (
    <Row align="center" gap={4} shrink>
      <InlineSelect
        label={
          <>
            <KeyRound aria-hidden /> Token
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
            {nameOf(each)} · {tokenStateLabel(tokenStateAt(each, now)).word.toLowerCase()}
          </option>
        ))}
        <option value="">without a token</option>
      </InlineSelect>
      {token === null ? (
        <Text cut size="s" tone="dim">
          {tokens.length === 0 ? (
            <>
              None yet: <a href="#/authorization">authorize a user</a> to get one.
            </>
          ) : lost ? (
            'The one that was chosen is gone. Choose another.'
          ) : (
            'No Authorization header.'
          )}
        </Text>
      ) : (
        <Text as="code" cut size="s" mono title="Sent with the request, and never shown here">
          <span className="dim">Authorization:</span> Bearer ••••{visible(token.ending ?? '')}
        </Text>
      )}
    </Row>
  )
}

function nameOf({ label, ending, id }: TokenView): string {
  const name = label === '' ? `Token ${id}` : visible(cut(label, 40))
  return ending === null ? name : `${name} …${visible(ending)}`
}

interface SaveDialogProps {
  readonly request: ApiRequest
  /** Why it cannot be saved: it is not whole. */
  readonly refused: string | null
  readonly onClose: () => void
}

/** Keeps the request under a name, in the place of the one it was loaded from or beside it. */
function SaveDialog({ request, refused, onClose }: SaveDialogProps) {
  const client = useClient()
  const savedId = useConsole((state) => state.savedId)
  const { state } = useQuery('api.saved', {})
  const origin =
    state.phase === 'ready' ? (state.value.find(({ id }) => id === savedId) ?? null) : null
  const [name, setName] = useState<string | null>(null)
  const shown = name ?? origin?.name ?? cut(`${request.method} ${request.path}`, 120)
  const save = useAction(async (id: number | null) => {
    const saved = await client.call('api.save', {
      ...(id === null ? {} : { id }),
      name: shown.trim(),
      request,
    })
    useConsole.setState({ savedId: saved.id, panel: 'saved' })
    say('valid', `Saved as “${visible(cut(saved.name, 60))}”.`)
    onClose()
  })
  const empty = shown.trim() === ''
  const title = 'Save the request'
  if (refused !== null) {
    return (
      <Dialog open onClose={onClose} title={title}>
        <Note tone="missing">{refused}</Note>
      </Dialog>
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description="With its method, path, rows and body. The token is selected each time."
      action={origin === null ? 'Save' : `Save over “${visible(cut(origin.name, 24))}”`}
      actions={
        origin !== null && (
          <Button busy={save.busy} disabled={empty} onClick={() => save.start(null)}>
            Save as another
          </Button>
        )
      }
      disabled={empty}
      busy={save.busy}
      error={save.error === null ? null : sentence(save.error)}
      onSubmit={() => save.start(origin?.id ?? null)}
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
