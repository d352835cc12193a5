import type { Endpoint } from '#contract/models.ts'
import { useRelays } from '../../state/relays.ts'
import { bringsEndpoint, lagText } from './texts.ts'
import { Icons } from '../../ui/icons.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { useNow } from '../../ui/Time.tsx'
import { RelayMark } from './RelayMark.tsx'

/** Which relays bring deliveries of an endpoint, with their state. Nothing if none does. */
export function EndpointRelays({ endpoint }: { readonly endpoint: Endpoint }) {
  const now = useNow()
  const relays = useRelays((state) => state.relays).filter((relay) =>
    bringsEndpoint(relay, endpoint.slug),
  )
  return relays.map((relay) => (
    <Row
      key={relay.id}
      wrap
      align="center"
      gap={2}
      gapX={4}
      marginTop={3}
      className="well"
      data-testid="endpoint-relay"
    >
      <Stack as="span" fixed tone="dim" title="Deliveries also come from this relay">
        <Icons.RadioTower />
      </Stack>
      <Text shrink anywhere>
        Relay{' '}
        <a href="#/setup/reach/relay">
          <Shown text={relay.name} max={40} />
        </a>
      </Text>
      <Text grow shrink tone="mid" size="s">
        {relay.state !== 'paused' && lagText(relay, now)}
      </Text>
      <RelayMark state={relay.state} />
    </Row>
  ))
}
