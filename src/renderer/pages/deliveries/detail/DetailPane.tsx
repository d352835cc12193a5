import { describeFindings } from '#catalogue/findings.ts'
import { formatSize, formatCount, plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useId, useMemo, lazy, Suspense, type ReactNode } from 'react'
import type { Delivery } from '#contract/models.ts'
import { focusTab, useFocusFollowsTab } from '#kit/focus.ts'
import { Button } from '#kit/Button.tsx'
import { Findings } from '#parts/Findings.tsx'
import { Empty, Loading, Note, WhenLoaded } from '#kit/Note.tsx'
import { Fold } from '#kit/Page.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { useAttempts } from '#parts/send/resend.ts'
import { isEncoded, type ReadSlice, useBody } from '#parts/body/use-body.ts'
import { BodyView } from '#parts/body/BodyView.tsx'
import { useKeys } from '#client/command-registry.ts'
import { useLog } from '#client/state/scope.ts'
import {
  closeDelivery,
  type DetailTab,
  detailTabs,
  useDeliveries,
} from '#client/state/deliveries.ts'
import { DetailHeader } from './DetailHeader.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { readPayload } from './field-format.ts'
import { stepInTrace } from './trace/trace-navigation.ts'
import { BothEnds } from './BothEnds.tsx'
import { claimNotes, namesThroughTunnel, describeClaims, readClaims } from '#contract/forwarded.ts'
import { HeaderTable } from '#parts/exchange/HeaderTable.tsx'
import { Shown } from '#kit/Shown.tsx'
import { HeaderChecks } from './HeaderChecks.tsx'
import { hideDiff, isBase, showDiff, useDiff } from '#parts/diff/CompareBar.tsx'
import '#kit/Tabs.css'
import './DetailPane.css'

// Loaded on demand, to keep the initial bundle small.

const AttemptsTab = lazy(async () => ({
  default: (await import('#parts/send/AttemptsTab.tsx')).AttemptsTab,
}))
const DiffTab = lazy(async () => ({ default: (await import('#parts/diff/DiffTab.tsx')).DiffTab }))
const SignatureTab = lazy(async () => ({
  default: (await import('./SignatureTab.tsx')).SignatureTab,
}))

const TraceTab = lazy(async () => ({ default: (await import('./trace/TraceTab.tsx')).TraceTab }))

function TabPage({ tab, children }: { tab: DetailTab; children: ReactNode }) {
  return (
    <Tabs.Content value={tab} className="tab-page" data-scrolls>
      <Suspense fallback={<Loading label="Loading the tab" />}>{children}</Suspense>
    </Tabs.Content>
  )
}

/** The details of one delivery. Keyed by its ID, so that each delivery has its own state. */
export function DetailPane({ id }: { id: number }) {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.get', { id, log })
  const row = useDeliveries((deliveries) =>
    deliveries.revision >= 0 ? deliveries.rows.byId.get(id) : undefined,
  )
  const client = useClient()
  useEffect(
    () =>
      client.on('deliveries.changed', ({ rows }) => {
        if (log === null && rows.some((changed) => changed.id === id)) reload()
      }),
    [client, id, log, reload],
  )
  const isCompared = useDiff(({ shown }) => isBase(shown, log, id))
  useEffect(
    () => () => {
      if (isBase(useDiff.getState().shown, log, id)) hideDiff()
    },
    [log, id],
  )
  // Registered here and not in the tabs, so that keys work while the delivery is loading.
  useKeys({
    'tab-1': () => show('overview'),
    'tab-2': () => show('request'),
    'tab-3': () => show('signature'),
    'tab-4': () => show('trace'),
    'tab-5': () => show('attempts'),
    'tab-6': () => (isCompared ? hideDiff() : showDiff({ log, id })),
    'trace-older': () => stepInTrace(-1),
    'trace-newer': () => stepInTrace(1),
  })
  return (
    <section className="detail flex h-full flex-col bg-bg" aria-label="Delivery" data-keeps-enter>
      {state.phase === 'failed' ? (
        <Empty
          icon={Icons.CircleAlert}
          title="Could not load this delivery"
          actions={
            <>
              <Button onClick={reload}>Try again</Button>
              <Button onClick={closeDelivery}>Close</Button>
            </>
          }
        >
          {state.message}
        </Empty>
      ) : (
        <>
          {/* The list row is enough for the header while the rest loads, and is kept up to date. */}
          <DetailHeader
            row={row ?? (state.phase === 'ready' ? state.value : null)}
            note={state.phase === 'ready' ? state.value.note : null}
            onAnnotated={reload}
          />
          {state.phase === 'ready' && isCompared ? (
            <Comparison delivery={state.value} />
          ) : state.phase === 'ready' ? (
            <Loaded delivery={state.value} />
          ) : (
            <Loading label="Loading the delivery" />
          )}
        </>
      )}
    </section>
  )
}

