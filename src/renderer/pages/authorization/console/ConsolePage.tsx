import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '#kit/Button.tsx'
import { Empty, Note, WhenLoaded } from '#kit/Note.tsx'
import { focusAfter } from '#kit/focus.ts'
import { useSandbox, useStartSandbox } from '#client/state/sandbox.ts'
import { selectIntegration, useAuthorization, useIntegration } from '#client/state/authorization.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { setupAddress } from '#client/addresses/authorization.ts'
import { RequestPane } from './RequestPane.tsx'
import { editDraft, setOutcome, useConsole, refreshEvery, draftFor, loadRequest } from './store.ts'
import type { Integration } from '#contract/integrations.ts'
import { Segments } from '#kit/Switch.tsx'
import { HistoryList } from './HistoryList.tsx'
import { SideButton, SidePage } from '#kit/SidePage.tsx'
import { Sending } from '#kit/Sending.tsx'
import { ExchangeView } from './ExchangeView.tsx'
import type { SavedRequest } from '#contract/api.ts'
import { confirm } from '#kit/Confirm.tsx'
import { NameDialog } from '#kit/Dialog.tsx'
import { Shown } from '#kit/Shown.tsx'
import { fullTime } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { pathWithQuery } from './draft.ts'

const sandboxPath = '/api/sandbox/locations'

function ResponsePane({ integration }: { integration: Integration }) {
  const outcome = useConsole((state) => state.outcomes[integration.id])
  return (
    <section className="flex min-h-0 min-w-0 flex-col" aria-label="Response">
      {outcome === undefined ? (
        <NothingYet integration={integration} />
      ) : outcome.phase === 'sending' ? (
        <Sending key={outcome.key} since={outcome.since} />
      ) : outcome.phase === 'loading' ? (
        <div className="flex-1" role="status" aria-label="Loading the response" />
      ) : outcome.phase === 'refused' || outcome.phase === 'lost' ? (
        <Empty
          icon={outcome.phase === 'lost' ? Icons.Unplug : Icons.CircleAlert}
          title={
            outcome.phase === 'lost' ? 'Connection lost before the response' : 'The request failed'
          }
          actions={<Button onClick={() => setOutcome(integration.id, null)}>Dismiss</Button>}
        >
          <span role="alert">
            {outcome.message}
            {outcome.phase === 'lost' && ' If the request was sent, it appears in the history.'}
          </span>
        </Empty>
      ) : (
        <ExchangeView key={outcome.exchange.id} exchange={outcome.exchange} />
      )}
    </section>
  )
}

function NothingYet({ integration }: { integration: Integration }) {
  return (
    <Empty
      icon={Icons.Send}
      title="No response yet"
      actions={
        integration.kind === 'sandbox' && (
          <Button
            onClick={() => {
              editDraft(integration.id, { method: 'GET', path: sandboxPath.slice(1) })
              document.querySelector<HTMLElement>('[data-path]')?.focus()
            }}
          >
            <span className="mono">GET {sandboxPath}</span>
          </Button>
        )
      }
    >
      The API documentation lists no path to call with a token.{' '}
      {integration.kind === 'sandbox'
        ? 'Only the sandbox has this one.'
        : 'Enter one that you know from your own account.'}
    </Empty>
  )
}

export function ConsolePage() {
  const integration = useIntegration()
  const panelOpen = useConsole((state) => state.panelOpen)
  useKeys({ history: showPanel })
  useTokenFromAddress()
  if (integration === undefined || integration.baseUrl === '') {
    return <NoService sandbox={integration?.kind === 'sandbox'} />
  }
  return (
    <SidePage
      label="Earlier requests"
      panel={<SidePanel key={`side-${integration.id}`} integrationId={integration.id} />}
      shown={panelOpen}
      closeLabel="Close the panel"
      onClose={() => useConsole.setState({ panelOpen: false })}
    >
      <div className="flex min-h-0 min-w-0 flex-col">
        {integration.kind === 'sandbox' && <SandboxDown />}
        <RequestPane
          key={`request-${integration.id}`}
          integration={integration}
          panel={
            <SideButton icon={Icons.History} open={panelOpen} onOpen={showPanel}>
              History
            </SideButton>
          }
          response={<ResponsePane key={`response-${integration.id}`} integration={integration} />}
        />
      </div>
    </SidePage>
  )
}

function useTokenFromAddress(): void {
  const hash = useShell((state) => state.hash)
  const tokens = useAuthorization((state) => state.tokens)
  useEffect(() => {
    const wanted = /^#\/authorization\/console\?token=(\d{1,15})$/.exec(hash)?.[1]
    const token = tokens.find(({ id }) => String(id) === wanted)
    if (!token) return
    selectIntegration(token.integrationId)
    editDraft(token.integrationId, { tokenId: token.id })
    history.replaceState(null, '', '#/authorization/console')
    useShell.setState({ hash: location.hash })
  }, [hash, tokens])
}

