import { History, Play, ServerCog } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { Note } from '../../components/Note.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useSandbox } from '#renderer/features/sandbox/store.ts'
import { chooseIntegration, useAuthorization, useIntegration } from '../authorization/store.ts'
import { useKeys } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { setupAddress } from '../authorization/address.ts'
import { AnswerPane } from './AnswerPane.tsx'
import { RequestPane } from './RequestPane.tsx'
import { SidePanel } from './SidePanel.tsx'
import { editDraft, useConsole } from './store.ts'
import './ConsolePage.css'

/** Requests by hand: what was sent, the request that is written, and its answer. */
export function ConsolePage() {
  const integration = useIntegration()
  const panelOpen = useConsole((state) => state.panelOpen)
  useKeys({ history: showPanel })
  useWantedToken()
  if (integration === undefined || integration.baseUrl === '') {
    return (
      <>
        <h1 className="visually-hidden">API console</h1>
        <NoService sandbox={integration?.kind === 'sandbox'} />
      </>
    )
  }
  return (
    <div className="console" data-panel={panelOpen || undefined}>
      <h1 className="visually-hidden">API console</h1>
      <SidePanel key={`side-${integration.id}`} integration={integration} />
      {panelOpen && (
        <button
          type="button"
          className="console-scrim"
          aria-label="Close the panel"
          onClick={() => useConsole.setState({ panelOpen: false })}
        />
      )}
      <div className="console-work">
        {integration.kind === 'sandbox' && <SandboxDown />}
        <RequestPane
          key={`request-${integration.id}`}
          integration={integration}
          panel={
            <Button
              className="console-panel-button"
              icon={<History aria-hidden />}
              aria-expanded={panelOpen}
              onClick={showPanel}
            >
              History
            </Button>
          }
          answer={<AnswerPane key={`answer-${integration.id}`} integration={integration} />}
        />
      </div>
    </div>
  )
}

/** An address may name the token to call with: `#/console?token=3`. It is taken once, and leaves the address. */
function useWantedToken(): void {
  const hash = useShell((state) => state.hash)
  const tokens = useAuthorization((state) => state.tokens)
  useEffect(() => {
    const wanted = /^#\/console\?token=(\d{1,15})$/.exec(hash)?.[1]
    const token = tokens.find(({ id }) => String(id) === wanted)
    if (!token) return
    chooseIntegration(token.integrationId)
    editDraft(token.integrationId, { tokenId: token.id })
    history.replaceState(null, '', '#/console')
    useShell.setState({ hash: location.hash })
  }, [hash, tokens])
}

/** Opens the panel where it is folded away, and goes to its first request. */
function showPanel(): void {
  focusAfter(
    () => useConsole.setState({ panelOpen: true }),
    () => document.querySelector<HTMLElement>('.console-side [data-first]'),
  )
}

function NoService({ sandbox }: { readonly sandbox: boolean }) {
  const start = useStartSandbox()
  return (
    <Empty
      icon={<ServerCog aria-hidden />}
      title="No service to call yet"
      actions={
        <>
          {sandbox && (
            <Button
              kind="primary"
              icon={<Play aria-hidden />}
              busy={start.busy}
              onClick={() => start.start()}
            >
              Start the sandbox’s service
            </Button>
          )}
          <a className="button" data-kind={sandbox ? undefined : 'primary'} href={setupAddress}>
            Set up an integration
          </a>
        </>
      }
    >
      {start.error === null
        ? 'A request goes to the base URL of an integration. Enter yours, or try it with the service in miniature.'
        : sentence(start.error)}
    </Empty>
  )
}

function SandboxDown() {
  const running = useSandbox((state) => state.service?.running !== false)
  const start = useStartSandbox()
  if (running) return null
  return (
    <Note
      tone={start.error === null ? 'missing' : 'invalid'}
      action={
        <Button busy={start.busy} onClick={() => start.start()}>
          Start it
        </Button>
      }
    >
      {start.error === null
        ? 'The sandbox’s service does not run, so nothing answers at this address.'
        : sentence(start.error)}
    </Note>
  )
}

function useStartSandbox(): ReturnType<typeof useAction<[]>> {
  const client = useClient()
  return useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.start', {}) })
  })
}
