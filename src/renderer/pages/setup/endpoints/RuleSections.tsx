import { Icons, type Icon } from '#kit/icons.tsx'
import { type ReactNode, useState } from 'react'
import type { ForwardHealth, ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import { successRate } from '#contract/success-rate.ts'
import { cx } from '#kit/cx.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { Until } from '../reach/Live.tsx'
import { ForwardDialog } from './ForwardDialog.tsx'
import { inputOf, RuleDialog, type RuleInput } from './RuleDialog.tsx'
import { rehearseAddress } from '#client/addresses/rehearse.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { ErrorText } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { clockTimeSeconds, fullTime } from '#kit/text/time.ts'
import { Switch } from '#kit/Switch.tsx'
import {
  countsLabel,
  delayLabel,
  isSpent,
  lightOf,
  responseLabel,
  usageLabel,
  whenLabel,
} from './labels.ts'
import { UsedScript } from '#parts/ScriptField.tsx'
import '#parts/endpoints/EndpointRules.css'

interface SectionProps {
  title: string
  icon: Icon
  about: string
  addLabel: string
  onAdd: () => void
  listLabel: string
  lines: readonly ReactNode[]
  children: ReactNode
}

function Section(props: SectionProps) {
  const { title, icon: Icon, about, addLabel, onAdd, listLabel, lines, children } = props
  return (
    <section
      className="mt-5 grid gap-2 border-t border-dashed border-line-strong pt-5"
      aria-label={title}
    >
      <header className="flex min-h-(--control) flex-wrap items-center gap-3">
        <h3 className="inline-flex w-(--measure-label) flex-none items-center gap-3 font-semibold text-mid">
          <Icon /> {title}
        </h3>
        <span className="text-dim">{about}</span>
        <Button kind="quiet" className="ml-auto" icon={Icons.Plus} onClick={onAdd}>
          {addLabel}
        </Button>
      </header>
      {lines.length > 0 && (
        <ul className="lined grid" aria-label={listLabel}>
          {lines}
        </ul>
      )}
      {children}
    </section>
  )
}

export function ForwardSection({ endpointId }: { endpointId: number }) {
  const client = useClient()
  const all = useEndpointRules((state) => state.forwards)
  const forwards = all.filter((forward) => forward.endpointId === endpointId)
  const [editing, setEditing] = useState<ForwardTarget | 'new' | null>(null)
  return (
    <Section
      title="Forward"
      icon={Icons.Forward}
      about={
        forwards.length === 0
          ? 'no targets'
          : forwards.some(({ script }) => script !== null)
            ? 'each delivery is forwarded as received, or as a script changes it'
            : 'each delivery is forwarded exactly as received'
      }
      addLabel="Add target"
      listLabel="Forward targets"
      onAdd={() => setEditing('new')}
      lines={forwards.map((forward) => (
        <ForwardLine key={forward.id} forward={forward} onEdit={() => setEditing(forward)} />
      ))}
    >
      {editing !== null && (
        <ForwardDialog
          forward={editing === 'new' ? null : editing}
          onSave={async (input) => {
            if (editing === 'new') await client.call('forwards.add', { endpointId, ...input })
            else await client.call('forwards.update', { id: editing.id, ...input })
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  )
}

function ForwardLine({ forward, onEdit }: { forward: ForwardTarget; onEdit: () => void }) {
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
    >
      <Switch
        label={`Forward to ${url}`}
        on={enabled}
        onChange={(next) =>
          change.start(() => client.call('forwards.update', { id, enabled: next }))
        }
      />
      <div className="grid min-w-0 flex-1 text-s">
        <span className="mono wrap-anywhere select-text">
          <Shown text={url} />
        </span>
        <span className="text-dim">
          {types.length === 0 ? 'all types' : <Shown text={types.join(', ')} />}
          {mode === 'return' ? ', returns its response' : ', after responding'}
          {retries > 0 && `, up to ${retries} retries`}
          {script !== null && (
            <>
              , changed by script <UsedScript name={script} />
            </>
          )}
          {temporary && ', until the command ends'}
        </span>
      </div>
      <div className="grid min-w-0 flex-1 text-s" role="status" data-tone={tone}>
        <span
          className="inline-flex items-center gap-3 font-semibold text-tone icon-xs"
          title={health && `Since ${fullTime(health.since)}`}
        >
          <Icon aria-hidden strokeWidth={2.6} /> {healthLabel(word, health)}
        </span>
        {rate !== null && <span>{rate}</span>}
        <span className="text-mid">{health && countsLabel(health)}</span>
        {health && health.retryAt !== null && (
          <span className="text-mid">
            Retry in <Until at={health.retryAt} />, at {clockTimeSeconds(health.retryAt)}
          </span>
        )}
        {health?.lastError && light !== 'off' && light !== 'good' && (
          <span className="wrap-anywhere text-mid">
            <Shown text={health.lastError} />
          </span>
        )}
        <ErrorText as="span" error={change.error} />
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

const icons: Readonly<Record<ForwardHealth['state'], Icon>> = {
  off: Icons.Minus,
  idle: Icons.CircleDashed,
  good: Icons.Check,
  failing: Icons.TriangleAlert,
  down: Icons.X,
}

function healthLabel(word: string, health: ForwardHealth | undefined): string {
  if (!health || health.lastStatus === null) return word
  return health.state === 'good' || health.state === 'failing'
    ? `${word}, ${word === 'Some failed' ? 'last response ' : ''}${health.lastStatus}`
    : word
}

/** The response rules of an endpoint. The first matching rule applies, otherwise 200. */
export function ResponseSection({ endpointId }: { endpointId: number }) {
  const client = useClient()
  const all = useEndpointRules((state) => state.responses)
  const rules = all.filter((rule) => rule.endpointId === endpointId)
  const [editing, setEditing] = useState<ResponseRule | 'new' | null>(null)
  const set = async (next: readonly RuleInput[]): Promise<void> => {
    await client.call('responses.set', { endpointId, rules: [...next] })
  }
  const change = useAction(set)
  /** The rules with another one in place of `rule`; null: without it. */
  const replaced = (rule: ResponseRule, input: RuleInput | null): RuleInput[] =>
    rules.flatMap((each) => (each.id !== rule.id ? inputOf(each) : (input ?? [])))
  return (
    <Section
      title="Responses"
      icon={Icons.Reply}
      about={defaultLabel(rules)}
      addLabel="Add response rule"
      listLabel="Response rules"
      onAdd={() => setEditing('new')}
      lines={rules.map((rule) => (
        <RuleLine
          key={rule.id}
          rule={rule}
          onSwitch={(enabled) => change.start(replaced(rule, { ...inputOf(rule), enabled }))}
          onEdit={() => setEditing(rule)}
          onRemove={() => change.start(replaced(rule, null))}
        />
      ))}
    >
      <ErrorText error={change.error} />
      {editing !== null && (
        <RuleDialog
          rule={editing === 'new' ? null : editing}
          onSave={(input) =>
            set(
              editing === 'new' ? insertRule(rules.map(inputOf), input) : replaced(editing, input),
            )
          }
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  )
}

function defaultLabel(rules: readonly ResponseRule[]): string {
  const active = rules.filter(({ enabled }) => enabled)
  if (active.length === 0) return '200 for all deliveries'
  return active.some(({ type, when }) => type === null && when.kind === 'always')
    ? 'The first matching rule applies. No delivery gets the default 200.'
    : 'First matching rule applies; otherwise 200'
}

/** A rule for a single type is inserted before rules for all types, which would otherwise always match first. */
function insertRule(rules: readonly RuleInput[], rule: RuleInput): RuleInput[] {
  return rule.type === null ? [...rules, rule] : [rule, ...rules]
}

interface RuleLineProps {
  rule: ResponseRule
  onSwitch: (on: boolean) => void
  onEdit: () => void
  onRemove: () => void
}

function RuleLine({ rule, onSwitch, onEdit, onRemove }: RuleLineProps) {
  const use = useEndpointRules(({ uses }) => uses.find(({ ruleId }) => ruleId === rule.id))
  const type = rule.type ?? 'all types'
  const name = `${responseLabel(rule)} for ${type}`
  return (
    <li
      className="rule-line flex min-h-(--control-l) items-center gap-4 py-2 below-480:flex-wrap"
      data-off={!rule.enabled || undefined}
    >
      <Switch label={`Response ${name}`} on={rule.enabled} onChange={onSwitch} />
      <b className={cx('mono flex-none', rule.enabled ? 'text-warning' : 'text-ink')}>
        {responseLabel(rule)}
      </b>
      <span className="min-w-0 wrap-anywhere">
        for <Shown text={type} />, {whenLabel(rule)}
        {rule.delayMs > 0 && `, after ${delayLabel(rule.delayMs)}`}
        {rule.response.kind === 'script' && (
          <>
            , by script <UsedScript name={rule.response.script} />
          </>
        )}
      </span>
      <span className="ml-auto text-s text-mid" role="status">
        {rule.enabled && usageLabel(rule, use)}
        {rule.enabled && isSpent(rule, use) && ': 200 again'}
      </span>
      <IconButton label={`Edit response rule ${name}`} onClick={onEdit}>
        <Icons.Pencil />
      </IconButton>
      <IconButton label={`Remove response rule ${name}`} onClick={onRemove}>
        <Icons.Trash2 />
      </IconButton>
    </li>
  )
}
