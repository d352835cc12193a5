import type { RelayReceiver } from '#contract/relay.ts'
import { formatCount } from '#shared/text/format.ts'
import { Check, Unplug } from '../../ui/icons.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { Table } from '../../ui/Table.tsx'
import { ago } from '../../ui/text/time.ts'
import { truncate } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'

interface Props {
  readonly receivers: readonly RelayReceiver[]
}

/** The receivers of a relay, by their heartbeats. */
export function Receivers({ receivers }: Props) {
  if (receivers.length === 0) {
    return (
      <p className="dim">
        No receiver has reported yet. Each one reports every 30 seconds while it runs.
      </p>
    )
  }
  return (
    <div className="scroll relay-receivers">
      <Table
        label="Receivers"
        columns={['Receiver', 'State', 'Last seen', 'Last delivery', 'Accepted', 'Refused']}
      >
        {receivers.map((receiver) => (
          <ReceiverRow key={receiver.name} receiver={receiver} />
        ))}
      </Table>
    </div>
  )
}

function ReceiverRow({ receiver }: { readonly receiver: RelayReceiver }) {
  const now = useNow()
  const { name, version, up, seenAt, lastDeliveryAt, accepted, refused } = receiver
  return (
    <tr data-testid="relay-receiver">
      <td title={`Version ${version}`}>
        <Shown text={truncate(name, 63)} />
      </td>
      <td>
        {up === null ? (
          <span className="dim">Unknown</span>
        ) : up ? (
          <StateMark tone="valid" icon={Check} word="Up" />
        ) : (
          <StateMark tone="invalid" icon={Unplug} word="Down" />
        )}
      </td>
      <td>
        <Time at={seenAt}>{ago(seenAt, now)}</Time>
      </td>
      <td>
        {lastDeliveryAt === null ? (
          <span className="dim">none</span>
        ) : (
          <Time at={lastDeliveryAt}>{ago(lastDeliveryAt, now)}</Time>
        )}
      </td>
      <td>{formatCount(accepted)}</td>
      <td>
        {refused === 0 ? (
          '0'
        ) : (
          <span className="tone-warning">{formatCount(refused)} with 503</span>
        )}
      </td>
    </tr>
  )
}
