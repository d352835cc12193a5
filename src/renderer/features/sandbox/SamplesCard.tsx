import { Send } from 'lucide-react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Button } from '../../components/Button.tsx'
import { EventIcon } from '../../components/EventIcon.tsx'
import { Note } from '../../components/Note.tsx'
import { Card } from '../../components/Page.tsx'
import { counted } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { say } from '../shell/toasts.ts'
import { useSandbox } from './store.ts'
import { withSecret } from './with-secret.ts'

const allTypes = eventTypes.map(({ type }) => type)

export function SamplesCard({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const through = useSandbox((state) => state.through)
  const send = useAction(async (types: readonly string[]) => {
    const { sent } = await withSecret(endpointId, () =>
      client.call('sandbox.send', { endpointId, types: [...types], through }),
    )
    say('valid', `${counted(sent, 'sample', 'samples')} sent.`, {
      action: { label: 'Show deliveries', run: () => location.assign('#/deliveries') },
      about: 'samples',
    })
  })
  return (
    <Card title="Samples" note="One delivery at a click, with believable data.">
      <div>
        <Button icon={<Send aria-hidden />} busy={send.busy} onClick={() => send.start(allTypes)}>
          Send one of each
        </Button>
      </div>
      {send.error !== null && (
        <Note tone="invalid" alert>
          {sentence(send.error)}
        </Note>
      )}
      <ul className="samples" aria-label="Event types">
        {eventTypes.map(({ type, label, view }) => (
          <li key={type}>
            <button
              type="button"
              className="sample"
              aria-label={`Send ${label} ${type}`}
              title={`Send one ${type}`}
              onClick={() => send.start([type])}
            >
              <EventIcon name={view.icon} />
              <span className="cut">{label}</span> <span className="mono dim cut">{type}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
