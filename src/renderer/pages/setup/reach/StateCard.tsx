import { Icons } from '#kit/icons.tsx'
import type { ReactNode, RefObject } from 'react'
import type { TunnelProbe, TunnelView } from '#contract/tunnel.ts'
import { cx } from '#kit/cx.ts'
import { Button } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { clockTimeSeconds } from '#kit/text/time.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { checkTunnel, closeTunnel, openTunnel } from '#parts/tunnel/commands.ts'
import { Since, Until } from './Live.tsx'
import { needsAttention, TunnelIcon } from '#parts/tunnel/StateMark.tsx'
import { useTunnel } from '#client/state/tunnel.ts'
import {
  capital,
  checkLabel,
  notConnected,
  tunnelStateLabels,
  unknownState,
} from '#client/state/tunnel-labels.ts'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'

interface Props {
  view: TunnelView
  heading: RefObject<HTMLHeadingElement | null>
  label: (provider: string) => string
}

/** The tunnel state with its time, its reason and the available actions. */
export function StateCard({ view, heading, label }: Props) {
  const { since, reason, url } = view
  const lastUrl = useTunnel((tunnel) => tunnel.lastUrl)
  const stale = useShell((shell) => shell.stale)
  /** Null: unknown, because the page is not connected to Tabscope. */
  const state = stale ? null : view.state
  const { word, tone } = state === null ? unknownState : tunnelStateLabels[state]
  return (
    <section
      className={cx(
        'tunnel-now grid grid-cols-auto-1-auto gap-2 gap-x-6 px-7 py-6 below-480:grid-cols-auto-1',
        state !== null && needsAttention(state)
          ? 'framed-state rounded-lg border border-[color-mix(in_srgb,var(--tone)_40%,transparent)] bg-tone-soft'
          : 'framed',
      )}
      aria-label="State"
      data-state={state ?? 'unknown'}
      data-tone={tone}
    >
      <span className="disc h-(--bar) w-(--bar) icon-l" aria-hidden>
        <TunnelIcon state={state} />
      </span>
      <div className="grid min-w-0 gap-1">
        <h2 className="text-xl" ref={heading} tabIndex={-1}>
          <span className="text-tone" data-testid="tunnel-state">
            {capital(word)}
          </span>{' '}
          {state !== null && (
            <span className="text-m font-normal text-mid">
              for <Since at={since} />
            </span>
          )}
        </h2>
        {state === null ? (
          <p className="wrap-anywhere">{notConnected}</p>
        ) : (
          <>
            <p className="wrap-anywhere select-text" data-testid="tunnel-reason">
              <Shown text={reason} max={600} />
            </p>
            {url !== null ? (
              <p className="mono mt-2 text-l wrap-anywhere select-text">
                <Shown text={url} max={400} />
              </p>
            ) : (
              lastUrl !== null && (
                <p className="mt-2 wrap-anywhere text-mid select-text">
                  last URL:{' '}
                  <span className="mono">
                    <Shown text={lastUrl} max={400} />
                  </span>
                </p>
              )
            )}
          </>
        )}
      </div>
      {state !== null && <Commands view={view} />}
      {state !== null && state !== 'off' && <Facts view={view} label={label} />}
    </section>
  )
}

/** Both buttons stay mounted in every state, so that the focus is kept. */
function Commands({ view }: Pick<Props, 'view'>) {
  const client = useClient()
  const toggle = useAction((open: boolean) => (open ? openTunnel(client) : closeTunnel(client)))
  const check = useAction(() => checkTunnel(client))
  const off = view.state === 'off'
  const label = checkLabel(view)
  const connecting = view.state === 'opening' || view.state === 'reconnecting'
  return (
    <div className="flex flex-wrap items-start gap-4 below-480:col-span-full">
      {label !== null && (
        <Button
          hint="c"
          icon={Icons.RefreshCw}
          kind={view.state === 'offline' ? 'primary' : 'plain'}
          busy={check.busy || connecting}
          onClick={() => check.start()}
        >
          {label}
        </Button>
      )}
      <Button
        {...(off && { hint: 'o' })}
        icon={off ? Icons.Power : Icons.PowerOff}
        kind={off ? 'primary' : 'plain'}
        busy={toggle.busy}
        onClick={() => toggle.start(off)}
      >
        {off ? 'Open' : 'Close'}
      </Button>
    </div>
  )
}

function Facts({ view, label }: Pick<Props, 'view' | 'label'>) {
  const { state, cause, nextTryAt, failures, probe, nextProbeAt, connections, using } = view
  return (
    <dl className="tunnel-facts col-span-full mt-4 flex flex-wrap gap-4 gap-x-8 border-t border-dashed border-line-strong pt-5">
      {nextTryAt !== null ? (
        <Fact name="Next retry">
          in{' '}
          <b>
            <Until at={nextTryAt} />
          </b>
          <span className="text-mid">, at {clockTimeSeconds(nextTryAt)}</span>
        </Fact>
      ) : (
        state === 'offline' && (
          <Fact name="Next retry">
            {cause === 'listener_down' ? 'when the listener is running' : 'no automatic retry'}
          </Fact>
        )
      )}
      {failures > 0 && (
        <Fact name="Failed">{plural(failures, 'consecutive attempt', 'consecutive attempts')}</Fact>
      )}
      {(probe !== null || nextProbeAt !== null) && (
        <Fact name="Self-probe">
          {probe === null ? 'none yet' : <ProbeResult probe={probe} />}
          {nextProbeAt !== null && (
            <span className="text-mid">
              , next in <Until at={nextProbeAt} />
            </span>
          )}
        </Fact>
      )}
      {connections !== null && (
        <Fact name="Connections">
          <b>{formatCount(connections.open)}</b> of {formatCount(connections.max)}
          <span className="text-mid"> to the tunnel server</span>
        </Fact>
      )}
      {using !== null && (
        <Fact name="Provider">
          <Shown text={label(using.provider)} max={60} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0">
      <dt className="text-s text-mid">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function ProbeResult({ probe }: { probe: TunnelProbe }) {
  return (
    <>
      <span
        className="baseline inline-flex gap-2 font-semibold text-tone"
        data-tone={probe.ok ? 'valid' : 'invalid'}
      >
        {probe.ok ? <Icons.CircleCheck /> : <Icons.CircleX />}
        {probe.ok ? 'passed' : 'failed'}
      </span>{' '}
      {probe.ok ? 'in' : 'after'} <b>{formatDuration(probe.durationMs)}</b>
      <span className="text-mid">
        , <Since at={probe.at} /> ago
      </span>
      {probe.reason !== null && (
        <p className="select-text">
          <Shown text={probe.reason} max={400} />
        </p>
      )}
    </>
  )
}
