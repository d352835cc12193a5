import { Icons } from '../../ui/icons.tsx'
import { useEffect } from 'react'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { focusAfter } from '../../ui/focus.ts'
import { Note } from '../../ui/Note.tsx'
import { useSandbox, useStartSandbox } from '../../state/sandbox.ts'
import { selectIntegration, useAuthorization, useIntegration } from '../../state/authorization.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useShell } from '../../state/app.ts'
import { setupAddress } from '../../routes/authorization.ts'
import { RequestPane } from './RequestPane.tsx'
import { editDraft, setOutcome, useConsole } from './store.ts'
import './ConsolePage.css'
import type { Integration } from '#contract/integrations.ts'
import { Segments } from '../../ui/Segments.tsx'
import { HistoryList } from './HistoryList.tsx'
import { SavedList } from './SavedList.tsx'
import { SideButton, SidePage } from '../../ui/SidePage.tsx'
import { Sending } from '../../ui/Sending.tsx'
import { ExchangeView } from './ExchangeView.tsx'

const sandboxPath = '/api/sandbox/locations'

function ResponsePane({ integration }: { readonly integration: Integration }) {
  const outcome = useConsole((state) => state.outcomes[integration.id])
  return (
    <Stack as="section" column shrink aria-label="Response">
      {outcome === undefined ? (
        <NothingYet integration={integration} />
      ) : outcome.phase === 'sending' ? (
        <Sending key={outcome.key} since={outcome.since} />
      ) : outcome.phase === 'loading' ? (
        <div className="detail-coming" role="status" aria-label="Loading the response" />
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
    </Stack>
  )
}

function NothingYet({ integration }: { readonly integration: Integration }) {
  return (
    <Empty
      icon={Icons.Send}
      title="No response yet"
      actions={
        integration.kind === 'sandbox' && (
          <Stack gap={3} center>
            <Button
              onClick={() => {
                editDraft(integration.id, { method: 'GET', path: sandboxPath.slice(1) })
                document.querySelector<HTMLElement>('[data-path]')?.focus()
              }}
            >
              <span className="mono">GET {sandboxPath}</span>
            </Button>
            <span className="tag" data-tone="warning">
              sandbox only
            </span>
          </Stack>
        )
      }
    >
      The API documentation lists no path to call with a token, so there are no suggestions. Enter a
      path that you know from your own account.
    </Empty>
  )
}

export function ConsolePage() {
  const integration = useIntegration()
  const panelOpen = useConsole((state) => state.panelOpen)
  useKeys({ history: showPanel })
  useTokenFromAddress()
  if (integration === undefined || integration.baseUrl === '') {
    return (
      <>
        <NoService sandbox={integration?.kind === 'sandbox'} />
      </>
    )
  }
  return (
    <SidePage
      label="Earlier requests"
      panel={<SidePanel key={`side-${integration.id}`} integration={integration} />}
      shown={panelOpen}
      closeLabel="Close the panel"
      onClose={() => useConsole.setState({ panelOpen: false })}
    >
      <Stack column shrink>
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
      </Stack>
    </SidePage>
  )
}

/** Selects the token named in an address such as `#/authorization/console?token=3`, then removes it from the address. */
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

function NoService({ sandbox }: { readonly sandbox: boolean }) {
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
    <Stack pad={[4, 6]} line="bottom">
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
    </Stack>
  )
}

function SidePanel({ integration }: { readonly integration: Integration }) {
  const panel = useConsole((state) => state.panel)
  return (
    <>
      <Row align="center" fixed pad={[4, 5]} line="bottom" className="side-head">
        <Segments
          label="Earlier requests"
          value={panel}
          options={[
            { value: 'history', label: 'History' },
            { value: 'saved', label: 'Saved' },
          ]}
          onChange={(next) => useConsole.setState({ panel: next })}
        />
      </Row>
      {panel === 'history' ? (
        <HistoryList integrationId={integration.id} />
      ) : (
        <SavedList integrationId={integration.id} />
      )}
    </>
  )
}
