import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { AnswerSection } from '../answering/AnswerSection.tsx'
import { ForwardSection } from '../answering/ForwardSection.tsx'
import { PublicUrl } from '../tunnel/PublicUrl.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { SecretCard } from './SecretCard.tsx'

interface Props {
  readonly endpoint: Endpoint
  /** Null while nothing listens. */
  readonly url: string | null
}

/** One endpoint: its address first, then what it expects. */
export function EndpointCard({ endpoint, url }: Props) {
  const client = useClient()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const remove = useAction(async () => {
    await client.call('endpoints.remove', { id: endpoint.id })
    setDialog(null)
  })
  return (
    <li className="endpoint" id={`endpoint-${endpoint.id}`}>
      <section aria-label={cut(endpoint.name, 80)}>
        <header className="endpoint-head">
          <h2>
            <Shown text={endpoint.name} />
          </h2>
          <Button icon={<Pencil aria-hidden />} onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <IconButton
            label={`Delete ${cut(endpoint.name, 80)}`}
            onClick={() => setDialog('delete')}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </header>
        <div className="endpoint-url">
          {url === null ? (
            <span className="mono dim">/hooks/{endpoint.slug}, once the listener is up</span>
          ) : (
            <>
              <code className="mono selectable">{url}</code>
              <CopyButton text={url} label="Copy URL" words="Copy URL" copy={copyText} />
            </>
          )}
        </div>
        <PublicUrl endpoint={endpoint} />
        <SecretCard endpoint={endpoint} />
        <dl className="endpoint-facts">
          <div>
            <dt>Application ID</dt>
            <dd>
              {endpoint.applicationId === '' ? (
                <span className="dim">any</span>
              ) : (
                <span className="mono">
                  <Shown text={endpoint.applicationId} />
                </span>
              )}
            </dd>
          </div>
          <div>
            <dt>Custom headers</dt>
            <dd>
              {endpoint.customHeaders.length === 0 ? (
                <span className="dim">none expected</span>
              ) : (
                endpoint.customHeaders.map(([name, value]) => (
                  <span className="tag mono" key={`${name}:${value}`}>
                    <Shown text={cut(`${name}: ${value}`, 80)} />
                  </span>
                ))
              )}
            </dd>
          </div>
        </dl>
        <ForwardSection endpointId={endpoint.id} />
        <AnswerSection endpointId={endpoint.id} />
      </section>
      {dialog === 'edit' && <EndpointForm endpoint={endpoint} onClose={() => setDialog(null)} />}
      <Confirm
        open={dialog === 'delete'}
        onClose={() => {
          setDialog(null)
          remove.reset()
        }}
        title={`Delete ${cut(endpoint.name, 60)}?`}
        description="Its secrets are forgotten, and what the service sends there is answered with 404. Deliveries stay."
        action="Delete"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => remove.start()}
      />
    </li>
  )
}
