import { Repeat2 } from '../../../../ui/icons.tsx'
import type { Related } from '#contract/deliveries.ts'
import { Stack } from '../../../../ui/Layout.tsx'
import { plural } from '#shared/text/format.ts'
import { shortDate } from '../../../../ui/text/time.ts'
import { openFromTrace } from './trace-navigation.ts'

/** Duplicates of this delivery, and how a handler can deal with the lack of a delivery ID. */
export function Duplicates({ related }: { readonly related: Related }) {
  const { sameBody, sameEvent } = related
  return (
    <Stack as="section" gap={3} pad={[5, 6]} frame size="s" anywhere aria-labelledby="repeats">
      <h3 id="repeats" className="row gap-4 align-center size-m">
        <Repeat2 className="tone-dim" aria-hidden />
        Duplicates
      </h3>
      <DuplicateList duplicates={sameBody} what="Same bytes received" />
      <DuplicateList duplicates={sameEvent} what="Same event received with different bytes" />
      {sameBody.total + sameEvent.total === 0 && (
        <p>
          No other delivery has the same bytes, or the same type, target, location and createdAt.
        </p>
      )}
      <p className="mid">
        The API documentation defines no delivery ID and no signed send time, so anyone can replay a
        captured delivery at any time with a valid signature. To protect your handler:
      </p>
      <ul className="bullets stack gap-1 mid">
        <li>
          Store <code className="mono">type</code>, target and{' '}
          <code className="mono">createdAt</code> for some days, and skip events seen before.
        </li>
        <li>Make processing idempotent.</li>
        <li>
          Reject a very old <code className="mono">createdAt</code>. It is part of the signed body.
          The maximum delay of a delivery is not documented.
        </li>
      </ul>
    </Stack>
  )
}

function DuplicateList(props: { readonly duplicates: Related['sameBody']; readonly what: string }) {
  const { duplicates, what } = props
  const { total, rows } = duplicates
  if (total === 0) return null
  return (
    <p className="alike">
      <b>
        {what} {plural(total, 'more time', 'more times')}:
      </b>{' '}
      {rows.map(({ id, receivedAt }) => (
        <button
          key={id}
          type="button"
          className="link pad-x-1 mono"
          title={`Received ${shortDate(receivedAt)}`}
          onClick={() => openFromTrace(id)}
        >
          #{id}
        </button>
      ))}
      {total > rows.length && <span className="dim"> and {total - rows.length} earlier</span>}
    </p>
  )
}
