import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TunnelProbe, TunnelView } from '#contract/tunnel.ts'
import { Shown } from '../../components/Shown.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { clockTimeSeconds, span } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { Since, Until } from './Live.tsx'

interface Props {
  readonly view: TunnelView
  /** What a provider is called. */
  readonly label: (provider: string) => string
}

/** What is known beside the state: what is tried next, the last self-probe, the connections, and for how long it was asked for. */
export function Facts({ view, label }: Props) {
  const { state, nextTryAt, failures, probe, nextProbeAt, connections, using, temporary } = view
  if (state === 'off') return null
  return (
    <dl className="tunnel-facts">
      {nextTryAt !== null && (
        <Fact name="Next try">
          in{' '}
          <b>
            <Until at={nextTryAt} />
          </b>
          <span className="dim">, at {clockTimeSeconds(nextTryAt)}</span>
        </Fact>
      )}
      {state === 'offline' && nextTryAt === null && (
        <Fact name="Next try">
          {view.cause === 'listener_down' ? 'once the listener listens' : 'none by itself'}
        </Fact>
      )}
      {failures > 0 && (
        <Fact name="Failed">{counted(failures, 'try in a row', 'tries in a row')}</Fact>
      )}
      {(probe !== null || nextProbeAt !== null) && (
        <Fact name="Self-probe">
          {probe === null ? 'none yet' : <ProbeWords probe={probe} />}
          {nextProbeAt !== null && (
            <span className="dim">
              , next in <Until at={nextProbeAt} />
            </span>
          )}
        </Fact>
      )}
      {connections !== null && (
        <Fact name="Connections">
          <b>{count(connections.open)}</b> of {count(connections.most)}
          <span className="dim"> to the tunnel’s server</span>
        </Fact>
      )}
      {using !== null && (
        <Fact name="By">
          <Shown text={cut(label(using.provider), 60)} />
        </Fact>
      )}
      {temporary && (
        <Fact name="For now">asked for on the command line; the stored setup is not changed</Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ProbeWords({ probe }: { readonly probe: TunnelProbe }) {
  return (
    <>
      <span className="tunnel-probe" data-tone={probe.ok ? 'valid' : 'invalid'}>
        {probe.ok ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
        {probe.ok ? 'came back' : 'failed'}
      </span>{' '}
      {probe.ok ? 'in' : 'after'} <b>{span(probe.ms)}</b>
      <span className="dim">
        , <Since at={probe.at} /> ago
      </span>
      {probe.reason !== null && (
        <p className="tunnel-probe-reason selectable">
          <Shown text={cut(probe.reason, 400)} />
        </p>
      )}
    </>
  )
}
