import { Cable } from '../../../ui/icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import { checkTunnel, copyPublic, openTunnel } from '../../tunnel/index.ts'
import { useTunnel } from '../../../state/tunnel.ts'
import { hostOf, publicUrl } from '../../../state/tunnel-labels.ts'
import type { GuideState } from '../use-guide-state.ts'
import type { GuidePath } from '../paths.ts'
import { StepFrame, type StepState } from './StepFrame.tsx'

interface Props {
  readonly guide: GuideState
  readonly path: GuidePath
}

/** Opens a tunnel, so that the service can reach the listener. */
export function TunnelStep({ guide, path }: Props) {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <TunnelStepFor view={view} guide={guide} path={path} />
}

function TunnelStepFor({ view, guide, path }: Props & { readonly view: TunnelView }) {
  const client = useClient()
  const open = useAction(() => openTunnel(client))
  const retry = useAction(() => checkTunnel(client))
  const state = stateOf(view)
  return (
    <StepFrame
      title={path === 'sandbox' ? 'Open a tunnel (optional)' : 'Open a tunnel'}
      purpose={
        <>
          Gives your listener a public URL, so that the service can reach it from the internet.{' '}
          <Trust view={view} />
        </>
      }
      state={state}
    >
      {view.state === 'off' && (
        <Button
          kind={path === 'own' ? 'primary' : 'plain'}
          icon={<Cable aria-hidden />}
          busy={open.busy}
          onClick={() => open.start()}
        >
          Open the tunnel
        </Button>
      )}
      {view.state === 'offline' && (
        <Button kind="primary" busy={retry.busy} onClick={() => retry.start()}>
          Retry
        </Button>
      )}
      {view.url !== null && guide.endpoint !== undefined && path === 'own' && (
        <CopyButton
          text={publicUrl(view.url, guide.endpoint.slug)}
          label="Copy public webhook URL"
          words="Copy public webhook URL"
          kind={view.state === 'online' ? 'primary' : 'plain'}
          copy={(text) => copyPublic(client, text)}
        />
      )}
    </StepFrame>
  )
}

/** Names the tunnel server and who can read the traffic. An address in the options means that the user runs the server. */
function Trust({ view }: { readonly view: TunnelView }) {
  const { provider, options } = view.setup
  const { state } = useQuery('tunnel.providers', {})
  const own = 'url' in options || 'host' in options
  const label =
    (state.phase === 'ready' && state.value.find(({ id }) => id === provider)?.label) || provider
  return own ? (
    <>
      Traffic goes through <Shown text={cut(Object.values(options).join(', '), 120)} />.
    </>
  ) : (
    <>
      Traffic goes through a public server of <Shown text={cut(label, 60)} />. Its operator can read
      the traffic.
    </>
  )
}

function stateOf(view: TunnelView): StepState {
  const reason = <Shown text={cut(view.reason, 300)} />
  switch (view.state) {
    case 'off':
      return { kind: 'to-do', words: 'Closed. Only this machine can reach the listener.' }
    case 'opening':
    case 'reconnecting':
      return { kind: 'in-progress', words: reason }
    case 'online':
      return {
        kind: 'done',
        words: <>Online{view.url !== null && ` at ${hostOf(view.url)}`}.</>,
      }
    case 'degraded':
    case 'offline':
      return { kind: 'problem', words: reason }
  }
}
