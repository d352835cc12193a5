import { commonHeaders, deliveryHeaders } from '#catalogue/headers.ts'
import type { Delivery } from '#contract/models.ts'
import type { Meaning } from '../../../components/HeaderTable.tsx'
import { HeaderTable } from '../../../components/HeaderTable.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'

/** The head of the request as it came: order, case and duplicates. */
export function HeadersTab({ delivery }: { readonly delivery: Delivery }) {
  const documented = deliveryHeaders(delivery.brand)
  function meaningOf(name: string): Meaning | null {
    const own = documented.find((header) => header.lowerName === name)
    const text = own?.description ?? commonHeaders[name]
    return text === undefined ? null : { text: text.replaceAll('`', ''), own: own !== undefined }
  }
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
      <HeaderTable label="Headers" headers={delivery.headers} meaningOf={meaningOf} />
      {delivery.trailers.length > 0 && (
        <>
          <h3 className="section-title">Trailers, after the body</h3>
          <HeaderTable label="Trailers" headers={delivery.trailers} meaningOf={meaningOf} />
        </>
      )}
    </>
  )
}