function Loaded({ delivery }: { delivery: Delivery }) {
  const tab = useDeliveries((state) => state.tab)
  const tabs = useFocusFollowsTab(tab)
  const encoded = isEncoded(delivery.headers)
  const client = useClient()
  const log = useLog()
  const read: ReadSlice = useCallback(
    (slice) => client.call('deliveries.body', { id: delivery.id, log, ...slice }),
    [client, delivery.id, log],
  )
  const source = useBody(read, { encoded })
  const attempts = useAttempts({ deliveryId: delivery.id })
  const attemptCount = attempts.state.phase === 'ready' ? attempts.state.value.total : 0
  const reading = useMemo(() => readPayload(source.body), [source.body])
  const headerFindings = delivery.findings.filter(({ location }) =>
    location.startsWith('header'),
  ).length

  return (
    <Tabs.Root
      className="flex min-h-0 flex-1 flex-col"
      value={tab}
      onValueChange={(next) => {
        const known = detailTabs.find((name) => name === next)
        if (known) show(known)
      }}
    >
      <BothEnds
        delivery={delivery}
        attempts={attempts.state}
        onEvidence={() => show('signature')}
        onAttempts={() => show('attempts')}
      />
      <Tabs.List ref={tabs} className="tabs" onFocus={focusTab} aria-label="Parts of the delivery">
        <Tabs.Trigger value="overview">Overview</Tabs.Trigger>
        <Tabs.Trigger value="request">
          Request
          {headerFindings > 0 && (
            <span className="badge" data-tone="warning">
              {headerFindings}
            </span>
          )}
        </Tabs.Trigger>
        <Tabs.Trigger value="signature">Signature</Tabs.Trigger>
        <Tabs.Trigger value="trace">Trace</Tabs.Trigger>
        <Tabs.Trigger value="attempts">
          Attempts{' '}
          {attemptCount > 0 && (
            <span className="text-xs text-dim">{formatCount(attemptCount)}</span>
          )}
        </Tabs.Trigger>
      </Tabs.List>
      <TabPage tab="overview">
        {/* Only a few, so that the event is visible without scrolling. */}
        <Findings findings={describeFindings(delivery)} initialCount={2} />
        <OverviewTab delivery={delivery} reading={reading} onBody={() => show('request')} />
        <OriginClaims delivery={delivery} />
      </TabPage>
      <TabPage tab="request">
        <RequestLine delivery={delivery} />
        <section className="h-[max(45vh,var(--measure-aside))]" aria-label="Body">
          <BodyView
            source={source}
            encoded={encoded}
            words={{ tree: 'Tree', text: 'Text', hex: 'Hex' }}
            none="The request has no body."
            after={
              delivery.storedBytes < delivery.bytes &&
              `, truncated from ${formatSize(delivery.bytes)}`
            }
          />
        </section>
        <HeaderBreakdown delivery={delivery} />
        <OriginClaims delivery={delivery} />
        {delivery.trailers.length > 0 && (
          <>
            <h3 className="section-title">Trailers, after the body</h3>
            <HeaderTable label="Trailers" headers={delivery.trailers} />
          </>
        )}
      </TabPage>
      <TabPage tab="signature">
        <SignatureTab delivery={delivery} />
      </TabPage>
      <TabPage tab="trace">
        <TraceTab delivery={delivery} />
      </TabPage>
      <TabPage tab="attempts">
        <AttemptsTab delivery={delivery} source={attempts} />
      </TabPage>
    </Tabs.Root>
  )
}

