import { Icons, type Icon } from '#kit/icons.tsx'
import { useState } from 'react'
import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { successRate } from '#contract/success-rate.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { ForwardDialog, type ForwardInput } from './ForwardDialog.tsx'
import { rehearseAddress } from '#client/addresses/rehearse.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { Shown } from '#kit/Shown.tsx'
import { fullTime } from '#kit/text/time.ts'
import { Switch } from '#kit/Switch.tsx'
import { lightOf, countsLabel } from './labels.ts'
import '#parts/endpoints/EndpointRules.css'

const icons: Readonly<Record<ForwardHealth['state'], Icon>> = {
  off: Icons.Minus,
  idle: Icons.CircleDashed,
  good: Icons.Check,
  failing: Icons.TriangleAlert,
  down: Icons.X,
}

interface ForwardLineProps {
  readonly forward: ForwardTarget
  readonly onEdit: () => void
}

function ForwardLine({ forward, onEdit }: ForwardLineProps) {
  const client = useClient()
  const health = useEndpointRules((state) =>
    state.health.find(({ forwardId }) => forwardId === forward.id),
  )
  const { id, url, types, mode, enabled, temporary, retries, script } = forward
  const change = useAction(async (run: () => Promise<unknown>) => void (await run()))
  const { light, tone, word } = lightOf(forward, health)
  const Icon = tone === 'warning' ? Icons.TriangleAlert : icons[light]
  const rate = health && enabled ? successRate(health) : null
  return (
    <li
      className="rule-line forward-line flex items-start gap-4 py-2 below-480:flex-wrap"
      data-off={!enabled || undefined}
      data-light={light}
    >
      <Switch
        label={`Forward to ${url}`}
        on={enabled}
        onChange={(next) =>
          change.start(() => client.call('forwards.update', { id, enabled: next }))
        }
      />
      <div className="grid min-h-0 min-w-0 flex-1 text-s">
        <span className="mono wrap-anywhere select-text">
          <Shown text={url} />
        </span>
        <span className="text-dim">
          {types.length === 0 ? 'all types' : <Shown text={types.join(', ')} />}
          {mode === 'return' ? ', returns its response' : ', after responding'}
          {retries > 0 && `, up to ${retries} retries`}
          {script !== null && (
            <>
              , changed by script <Shown text={script} />
            </>
          )}
          {temporary && ', until the command ends'}
        </span>
      </div>
      <div className="grid min-h-0 min-w-0 flex-1 text-s" role="status" data-tone={tone}>
        <span
          className="inline-flex items-center gap-3 font-semibold text-tone icon-xs"
          title={health ? `Since ${fullTime(health.since)}` : undefined}
        >
          <Icon aria-hidden strokeWidth={2.6} /> {healthLabel(word, health)}
        </span>
        {rate !== null && <span>{rate}</span>}
        <span className="text-mid">{health && countsLabel(health)}</span>
        {health?.lastError && light !== 'off' && light !== 'good' && (
          <span className="wrap-anywhere text-mid">
            <Shown text={health.lastError} />
          </span>
        )}
        {change.message !== null && <span className="field-error">{change.message}</span>}
      </div>
      <div className="flex w-(--measure-key) flex-none justify-end">
        {health !== undefined && health.waiting > 0 && (
          <IconButton
            label={`Skip ${health.waiting} queued for ${url}`}
            onClick={() => change.start(() => client.call('forwards.drop', { id }))}
          >
            <Icons.ListX />
          </IconButton>
        )}
        <a
          className="icon-button"
          href={rehearseAddress(url, forward.endpointId)}
          aria-label={`Rehearse ${url}`}
          title="Rehearse this handler"
        >
          <Icons.FlaskConical />
        </a>
        {!temporary && (
          <IconButton label={`Edit forward to ${url}`} onClick={onEdit}>
            <Icons.Pencil />
          </IconButton>
        )}
        <IconButton
          label={`Remove forward to ${url}`}
          onClick={() => change.start(() => client.call('forwards.remove', { id }))}
        >
          <Icons.Trash2 />
        </IconButton>
      </div>
    </li>
  )
}

function healthLabel(word: string, health: ForwardHealth | undefined): string {
  if (!health || health.lastStatus === null) return word
  return health.state === 'good' || health.state === 'failing'
    ? `${word}, ${word === 'Some failed' ? 'last response ' : ''}${health.lastStatus}`
    : word
}

export function ForwardSection({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const all = useEndpointRules((state) => state.forwards)
  const forwards = all.filter((forward) => forward.endpointId === endpointId)
  const [editing, setEditing] = useState<ForwardTarget | 'new' | null>(null)
  const save = async (input: ForwardInput): Promise<void> => {
    if (editing === null) return
    if (editing === 'new') await client.call('forwards.add', { endpointId, ...input })
    else await client.call('forwards.update', { id: editing.id, ...input })
  }
  return (
    <section
      className="mt-5 grid gap-2 border-t border-dashed border-line-strong pt-5"
      aria-label="Forward"
    >
      <header className="flex min-h-(--control) flex-wrap items-center gap-3">
        <h3 className="inline-flex w-(--measure-label) flex-none items-center gap-3 font-semibold text-mid">
          <Icons.Forward /> Forward
        </h3>
        <span className="text-dim">
          {forwards.length === 0
            ? 'no targets'
            : forwards.some(({ script }) => script !== null)
              ? 'each delivery is forwarded as received, or as a script changes it'
              : 'each delivery is forwarded exactly as received'}
        </span>
        <Button
          kind="quiet"
          className="ml-auto"
          icon={Icons.Plus}
          onClick={() => setEditing('new')}
        >
          Add target
        </Button>
      </header>
      {forwards.length > 0 && (
        <ul className="lined grid" aria-label="Forward targets">
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
