import type { HandlerCoverage } from '#contract/health.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { rehearseAddress } from '#client/addresses/rehearse.ts'
import { useEndpointRules, useEndpoints } from '#client/state/live-values.ts'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { Icons } from '#kit/icons.tsx'
import { Page } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { dayTime } from '#kit/text/time.ts'
import { Time, useNow } from '#kit/Time.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { showAttempt } from '#parts/send/resend.ts'
import { endpointName } from '#parts/alerts.tsx'

type TypeCoverage = HandlerCoverage['types'][number]

/** What each handler got of each type. */
export function HandlersPage() {
  const query = useQuery('health.coverage', {})
  useRefresh(null, ['deliveries.changed', 'forwards.changed'], 5000, query.reload)
  return (
    <Page
      lead="Which types your handler got, and how it responded."
      help={<LearnMore page="health" section="handlers" />}
      wide
    >
      <WhenLoaded
        query={query}
        loading={
          <div
            className="plain-card h-(--measure-panel) coming"
            role="status"
            aria-label="Loading"
          />
        }
      >
        {(handlers) =>
          handlers.length === 0 ? (
            <Empty
              icon={Icons.Webhook}
              title="Nothing was sent to a handler yet"
              actions={
                <a className="button" data-kind="plain" href="#/setup/endpoints">
                  Add a forward target
                </a>
              }
            >
              Forward deliveries to your handler or re-send one to it. Then you see here which types
              it got, and how it responded.
            </Empty>
          ) : (
            handlers.map((handler) => <HandlerCard key={handler.url} handler={handler} />)
          )
        }
      </WhenLoaded>
    </Page>
  )
}

function HandlerCard({ handler }: { handler: HandlerCoverage }) {
  const { url, endpointId, types } = handler
  const endpoints = useEndpoints((state) => state.endpoints)
  const isForwarded = useForwardedTypes(url)
  const now = useNow()
  const missing = types.filter(({ type, last }) => last === null && isForwarded(type))
  return (
    <section
      className="framed grid gap-4 px-5 py-4 [&_.number]:text-right [&_.number]:[font-variant-numeric:tabular-nums] [&_th[scope=row]]:font-medium"
      aria-label={`Handler ${url}`}
    >
      <div>
        <h2 className="mono text-m wrap-anywhere">
          <Shown text={url} max={200} />
        </h2>
        <p className="text-s text-mid">
          {endpointId !== null && `${endpointName(endpoints, endpointId)} · `}
          {missing.length === 0
            ? 'All types were sent'
            : `${missing.length} of ${types.length} types were not sent`}
          {' · '}
          <a href={rehearseAddress(url, endpointId)}>Rehearse</a>
        </p>
      </div>
      <table className="table w-full" aria-label={`Types sent to ${url}`}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Last response</th>
            <th scope="col" className="number">
              Sent in 30 days
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.type}>
              <th scope="row" className="mono">
                <Shown text={type.type} max={60} />
              </th>
              <td>
                <Response type={type} isForwarded={isForwarded(type.type)} />
              </td>
              <td className="number">{type.sent === 0 ? '' : type.sent}</td>
              <td>{type.last && <LastAttempt last={type.last} now={now} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function useForwardedTypes(url: string): (type: string) => boolean {
  const forwards = useEndpointRules((state) => state.forwards)
  const limits = forwards.filter((target) => target.url === url).map(({ types }) => types)
  return (type) =>
    limits.length === 0 || limits.some((types) => types.length === 0 || types.includes(type))
}

function Response({ type, isForwarded }: { type: TypeCoverage; isForwarded: boolean }) {
  const { last } = type
  if (last === null) {
    return isForwarded ? (
      <StateMark tone="warning" icon={Icons.CircleDashed} word="Never sent" />
    ) : (
      <StateMark tone="unsigned" icon={Icons.Minus} word="Not forwarded" />
    )
  }
  if (last.status === null) {
    return (
      <span title={last.error ?? undefined}>
        <StateMark tone="invalid" icon={Icons.X} word="No response" />
      </span>
    )
  }
  const isOk = last.status >= 200 && last.status < 300
  return (
    <StateMark
      tone={isOk ? 'valid' : 'invalid'}
      icon={isOk ? Icons.Check : Icons.X}
      word={`${last.status} ${isOk ? 'ok' : 'rejected'}`}
    />
  )
}

function LastAttempt({
  last: { deliveryId, attemptId, at },
  now,
}: {
  last: NonNullable<TypeCoverage['last']>
  now: number
}) {
  return (
    <button
      type="button"
      className="text-left underline decoration-line-strong underline-offset-2 hover:decoration-current"
      title={`Show the attempt of delivery ${deliveryId}`}
      onClick={() => showAttempt(deliveryId, attemptId)}
    >
      <Time at={at}>{dayTime(at, now)}</Time>
    </button>
  )
}
