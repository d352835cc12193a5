import type { LogEndpoint, LogIntegration } from '#contract/event-log.ts'
import { HeaderTable } from '../../../components/HeaderTable.tsx'
import { Card } from '../../../components/Page.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'

interface Props {
  readonly integration: LogIntegration
  readonly endpoints: readonly LogEndpoint[]
}

/** An integration that a log tells of, with its endpoints. Neither is ours. */
export function LoggedIntegration({ integration, endpoints }: Props) {
  const { name, brand, baseUrl, sandbox } = integration
  return (
    <Card title={visible(cut(name, 120))} note={sandbox ? 'In the sandbox' : ''}>
      <dl className="log-integration">
        <dt>Brand</dt>
        <dd>
          <Shown text={cut(brand, 120)} />
        </dd>
        <dt>Base URL</dt>
        <dd className="mono selectable">
          <Shown text={cut(baseUrl, 1000)} />
        </dd>
      </dl>
      {endpoints.map((endpoint) => (
        <section
          key={endpoint.id}
          className="log-endpoint"
          aria-label={`Endpoint ${visible(cut(endpoint.name, 80))}`}
        >
          <h3>
            <Shown text={cut(endpoint.name, 120)} />{' '}
            <code className="mono dim">
              /hooks/
              <Shown text={cut(endpoint.slug, 120)} />
            </code>
          </h3>
          <p className="dim">
            {endpoint.applicationId === '' ? (
              'Any application id'
            ) : (
              <>
                Application id{' '}
                <code className="mono selectable">
                  <Shown text={cut(endpoint.applicationId, 200)} />
                </code>
              </>
            )}
          </p>
          {endpoint.customHeaders.length > 0 && (
            <HeaderTable
              label="Custom headers"
              nameWord="Custom header"
              headers={endpoint.customHeaders}
            />
          )}
        </section>
      ))}
    </Card>
  )
}
