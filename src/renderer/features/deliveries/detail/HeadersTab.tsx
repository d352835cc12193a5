import { commonHeaders } from '#catalogue/headers.ts'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { HeaderTable } from '../../../components/HeaderTable.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { useQuery } from '../../../platform/use-client.ts'
import { HeaderChecks } from './HeaderChecks.tsx'

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
  const { state, reload } = useQuery('deliveries.headers', { id: delivery.id })
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
      return <HeaderChecks checks={state.value} />
  }
}
