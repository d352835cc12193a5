import { useRelays } from '#client/state/relays.ts'
import { AddCard } from './AddCard.tsx'
import { RelayCard } from './RelayCard.tsx'

/** The relays that this desktop follows, and the field that adds one. */
export function Relays() {
  const relays = useRelays((state) => state.relays)
  return (
    <>
      <p className="text-mid">
        An always-on receiver that keeps deliveries until each desktop of a team has read them.
      </p>
      {relays.map((relay) => (
        <RelayCard key={relay.id} relay={relay} />
      ))}
      <AddCard first={relays.length === 0} />
    </>
  )
}
