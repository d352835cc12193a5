import { CircleAlert } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useMemo } from 'react'
import type { Delivery } from '#contract/models.ts'
import { focusTab } from '../../../components/focus-tab.ts'
import { Button } from '../../../components/Button.tsx'
import { Findings } from '../../../components/Findings.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { count } from '../../../components/text/numbers.ts'
import { useClient, useQuery } from '../../../platform/use-client.ts'
import { useAttempts } from '../../attempts/use-attempts.ts'
import { isEncoded } from '../../body/is-encoded.ts'
import type { ReadSlice } from '../../body/use-body.ts'
import { useBody } from '../../body/use-body.ts'
import { useKeys } from '../../shell/bound.ts'
import { useLog } from '../scope/scope.ts'
import type { DetailTab } from '../store.ts'
import { closeDelivery, detailTabs, useDeliveries } from '../store.ts'
import { BodyTab } from './BodyTab.tsx'
import { DetailHeader } from './DetailHeader.tsx'
import { HeadersTab } from './HeadersTab.tsx'
import { AttemptsTab, DiffTab, SignatureTab, TraceTab } from './lazy-tabs.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { readPayload } from './payload.ts'
import { goAlong } from './trace/going.ts'
import { VerdictBanner } from './VerdictBanner.tsx'
import { WayClaims } from './WayClaims.tsx'
import { useFocusFollowsTab } from '../../../components/use-focus-follows-tab.ts'
import '../../../components/Tabs.css'
import './DetailPane.css'

/** Everything about one delivery. Keyed by its id: each has its own state. */
export function DetailPane({ id }: { readonly id: number }) {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.get', { id, log })
  const row = useDeliveries((deliveries) =>
    deliveries.revision >= 0 ? deliveries.rows.byId.get(id) : undefined,
  )
  const client = useClient()
  useEffect(
    () =>
      client.on('deliveries.changed', ({ rows }) => {
        const rechecked = rows.find((one) => one.id === id)?.recheck !== undefined
        if (log === null && rechecked) reload()
      }),
    [client, id, log, reload],
  )
  // Here and not where the tabs are: a key that is pressed while the rest is still to come counts.
  useKeys({
    'tab-1': () => show('overview'),
    'tab-2': () => show('headers'),
    'tab-3': () => show('body'),
    'tab-4': () => show('signature'),
    'tab-5': () => show('trace'),
    'tab-6': () => show('diff'),
    'tab-7': () => show('attempts'),
    'trace-older': () => goAlong(-1),
    'trace-newer': () => goAlong(1),
  })
  return (
    <section className="detail" aria-label="Delivery" data-keeps-enter>
      {state.phase === 'failed' ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="This delivery cannot be shown"
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
          {/* The row knows enough for the header before the rest is here, and hears of changes. */}
          {(row ?? state.phase === 'ready') && (
            <DetailHeader
              row={row ?? (state.phase === 'ready' ? state.value : null)}
              note={state.phase === 'ready' ? state.value.note : null}
              onAnnotated={reload}
            />
          )}
          {state.phase === 'ready' ? (
            <Loaded delivery={state.value} />
          ) : (
            <div className="detail-coming" role="status" aria-label="Loading the delivery" />
          )}
        </>
      )}
    </section>
  )
}

function Loaded({ delivery }: { readonly delivery: Delivery }) {
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
  const made = attempts.state.phase === 'ready' ? attempts.state.value.total : 0
  const reading = useMemo(() => readPayload(source.body), [source.body])
  const aboutHeaders = delivery.findings.filter(({ place }) => place.startsWith('header')).length

  return (
    <Tabs.Root
      className="detail-tabs"
      value={tab}
      onValueChange={(next) => {
        const known = detailTabs.find((name) => name === next)
        if (known) show(known)
      }}
    >
      <VerdictBanner delivery={delivery} onWhy={() => show('signature')} />
      <Tabs.List ref={tabs} className="tabs" onFocus={focusTab} aria-label="Parts of the delivery">
        <Tabs.Trigger value="overview">Overview</Tabs.Trigger>
        <Tabs.Trigger value="headers">
          Headers
          {aboutHeaders > 0 && (
            <span className="badge" data-tone="missing">
              {aboutHeaders}
            </span>
          )}
        </Tabs.Trigger>
        <Tabs.Trigger value="body">Body</Tabs.Trigger>
        <Tabs.Trigger value="signature">Signature</Tabs.Trigger>
        <Tabs.Trigger value="trace">Trace</Tabs.Trigger>
        <Tabs.Trigger value="diff">Diff</Tabs.Trigger>
        <Tabs.Trigger value="attempts">
          Attempts {made > 0 && <span className="tab-number">{count(made)}</span>}
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="overview" className="tab-page" data-scrolls>
        {/* Few: what came is to be seen without scrolling. */}
        <Findings findings={delivery.findings} shownAtOnce={2} />
        <OverviewTab delivery={delivery} reading={reading} onBody={() => show('body')} />
        <WayClaims delivery={delivery} />
      </Tabs.Content>
      <Tabs.Content value="headers" className="tab-page" data-scrolls>
        <HeadersTab delivery={delivery} />
      </Tabs.Content>
      <Tabs.Content value="body" className="tab-page tab-fixed" data-scrolls>
        <BodyTab delivery={delivery} source={source} encoded={encoded} />
      </Tabs.Content>
      <Tabs.Content value="signature" className="tab-page" data-scrolls>
        <SignatureTab delivery={delivery} />
      </Tabs.Content>
      <Tabs.Content value="trace" className="tab-page" data-scrolls>
        <TraceTab delivery={delivery} />
      </Tabs.Content>
      <Tabs.Content value="diff" className="tab-page" data-scrolls>
        <DiffTab delivery={delivery} />
      </Tabs.Content>
      <Tabs.Content value="attempts" className="tab-page" data-scrolls>
        <AttemptsTab delivery={delivery} source={attempts} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

function show(tab: DetailTab): void {
  useDeliveries.setState({ tab })
}
