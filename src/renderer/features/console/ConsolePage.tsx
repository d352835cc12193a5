import { History, Play, ServerCog } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useSandbox } from '#renderer/features/sandbox/store.ts'
import { useKeys } from '../shell/keys.ts'
import { AnswerPane } from './AnswerPane.tsx'
import { RequestPane } from './RequestPane.tsx'
import { SidePanel } from './SidePanel.tsx'
import { useConsole } from './store.ts'
import { useIntegration } from './use-integration.ts'
import './ConsolePage.css'

/** Requests by hand: what was sent, the request that is written, and its answer. */
export function ConsolePage() {
  const integration = useIntegration()
  const panelOpen = useConsole((state) => state.panelOpen)
  useKeys({ history: showPanel })
  if (integration === null || integration.baseUrl === '') {
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

/** Opens the panel where it is folded away, and goes to its first request. */
function showPanel(): void {
  useConsole.setState({ panelOpen: true })
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('.console-side [data-first]')?.focus()
  })
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
          <a className="button" data-kind={sandbox ? undefined : 'primary'} href="#/authorization">
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
