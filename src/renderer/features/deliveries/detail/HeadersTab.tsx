import { commonHeaders } from '#catalogue/headers.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { namesThroughTunnel } from '#contract/forwarded-words.ts'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { HeaderTable } from '../../../components/HeaderTable.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { useQuery } from '../../../platform/use-client.ts'
import { useLog } from '../scope/scope.ts'
import { HeaderChecks } from './HeaderChecks.tsx'
import { WayClaims } from './WayClaims.tsx'

/** The head of the request: each header that came or should have, against the document, the body and the endpoint. */
export function HeadersTab({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      <Note tone="unsigned">
        Only the body is signed: a valid signature proves nothing about the headers.
      </Note>
      <p className="request-line mono selectable">
        <b>{delivery.method}</b> <Shown text={cut(delivery.path, 2000)} />{' '}
        <span className="dim">HTTP/{delivery.httpVersion.replace(/^HTTP\//, '')}</span>
        <span className="dim request-from">from {delivery.remoteAddress}</span>
      </p>
      <WayClaims delivery={delivery} />
      {delivery.via === 'tunnel' && <p className="dim">{namesThroughTunnel}</p>}
      <Breakdown delivery={delivery} />
      {delivery.trailers.length > 0 && (
        <>
          <h3 className="section-title">Trailers, after the body</h3>
          <HeaderTable
            label="Trailers"
            headers={delivery.trailers}
            meaningOf={(name) =>
              Object.hasOwn(commonHeaders, name)
                ? { text: commonHeaders[name] ?? '', own: false }
                : null
            }
          />
        </>
      )}
    </>
  )
}

function Breakdown({ delivery }: { readonly delivery: Delivery }) {
  const { state, reload } = useQuery('deliveries.headers', { id: delivery.id, log: useLog() })
  switch (state.phase) {
    case 'loading':
      return <div className="plain-card ticket-coming" role="status" aria-label="Comparing" />
    case 'failed':
      return (
        <>
          <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
            {state.message}
          </Note>
          <HeaderTable label="Headers" headers={delivery.headers} />
        </>
      )
    case 'ready':
      return (
        <>
          <HeaderChecks
            label="Headers"
            checks={state.value.filter(({ source }) => source !== 'way')}
          />
          <AddedOnTheWay checks={state.value.filter(({ source }) => source === 'way')} />
        </>
      )
  }
}

/** What a tunnel or a proxy added: a group of its own, since the service's document has no say in it. */
function AddedOnTheWay({ checks }: { readonly checks: readonly HeaderCheck[] }) {
  if (checks.length === 0) return null
  return (
    <>
      <h3 className="section-title">Added on the way</h3>
      <p className="dim">Claims of the tunnel or proxy, not of the service’s document.</p>
      <HeaderChecks label="Added on the way" checks={checks} />
    </>
  )
}
