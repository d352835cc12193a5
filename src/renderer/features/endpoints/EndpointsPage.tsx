import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Page } from '../../components/Page.tsx'
import { useKeys } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { EndpointCard } from './EndpointCard.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { endpointUrl, useEndpoints } from './store.ts'
import '../answering/Answering.css'
import './EndpointsPage.css'

/** The webhook addresses of ours. */
export function EndpointsPage() {
  const endpoints = useEndpoints((state) => state.endpoints)
  const listener = useShell((state) => state.listener)
  const [creating, setCreating] = useState(false)
  useKeys({ 'endpoint-new': () => setCreating(true) })
  const create = (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
      New endpoint
    </Button>
  )
  return (
    <Page
      title="Endpoints"
      lead="Each is one webhook URL to paste on the service’s integrations dashboard."
      actions={endpoints.length > 0 && create}
    >
      {endpoints.length === 0 ? (
        <Empty icon={<Webhook aria-hidden />} title="No endpoint" actions={create}>
          Without one, whatever arrives is kept and answered with 404.
        </Empty>
      ) : (
        <ul className="endpoints" aria-label="Endpoints">
          {endpoints.map((endpoint) => (
            <EndpointCard
              key={endpoint.id}
              endpoint={endpoint}
              url={endpointUrl(listener, endpoint)}
            />
          ))}
        </ul>
      )}
      {creating && <EndpointForm endpoint={null} onClose={() => setCreating(false)} />}
    </Page>
  )
}
