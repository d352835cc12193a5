import { Repeat2 } from 'lucide-react'
import type { Related } from '#contract/deliveries.ts'
import { counted } from '../../../../components/text/numbers.ts'
import { shortDate } from '../../../../components/text/time.ts'
import { goTo } from './going.ts'

/** What is the same as this delivery, and what follows from there being no delivery id. */
export function Repeats({ related }: { readonly related: Related }) {
  const { sameBody, sameEvent } = related
  return (
    <section className="repeats plain-card" aria-labelledby="repeats">
      <h3 id="repeats">
        <Repeat2 aria-hidden />
        The same again
      </h3>
      <Alike alike={sameBody} what="The same bytes came" />
      <Alike alike={sameEvent} what="The same event came in other bytes" />
      {sameBody.total + sameEvent.total === 0 && (
        <p>
          Nothing else here has these bytes, or is this event by type, target, location and
          createdAt.
        </p>
      )}
      <p className="mid">
        The document has no delivery id, and no signed time of sending: any capture could be sent
        again for ever, and its signature would hold. What a handler can do:
      </p>
      <ul className="mid">
        <li>
          remember <code className="mono">type</code>, target and{' '}
          <code className="mono">createdAt</code> for some days, and pass over what it has seen;
        </li>
        <li>do its work so that doing it twice changes nothing;</li>
        <li>
          refuse a <code className="mono">createdAt</code> that is very old: it is in the body, so
          it is signed. How late a delivery may come is not in the document.
        </li>
      </ul>
    </section>
  )
}

function Alike({ alike, what }: { readonly alike: Related['sameBody']; readonly what: string }) {
  const { total, rows } = alike
  if (total === 0) return null
  return (
    <p className="alike">
      <b>
        {what} {counted(total, 'more time', 'more times')}:
      </b>{' '}
      {rows.map(({ id, receivedAt }) => (
        <button
          key={id}
          type="button"
          className="link-button mono"
          title={`Arrived ${shortDate(receivedAt)}`}
          onClick={() => goTo(id)}
        >
          #{id}
        </button>
      ))}
      {total > rows.length && <span className="dim"> and {total - rows.length} before them</span>}
    </p>
  )
}
