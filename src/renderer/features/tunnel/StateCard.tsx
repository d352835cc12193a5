import { Icons } from '../../ui/icons.tsx'
import type { ReactNode, RefObject } from 'react'
import type { TunnelProbe, TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { clockTimeSeconds, dayTime } from '../../ui/text/time.ts'
import { Time, useNow } from '../../ui/Time.tsx'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'
import { checkTunnel, closeTunnel, openTunnel } from './commands.ts'
import { Since, Until } from './Live.tsx'
import { needsAttention, TunnelIcon } from './StateMark.tsx'
import { useTunnel } from '../../state/tunnel.ts'
import {
  capital,
  checkLabel,
  notConnected,
  tunnelStateLabels,
  unknownState,
} from '../../state/tunnel-labels.ts'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'

interface Props {
  readonly view: TunnelView
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly label: (provider: string) => string
}

/** The tunnel state with its time, its reason and the available actions. */
export function StateCard({ view, heading, label }: Props) {
  const { state, since, reason, url } = view
  const lastUrl = useTunnel((tunnel) => tunnel.lastUrl)
  const stale = useShell((shell) => shell.stale)
  if (stale) {
    // The page is not connected to Tabscope.
    return (
      <Frame state={null} heading={heading} time={null} after={null}>
        <Text as="p" anywhere>
          {notConnected}
        </Text>
      </Frame>
    )
  }
  return (
    <Frame
      state={state}
      heading={heading}
      time={
        <Text tone="mid" size="m" weight="normal">
          for <Since at={since} />, since <StartTime at={since} />
        </Text>
      }
      after={
        <>
          <Commands view={view} />
          <Facts view={view} label={label} />
        </>
      }
    >
      <Text as="p" anywhere selectable data-testid="tunnel-reason">
        <Shown text={reason} max={600} />
      </Text>
      {url !== null ? (
        <Text as="p" marginTop={2} anywhere size="l">
          <span className="mono selectable">
            <Shown text={url} max={400} />
          </span>
        </Text>
      ) : (
        lastUrl !== null && (
          <Text as="p" marginTop={2} anywhere tone="mid">
            last URL:{' '}
            <span className="mono selectable">
              <Shown text={lastUrl} max={400} />
            </span>
          </Text>
        )
      )}
      {state === 'off' && <ConfiguredProvider setup={view.setup} label={label} />}
    </Frame>
  )
}

interface FrameProps extends Pick<Props, 'heading'> {
  /** Null: unknown. */
  readonly state: TunnelStateName | null
  /** Follows the state in the heading. */
  readonly time: ReactNode
  readonly after: ReactNode
  readonly children: ReactNode
}

function Frame({ state, heading, time, after, children }: FrameProps) {
  const { word, tone } = state === null ? unknownState : tunnelStateLabels[state]
  return (
    <Grid
      as="section"
      columns="auto 1 auto"
      gap={2}
      gapX={6}
      pad={[6, 7]}
      frame={state !== null && needsAttention(state) ? 'state' : true}
      className="tunnel-now"
      aria-label="State"
      data-state={state ?? 'unknown'}
      data-tone={tone}
    >
      <span className="disc disc-l" aria-hidden>
        <TunnelIcon state={state} />
      </span>
      <Stack gap={1} shrink>
        <Text as="h2" size="xl" ref={heading} tabIndex={-1}>
          <Text tone="state" data-testid="tunnel-state">
            {capital(word)}
          </Text>{' '}
          {time}
        </Text>
        {children}
      </Stack>
      {after}
    </Grid>
  )
}

function ConfiguredProvider({ setup, label }: Pick<TunnelView, 'setup'> & Pick<Props, 'label'>) {
  const options = Object.values(setup.options).join(', ')
  return (
    <Text as="p" marginTop={1} tone="mid">
      Provider:{' '}
      <b>
        <Shown text={label(setup.provider)} max={60} />
      </b>
      {options !== '' && (
        <>
          , <Shown text={options} max={200} />
        </>
      )}
      .{' '}
      <Button kind="quiet" onClick={focusSetup}>
        Change
      </Button>
    </Text>
  )
}

function focusSetup(): void {
  document.querySelector<HTMLInputElement>('.providers input:checked')?.focus()
}

function StartTime({ at }: { readonly at: number }) {
  const now = useNow()
  const recent = now - at < 12 * 3_600_000
  return <Time at={at}>{recent ? clockTimeSeconds(at) : dayTime(at, now)}</Time>
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
    <Row wrap align="start" gap={4} className="tunnel-commands">
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
        {...(off ? { hint: 'o' } : {})}
        icon={off ? Icons.Power : Icons.PowerOff}
        kind={off ? 'primary' : 'plain'}
        busy={toggle.busy}
        onClick={() => toggle.start(off)}
      >
        {off ? 'Open' : 'Close'}
      </Button>
    </Row>
  )
}

interface FactsProps {
  readonly view: TunnelView
  readonly label: (provider: string) => string
}

function Facts({ view, label }: FactsProps) {
  const { state, nextTryAt, failures, probe, nextProbeAt, connections, using, temporary } = view
  if (state === 'off') return null
  return (
    <Row as="dl" wrap gap={4} gapX={8} marginTop={4} line="top-dashed" className="tunnel-facts">
      {nextTryAt !== null && (
        <Fact name="Next retry">
          in{' '}
          <b>
            <Until at={nextTryAt} />
          </b>
          <Text tone="mid">, at {clockTimeSeconds(nextTryAt)}</Text>
        </Fact>
      )}
      {state === 'offline' && nextTryAt === null && (
        <Fact name="Next retry">
          {view.cause === 'listener_down' ? 'when the listener is running' : 'no automatic retry'}
        </Fact>
      )}
      {failures > 0 && (
        <Fact name="Failed">{plural(failures, 'consecutive attempt', 'consecutive attempts')}</Fact>
      )}
      {(probe !== null || nextProbeAt !== null) && (
        <Fact name="Self-probe">
          {probe === null ? 'none yet' : <ProbeResult probe={probe} />}
          {nextProbeAt !== null && (
            <Text tone="mid">
              , next in <Until at={nextProbeAt} />
            </Text>
          )}
        </Fact>
      )}
      {connections !== null && (
        <Fact name="Connections">
          <b>{formatCount(connections.open)}</b> of {formatCount(connections.max)}
          <Text tone="mid"> to the tunnel server</Text>
        </Fact>
      )}
      {using !== null && (
        <Fact name="Provider">
          <Shown text={label(using.provider)} max={60} />
        </Fact>
      )}
      {temporary && (
        <Fact name="Temporary">Set on the command line. Your saved setup is unchanged.</Fact>
      )}
    </Row>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack shrink>
      <Text as="dt" tone="mid" size="s">
        {name}
      </Text>
      <Text as="dd" anywhere>
        {children}
      </Text>
    </Stack>
  )
}

function ProbeResult({ probe }: { readonly probe: TunnelProbe }) {
  return (
    <>
      <Row
        as="span"
        inline
        align="baseline"
        gap={2}
        tone="state"
        weight="semibold"
        data-tone={probe.ok ? 'valid' : 'invalid'}
      >
        {probe.ok ? <Icons.CircleCheck /> : <Icons.CircleX />}
        {probe.ok ? 'passed' : 'failed'}
      </Row>{' '}
      {probe.ok ? 'in' : 'after'} <b>{formatDuration(probe.durationMs)}</b>
      <Text tone="mid">
        , <Since at={probe.at} /> ago
      </Text>
      {probe.reason !== null && (
        <p className="selectable">
          <Shown text={probe.reason} max={400} />
        </p>
      )}
    </>
  )
}
