import { CircleCheck, CircleX, Power, PowerOff, RefreshCw } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { TunnelProbe, TunnelView } from '#contract/tunnel.ts'
import { Button } from '../../components/Button.tsx'
import { Shown } from '../../components/Shown.tsx'
import { clockTimeSeconds, dayTime, fullTime, span, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { checkTunnel, closeTunnel, openTunnel } from './commands.ts'
import { Since, Until, useLive } from './Live.tsx'
import { nextLabelChange } from './lasting.ts'
import { TunnelIcon } from './StateIcon.tsx'
import { useTunnel } from './store.ts'
import { capital, checkWord, notConnected, tunnelStateLabels, unknownState } from './labels.ts'
import { count, counted } from '../../components/text/numbers.ts'

interface Props {
  readonly view: TunnelView
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** What a provider is called. */
  readonly label: (provider: string) => string
}

/** How it stands: large, with since when and why, and what can be done. */
export function StateCard({ view, heading, label }: Props) {
  const { state, since, reason, url } = view
  const lastUrl = useTunnel((held) => held.lastUrl)
  const stale = useShell((shell) => shell.stale)
  if (stale) return <UnknownState heading={heading} />
  const { word, tone } = tunnelStateLabels[state]
  return (
    <section className="tunnel-now" aria-label="State" data-state={state} data-tone={tone}>
      <span className="tunnel-disc" aria-hidden>
        <TunnelIcon state={state} />
      </span>
      <div className="tunnel-words">
        <h2 ref={heading} tabIndex={-1}>
          <span data-testid="tunnel-state">{capital(word)}</span>{' '}
          <span className="tunnel-since">
            for <Since at={since} />, since <Begun at={since} />
          </span>
        </h2>
        <p className="tunnel-reason selectable" data-testid="tunnel-reason">
          <Shown text={cut(reason, 600)} />
        </p>
        {url !== null ? (
          <p className="tunnel-origin mono selectable">
            <Shown text={cut(url, 400)} />
          </p>
        ) : (
          lastUrl !== null && (
            <p className="tunnel-origin" data-gone>
              last at{' '}
              <span className="mono selectable">
                <Shown text={cut(lastUrl, 400)} />
              </span>
            </p>
          )
        )}
        {state === 'off' && <OpensBy setup={view.setup} label={label} />}
      </div>
      <Commands view={view} />
      <Facts view={view} label={label} />
    </section>
  )
}

/** Without a connection nothing is known, and nothing can be done. */
function UnknownState({ heading }: Pick<Props, 'heading'>) {
  return (
    <section
      className="tunnel-now"
      aria-label="State"
      data-state="unknown"
      data-tone={unknownState.tone}
    >
      <span className="tunnel-disc" aria-hidden>
        <TunnelIcon state={null} />
      </span>
      <div className="tunnel-words">
        <h2 ref={heading} tabIndex={-1}>
          <span data-testid="tunnel-state">{capital(unknownState.word)}</span>
        </h2>
        <p className="tunnel-reason">{notConnected}</p>
      </div>
    </section>
  )
}

/** What the button would do, and the way to change that. */
function OpensBy({ setup, label }: Pick<TunnelView, 'setup'> & Pick<Props, 'label'>) {
  const options = Object.values(setup.options).join(', ')
  return (
    <p className="tunnel-by">
      Opens by{' '}
      <b>
        <Shown text={cut(label(setup.provider), 60)} />
      </b>
      {options !== '' && (
        <>
          , <Shown text={cut(options, 200)} />
        </>
      )}
      .{' '}
      <Button kind="quiet" onClick={focusSetup}>
        Change
      </Button>
    </p>
  )
}

function focusSetup(): void {
  document.querySelector<HTMLInputElement>('.providers input:checked')?.focus()
}

function Begun({ at }: { readonly at: number }) {
  const now = useLive((then) => nextLabelChange(at, then))
  const recent = now - at < 12 * 3_600_000
  return (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {recent ? clockTimeSeconds(at) : dayTime(at, now)}
    </time>
  )
}

/** The two buttons stay where they are, whatever the state: who pressed one keeps the focus. */
function Commands({ view }: Pick<Props, 'view'>) {
  const client = useClient()
  const toggle = useAction((open: boolean) => (open ? openTunnel(client) : closeTunnel(client)))
  const check = useAction(() => checkTunnel(client))
  const off = view.state === 'off'
  const word = checkWord(view)
  const underWay = view.state === 'opening' || view.state === 'reconnecting'
  return (
    <div className="tunnel-commands">
      {word !== null && (
        <Button
          hint="c"
          icon={<RefreshCw aria-hidden />}
          kind={view.state === 'offline' ? 'primary' : 'plain'}
          busy={check.busy || underWay}
          onClick={() => check.start()}
        >
          {word}
        </Button>
      )}
      <Button
        {...(off ? { hint: 'o' } : {})}
        icon={off ? <Power aria-hidden /> : <PowerOff aria-hidden />}
        kind={off ? 'primary' : 'plain'}
        busy={toggle.busy}
        onClick={() => toggle.start(off)}
      >
        {off ? 'Open' : 'Close'}
      </Button>
    </div>
  )
}

interface FactsProps {
  readonly view: TunnelView
  /** What a provider is called. */
  readonly label: (provider: string) => string
}

/** What is known beside the state: what is tried next, the last self-probe, the connections, and for how long it was asked for. */
function Facts({ view, label }: FactsProps) {
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
