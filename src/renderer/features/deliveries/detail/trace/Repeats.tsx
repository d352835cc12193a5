import { plural as counted } from '#shared/text/format.ts'
import { Repeat2 } from 'lucide-react'
import type { Related } from '#contract/deliveries.ts'
import { Stack } from '../../../../ui/Layout.tsx'
import { shortDate } from '../../../../ui/text/time.ts'
import { goTo } from './going.ts'

/** What is the same as this delivery, and what follows from there being no delivery id. */
export function Repeats({ related }: { readonly related: Related }) {
  const { sameBody, sameEvent } = related
  return (
    <Stack as="section" gap={3} pad={[5, 6]} frame size="s" anywhere aria-labelledby="repeats">
      <h3 id="repeats" className="row gap-4 align-center size-m">
        <Repeat2 className="tone-dim" aria-hidden />
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
        The API documentation has no delivery ID and no signed send time: any captured delivery can
        be sent again at any time with a valid signature. What a handler can do:
      </p>
      <ul className="bullets stack gap-1 mid">
        <li>
          remember <code className="mono">type</code>, target and{' '}
          <code className="mono">createdAt</code> for some days, and pass over what it has seen;
        </li>
        <li>do its work so that doing it twice changes nothing;</li>
        <li>
          refuse a <code className="mono">createdAt</code> that is very old: it is in the body, so
          it is signed. How late a delivery may come is not documented.
        </li>
      </ul>
    </Stack>
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
          className="link pad-x-1 mono"
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
