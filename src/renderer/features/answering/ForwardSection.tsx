import { Forward, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ForwardTarget } from '#contract/answering.ts'
import { Button } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import type { ForwardInput } from './forward-draft.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import { ForwardLine } from './ForwardLine.tsx'
import { useAnswering } from './store.ts'

/** Where deliveries of an endpoint go on to as they arrive, and how each of these does. */
export function ForwardSection({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const all = useAnswering((state) => state.forwards)
  const forwards = all.filter((forward) => forward.endpointId === endpointId)
  const [editing, setEditing] = useState<ForwardTarget | 'new' | null>(null)
  const save = async (input: ForwardInput): Promise<void> => {
    if (editing === null) return
    if (editing === 'new') await client.call('forwards.add', { endpointId, ...input })
    else await client.call('forwards.update', { id: editing.id, ...input })
  }
  return (
    <section className="answering" aria-label="Forward">
      <header>
        <h3>
          <Forward aria-hidden /> Forward
        </h3>
        <span className="dim">
          {forwards.length === 0 ? 'nowhere' : 'each delivery as it arrives, byte for byte'}
        </span>
        <Button kind="quiet" icon={<Plus aria-hidden />} onClick={() => setEditing('new')}>
          Add target
        </Button>
      </header>
      {forwards.length > 0 && (
        <ul aria-label="Forward targets">
          {forwards.map((forward) => (
            <ForwardLine key={forward.id} forward={forward} onEdit={() => setEditing(forward)} />
          ))}
        </ul>
      )}
      {editing !== null && (
        <ForwardDialog
          forward={editing === 'new' ? null : editing}
          onSave={save}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}
