import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useEndpoints } from '../../endpoints/store.ts'
import { say } from '../../shell/toasts.ts'
import { useAuthorization } from '../store.ts'

/** Removes the integration, or says why it cannot be removed. */
export function RemoveIntegration({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const count = useAuthorization((state) => state.integrations.length)
  const endpoints = useEndpoints((state) => state.endpoints)
  const [asking, setAsking] = useState(false)
  const name = visible(cut(integration.name, 60))
  const remove = useAction(async () => {
    await client.call('integrations.remove', { id: integration.id })
    setAsking(false)
    say('valid', `${name} is removed.`)
  })
  const hindrance =
    count === 1
      ? 'This is the last integration. Create another one first.'
      : endpoints.some(({ integrationId }) => integrationId === integration.id)
        ? 'Endpoints belong to it. Delete them, or move them to another integration, first.'
        : null
  return (
    <div className="remove">
      <Button
        kind="danger"
        icon={<Trash2 aria-hidden />}
        disabled={hindrance !== null}
        aria-describedby="remove-hindrance"
        onClick={() => setAsking(true)}
      >
        Remove integration
      </Button>
      <p className="field-hint" id="remove-hindrance">
        {hindrance ?? 'With its tokens and the records of its runs.'}
      </p>
      <Confirm
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={`Remove ${name}?`}
        description="Its access secret, its tokens and the records of its runs go for good. The service is not told."
        action="Remove"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => remove.start()}
      />
    </div>
  )
}