function showPanel(): void {
  focusAfter(
    () => useConsole.setState({ panelOpen: true }),
    () => document.querySelector<HTMLElement>('.side-panel [data-first]'),
  )
}

function NoService({ sandbox }: { sandbox: boolean }) {
  const start = useStartSandbox()
  return (
    <Empty
      icon={Icons.ServerCog}
      title="No service to call yet"
      actions={
        <>
          {sandbox && (
            <Button
              kind="primary"
              icon={Icons.Play}
              busy={start.busy}
              onClick={() => start.start()}
            >
              Start the sandbox service
            </Button>
          )}
          <a className="button" data-kind={sandbox ? undefined : 'primary'} href={setupAddress}>
            Set up an integration
          </a>
        </>
      }
    >
      {start.message ??
        'Requests go to the base URL of an integration. Enter yours, or use the built-in sandbox.'}
    </Empty>
  )
}

function SandboxDown() {
  const running = useSandbox((state) => state.service?.running !== false)
  const start = useStartSandbox()
  if (running) return null
  return (
    <div className="grid border-b border-line px-6 py-4">
      <Note
        tone={start.error === null ? 'warning' : 'invalid'}
        action={
          <Button busy={start.busy} onClick={() => start.start()}>
            Start
          </Button>
        }
      >
        {start.message ?? 'The sandbox service is not running, so this address does not respond.'}
      </Note>
    </div>
  )
}

function SidePanel({ integrationId }: { integrationId: number }) {
  const panel = useConsole((state) => state.panel)
  return (
    <>
      <div className="flex flex-none items-center border-b border-line px-5 py-4 [&_.segment]:flex-1 [&_.segments]:flex-1">
        <Segments
          label="Earlier requests"
          value={panel}
          options={[
            { value: 'history', label: 'History' },
            { value: 'saved', label: 'Saved' },
          ]}
          onChange={(next) => useConsole.setState({ panel: next })}
        />
      </div>
      {panel === 'history' ? (
        <HistoryList integrationId={integrationId} />
      ) : (
        <SavedList integrationId={integrationId} />
      )}
    </>
  )
}

function SavedList({ integrationId }: { integrationId: number }) {
  const query = useQuery('api.saved', {})
  const [renaming, setRenaming] = useState<SavedRequest | null>(null)
  const client = useClient()
  useRefresh(null, ['api.changed'], refreshEvery, query.reload)
  return (
    <WhenLoaded query={query}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={Icons.Bookmark} title="Nothing saved yet">
            Save a request to reuse it.
          </Empty>
        ) : (
          <>
            <div className="min-h-0 min-w-0 flex-1 overflow-auto" data-scrolls>
              <ul className="lined" aria-label="Saved requests">
                {all.map((saved, index) => (
                  <SavedRow
                    key={saved.id}
                    saved={saved}
                    integrationId={integrationId}
                    first={index === 0}
                    onRename={() => setRenaming(saved)}
                  />
                ))}
              </ul>
            </div>
            {renaming !== null && (
              <NameDialog
                key={renaming.id}
                title="Rename request"
                action="Rename"
                name={renaming.name}
                onSave={async (name) => {
                  const { id, request } = renaming
                  await client.call('api.save', { id, name, request })
                }}
                onClose={() => setRenaming(null)}
              />
            )}
          </>
        )
      }
    </WhenLoaded>
  )
}

interface RowProps {
  saved: SavedRequest
  integrationId: number
  first: boolean
  onRename: () => void
}

function SavedRow({ saved, integrationId, first, onRename }: RowProps) {
  const client = useClient()
  const here = useConsole((state) => state.savedId === saved.id)
  const name = shortText(saved.name, 120)
  const load = (): void => {
    const { tokenId } = draftFor(useConsole.getState(), integrationId)
    loadRequest({ ...saved.request, integrationId, tokenId: null }, saved.id, tokenId)
    setOutcome(integrationId, null)
  }
  const remove = (): void =>
    confirm({
      title: `Delete “${shortText(saved.name, 60)}”?`,
      description: 'Deletes the saved request. Sent requests stay in the history.',
      action: 'Delete',
      async run() {
        await client.call('api.removeSaved', { id: saved.id })
      },
    })
  return (
    <li className="relative hover:[&>.list-actions]:opacity-100">
      <button
        type="button"
        className="list-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        title={`Saved ${fullTime(saved.savedAt)}`}
        onClick={load}
      >
        <span className="cut font-semibold">{name}</span>
        <span className="mono baseline flex min-w-0 gap-3 text-2xs text-dim">
          <b className="flex-none font-bold">{saved.request.method}</b>{' '}
          <span className="cut">
            <Shown text={pathWithQuery(saved.request)} max={200} />
          </span>
        </span>
      </button>
      <span className="list-actions absolute top-2 right-4 flex rounded-sm bg-raised opacity-0 shadow-s focus-within:opacity-100">
        <IconButton label={`Rename ${name}`} onClick={onRename}>
          <Icons.Pencil />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={remove}>
          <Icons.Trash2 />
        </IconButton>
      </span>
    </li>
  )
}