function show(tab: DetailTab): void {
  hideDiff()
  useDeliveries.setState({ tab })
}

function Comparison({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5 py-2">
        <Button kind="quiet" icon={Icons.ArrowLeft} onClick={hideDiff}>
          Back
        </Button>
        <h3>Compare with another delivery</h3>
      </div>
      <div className="tab-page" data-scrolls>
        <Suspense fallback={<Loading label="Loading the diff" />}>
          <DiffTab delivery={delivery} />
        </Suspense>
      </div>
    </>
  )
}

function RequestLine({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <p className="mono wrap-anywhere select-text">
        <b>{delivery.method}</b> <Shown text={delivery.path} max={2000} />{' '}
        <span className="text-dim">HTTP/{delivery.httpVersion.replace(/^HTTP\//, '')}</span>
        <span className="text-dim"> from {delivery.remoteAddress}</span>
      </p>
      {delivery.relay !== null && (
        <p className="text-dim" data-testid="via-relay">
          Received via relay{' '}
          <b>
            <Shown text={delivery.relay.name} max={80} />
          </b>
          , receiver <Shown text={delivery.relay.receiver} max={63} />, at position{' '}
          {formatCount(delivery.relay.position)}.
        </p>
      )}
    </>
  )
}

function HeaderBreakdown({ delivery }: { delivery: Delivery }) {
  const query = useQuery('deliveries.headers', { id: delivery.id, log: useLog() })
  return (
    <WhenLoaded query={query} loading={<Loading card label="Comparing" />}>
      {(checks) => {
        const added = checks.filter(({ source }) => source === 'proxy')
        const received = checks.filter(({ index }) => index !== null).length
        const differing = checks.filter(({ matches }) => matches === false).length
        return (
          <Fold
            className="grid gap-4"
            open={differing > 0}
            summary={`${plural(received, 'header', 'headers')}, ${differing === 0 ? 'all' : `${differing} not`} as expected`}
          >
            <Note tone="unsigned">
              Only the body is signed: a valid signature proves nothing about the headers.
            </Note>
            {delivery.via === 'tunnel' && <p className="text-dim">{namesThroughTunnel}</p>}
            <HeaderChecks
              label="Headers"
              checks={checks.filter(({ source }) => source !== 'proxy')}
            />
            {added.length > 0 && (
              <>
                <h3 className="section-title">Added in transit</h3>
                <p className="text-dim">
                  Set by the tunnel or proxy. Not part of the API documentation.
                </p>
                <HeaderChecks label="Added in transit" checks={added} />
              </>
            )}
          </Fold>
        )
      }}
    </WhenLoaded>
  )
}

function OriginClaims({ delivery }: { delivery: Delivery }) {
  const label = useId()
  const claims = describeClaims(readClaims(delivery.headers), delivery.via)
  if (claims === null) return null
  return (
    <section
      className="plain-card grid grid-cols-auto-1 gap-x-4 px-5 py-4 text-s [&>p]:col-2 [&>p]:wrap-anywhere"
      aria-labelledby={label}
    >
      <Icons.Waypoints className="mt-1 text-dim" />
      <h3 className="visually-hidden" id={label}>
        Claimed origin
      </h3>
      <p className="select-text">
        Received from {delivery.remoteAddress}. <Shown text={claims.description} max={1000} />
      </p>
      <p className="text-xs text-dim">{claimNotes(claims).join(' ')}</p>
    </section>
  )
}
