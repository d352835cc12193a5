import { commonHeaders, deliveryHeaders } from '#catalogue/headers.ts'
import type { Delivery, Header } from '#contract/models.ts'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { copyText } from '../../../platform/clipboard.ts'

const longest = 4000

/** The head of the request as it came: order, case and duplicates. */
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
      <HeaderTable label="Headers" headers={delivery.headers} brand={delivery.brand} />
      {delivery.trailers.length > 0 && (
        <>
          <h3 className="section-title">Trailers, after the body</h3>
          <HeaderTable label="Trailers" headers={delivery.trailers} brand={delivery.brand} />
        </>
      )}
    </>
  )
}

interface TableProps {
  readonly label: string
  readonly headers: readonly Header[]
  readonly brand: string
}

function HeaderTable({ label, headers, brand }: TableProps) {
  const documented = deliveryHeaders(brand)
  const times = new Map<string, number>()
  for (const [name] of headers) {
    times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1)
  }
  if (headers.length === 0) return <p className="dim">None came.</p>
  return (
    <table className="headers" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name, as it came</th>
          <th scope="col">Value</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(([name, value], index) => {
          const lower = name.toLowerCase()
          const own = documented.find((header) => header.lowerName === lower)
          const meaning = own?.description ?? commonHeaders[lower]
          return (
            // Names repeat; the place on the wire is what tells two apart.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} data-own={own !== undefined || undefined}>
              <th scope="row" className="mono">
                <Shown text={cut(name, 200)} />
                {(times.get(lower) ?? 0) > 1 && (
                  <span className="tag" data-tone="missing">
                    came {times.get(lower)} times
                  </span>
                )}
              </th>
              <td className="mono selectable">
                <span className="header-value">
                  {value === '' ? (
                    <em className="dim">empty</em>
                  ) : (
                    <Shown text={cut(value, longest)} />
                  )}
                </span>
                <CopyButton text={value} label={`Copy value of ${cut(name, 60)}`} copy={copyText} />
              </td>
              <td className="dim">{meaning?.replaceAll('`', '') ?? ''}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
