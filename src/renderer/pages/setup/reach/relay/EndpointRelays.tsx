import type { Endpoint } from '#contract/models.ts'
import { useRelays } from '#client/state/live-values.ts'
import { bringsEndpoint, lagText } from './texts.ts'
import { Icons } from '#kit/icons.tsx'
import { Shown } from '#kit/Shown.tsx'
import { useNow } from '#kit/Time.tsx'
import { RelayMark } from './RelayCard.tsx'

/** Which relays bring deliveries of an endpoint, with their state. Nothing if none does. */
export function EndpointRelays({ endpoint }: { readonly endpoint: Endpoint }) {
  const now = useNow()
  const relays = useRelays((state) => state.relays).filter((relay) =>
    bringsEndpoint(relay, endpoint.slug),
  )
  return relays.map((relay) => (
    <div
      className="well mt-3 flex flex-wrap items-center gap-2 gap-x-4"
      key={relay.id}
      data-testid="endpoint-relay"
    >
      <span className="grid flex-none text-dim" title="Deliveries also come from this relay">
        <Icons.RadioTower />
      </span>
      <span className="min-w-0 wrap-anywhere">
        Relay{' '}
        <a href="#/setup/reach/relay">
          <Shown text={relay.name} max={40} />
        </a>
      </span>
      <span className="min-h-0 min-w-0 flex-1 text-s text-mid">
        {relay.state !== 'paused' && lagText(relay, now)}
      </span>
      <RelayMark state={relay.state} />
    </div>
  ))
}
