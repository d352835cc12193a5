import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Card } from '../../components/Page.tsx'
import { counted } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { say } from '../shell/toasts.ts'

export function ClearCard() {
  const client = useClient()
  const kept = useShell((state) => state.stats.deliveries)
  const [asking, setAsking] = useState(false)
  const clear = useAction(async () => {
    const { deleted } = await client.call('deliveries.clear', {})
    setAsking(false)
    say('valid', `${counted(deleted, 'delivery', 'deliveries')} deleted.`)
  })
  return (
    <Card title="Deliveries">
      <div>
        <Button
          kind="danger"
          icon={<Trash2 aria-hidden />}
          disabled={kept === 0}
          onClick={() => setAsking(true)}
        >
          Clear deliveries
        </Button>
      </div>
      <Confirm
        open={asking}
        onClose={() => {
          setAsking(false)
          clear.reset()
        }}
        title="Clear deliveries?"
        description={`All that are not pinned go for good, of ${counted(kept, 'delivery', 'deliveries')} now.`}
        action="Clear"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </Card>
  )
}
