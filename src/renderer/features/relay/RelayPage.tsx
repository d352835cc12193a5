import { useRelays } from '../../state/relays.ts'
import { Page } from '../../ui/Page.tsx'
import { LearnMore } from '../help/index.ts'
import { AddCard } from './AddCard.tsx'
import { RelayCard } from './RelayCard.tsx'
import './Relay.css'

/** The relays that this desktop follows, and the field that adds one. */
export function RelayPage() {
  const relays = useRelays((state) => state.relays)
  return (
    <Page
      title="Relay"
      lead="An always-on receiver that keeps deliveries until each desktop of a team has read them."
      help={<LearnMore page="relay" />}
    >
      {relays.map((relay) => (
        <RelayCard key={relay.id} relay={relay} />
      ))}
      <AddCard first={relays.length === 0} />
    </Page>
  )
}
