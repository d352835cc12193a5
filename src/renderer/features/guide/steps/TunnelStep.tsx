import { Cable } from 'lucide-react'
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
  readonly standing: GuideState
  readonly way: GuidePath
}

/** The listener is made reachable from outside, if the user wants that. */
export function TunnelStep({ standing, way }: Props) {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <Known view={view} standing={standing} way={way} />
}

function Known({ view, standing, way }: Props & { readonly view: TunnelView }) {
  const client = useClient()
  const open = useAction(() => openTunnel(client))
  const retry = useAction(() => checkTunnel(client))
  const state = stateOf(view)
  return (
    <StepFrame
      title={way === 'sandbox' ? 'Open a tunnel, if you want' : 'Open a tunnel'}
      purpose={
        <>
          Gives your listener a public address, so that the service can reach it from the internet.{' '}
          <Trust view={view} />
        </>
      }
      state={state}
    >
      {view.state === 'off' && (
        <Button
          kind={way === 'own' ? 'primary' : 'plain'}
          icon={<Cable aria-hidden />}
          busy={open.busy}
          onClick={() => open.start()}
        >
          Open the tunnel
        </Button>
      )}
      {view.state === 'offline' && (
        <Button kind="primary" busy={retry.busy} onClick={() => retry.start()}>
          Try now
        </Button>
      )}
      {view.url !== null && standing.endpoint !== undefined && way === 'own' && (
        <CopyButton
          text={publicUrl(view.url, standing.endpoint.slug)}
          label="Copy public webhook URL"
          words="Copy public webhook URL"
          kind={view.state === 'online' ? 'primary' : 'plain'}
          copy={(text) => copyPublic(client, text)}
        />
      )}
    </StepFrame>
  )
}

/** Who else is on the way. What leads to an address of the user's own is theirs. */
function Trust({ view }: { readonly view: TunnelView }) {
  const { provider, options } = view.setup
  const { state } = useQuery('tunnel.providers', {})
  const own = 'url' in options || 'host' in options
  const label =
    (state.phase === 'ready' && state.value.find(({ id }) => id === provider)?.label) || provider
  return own ? (
    <>
      It goes by <Shown text={cut(Object.values(options).join(', '), 120)} />.
    </>
  ) : (
    <>
      It goes by <Shown text={cut(label, 60)} />, over a public server that others run: whoever runs
      it can read what passes.
    </>
  )
}

function stateOf(view: TunnelView): StepState {
  const reason = <Shown text={cut(view.reason, 300)} />
  switch (view.state) {
    case 'off':
      return { kind: 'to-do', words: 'Closed: only this machine reaches the listener.' }
    case 'opening':
    case 'reconnecting':
      return { kind: 'under-way', words: reason }
    case 'online':
      return {
        kind: 'done',
        words: <>Online{view.url !== null && ` at ${hostOf(view.url)}`}.</>,
      }
    case 'degraded':
    case 'offline':
      return { kind: 'trouble', words: reason }
  }
}
