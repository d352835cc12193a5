import {
  Check,
  CircleDashed,
  Forward,
  ListX,
  type LucideIcon,
  Minus,
  Pencil,
  Plus,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide-react'
import { useState } from 'react'
import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { useAction, useClient } from '../../platform/use-client.ts'
import type { ForwardInput } from './forward-draft.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import { useAnswering } from './store.ts'
import { successRate } from '#contract/success-rate.ts'
import { Shown } from '../../components/Shown.tsx'
import { fullTime } from '../../components/text/time.ts'
import { sentence } from '../../platform/call-error.ts'
import { Switch } from './Switch.tsx'
import { lightOf, countsLabel } from './labels.ts'

const icons: Readonly<Record<ForwardHealth['light'], LucideIcon>> = {
  off: Minus,
  idle: CircleDashed,
  good: Check,
  failing: TriangleAlert,
  down: X,
}

interface ForwardLineProps {
  readonly forward: ForwardTarget
  readonly onEdit: () => void
}

/** One forward target with its health light. */
function ForwardLine({ forward, onEdit }: ForwardLineProps) {
  const client = useClient()
  const health = useAnswering((state) =>
    state.health.find(({ forwardId }) => forwardId === forward.id),
  )
  const { id, url, types, mode, on, temporary, retries } = forward
  const change = useAction(async (run: () => Promise<unknown>) => void (await run()))
  const { light, tone, word } = lightOf(forward, health)
  const Icon = tone === 'missing' ? TriangleAlert : icons[light]
  const rate = health && on ? successRate(health) : null
  return (
    <li className="answering-line forward-line" data-off={!on || undefined} data-light={light}>
      <Switch
        label={`Forward to ${url}`}
        on={on}
        onChange={(next) => change.start(() => client.call('forwards.update', { id, on: next }))}
      />
      <div className="forward-where">
        <span className="mono selectable forward-url">
          <Shown text={url} />
        </span>
        <span className="dim">
          {types.length === 0 ? 'every type' : <Shown text={types.join(', ')} />}
          {mode === 'answer' ? ', its answer is ours' : ', after our answer'}
          {retries > 0 && `, up to ${retries} more tries`}
          {temporary && ', for this run of the command line'}
        </span>
      </div>
      <div className="forward-health" role="status" data-tone={tone}>
        <span
          className="forward-light"
          title={health ? `Since ${fullTime(health.since)}` : undefined}
        >
          <Icon aria-hidden strokeWidth={2.6} /> {lightWords(word, health)}
        </span>
        {rate !== null && <span className="forward-rate">{rate}</span>}
        <span className="forward-tally">{health && countsLabel(health)}</span>
        {health?.lastError && light !== 'off' && light !== 'good' && (
          <span className="forward-error">
            <Shown text={health.lastError} />
          </span>
        )}
        {change.error !== null && <span className="field-error">{sentence(change.error)}</span>}
      </div>
      <div className="forward-actions">
        {health !== undefined && health.waiting > 0 && (
          <IconButton
            label={`Skip the ${health.waiting} that wait for ${url}`}
            onClick={() => change.start(() => client.call('forwards.drop', { id }))}
          >
            <ListX aria-hidden />
          </IconButton>
        )}
        {!temporary && (
          <IconButton label={`Change forward to ${url}`} onClick={onEdit}>
            <Pencil aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={`Remove forward to ${url}`}
          onClick={() => change.start(() => client.call('forwards.remove', { id }))}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

function lightWords(word: string, health: ForwardHealth | undefined): string {
  if (!health || health.lastStatus === null) return word
  return health.light === 'good' || health.light === 'failing'
    ? `${word}, ${word === 'Some failed' ? 'last response ' : ''}${health.lastStatus}`
    : word
}

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
