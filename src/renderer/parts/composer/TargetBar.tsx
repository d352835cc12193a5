import { Icons } from '#kit/icons.tsx'
import { useId, type ComponentProps } from 'react'
import { Button } from '#kit/Button.tsx'
import { MethodField } from '#kit/MethodField.tsx'
import { Shown } from '#kit/Shown.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { useAction, messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useKeys } from '#client/command-registry.ts'
import { InlineSelect } from '#kit/Field.tsx'
import { SendButton } from '#kit/Sending.tsx'
import { SeverityIcon, severityTone, StateMark } from '#kit/Mark.tsx'
import { edit, flush, ensureSaved, refreshPreview } from './edit.ts'
import { changeSession, type Outcome, type Session, sessionNow, useCompose } from './store.ts'
import type { DraftProblem } from '#contract/compose.ts'
import type { Place, Target } from '#contract/sending.ts'
import { confirm } from '#kit/Confirm.tsx'
import { describeTarget, useTargetSuggestions } from '#parts/send/target-suggestions.ts'
import type { Client } from '#client/client.ts'
import { confirmTarget, unconfirmedOrigin, withdrawQuestion } from '#parts/send/ConfirmTarget.tsx'

interface AddressFieldProps {
  session: Session
  isWrong: boolean
}

function AddressField({ session, isWrong }: AddressFieldProps) {
  const client = useClient()
  const drafts = useCompose((state) => state.drafts)
  const suggestions = useTargetSuggestions({
    used: (drafts ?? []).filter(({ id }) => id !== session.id).map(({ url }) => url),
  })
  const listId = useId()
  return (
    <div className="input-frame" data-large>
      <input
        className="mono"
        list={listId}
        aria-label="Address"
        placeholder="https://…"
        value={session.content.url}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        data-address
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'compose-problems' : undefined}
        onChange={({ target }) => edit(client, session.key, { url: target.value })}
      />
      <datalist id={listId}>
        {suggestions.map(({ url, label }) => (
          <option key={url} value={url}>
            {shortText(label, 60)}
          </option>
        ))}
      </datalist>
    </div>
  )
}

const placeLabels = {
  own: { icon: Icons.House, tone: 'info', word: 'Tabscope listener' },
  loopback: { icon: Icons.Laptop, tone: 'valid', word: 'This machine' },
  private: { icon: Icons.Network, tone: 'valid', word: 'Private network' },
  public: { icon: Icons.Globe, tone: 'warning', word: 'Public' },
  unresolved: { icon: Icons.CircleHelp, tone: 'invalid', word: 'Does not resolve' },
} as const satisfies Record<Place, ComponentProps<typeof StateMark>>

function PlaceMark({ target }: { target: Target }) {
  const { location, confirmed } = target
  const look = placeLabels[location]
  const more = location === 'public' ? `, ${confirmed ? 'confirmed' : 'needs confirmation'}` : ''
  return (
    <span title={describeTarget(target)} data-testid="place">
      <StateMark {...look} word={`${look.word}${more}`} />
    </span>
  )
}

const timeLimits = [1000, 5000, 10_000, 30_000, 120_000, 600_000]

function TimeLimit({ session }: { session: Session }) {
  return (
    <InlineSelect
      small
      label="Time limit"
      title="Time from the DNS lookup to the last byte"
      value={session.timeout}
      onChange={(event) => changeSession(session.key, { timeout: Number(event.target.value) })}
    >
      {timeLimits.map((ms) => (
        <option key={ms} value={ms}>
          {ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`}
        </option>
      ))}
    </InlineSelect>
  )
}

export function TargetBar({ session }: { session: Session }) {
  const client = useClient()
  const { content, target, preview, outcome } = session
  const problems = (preview?.problems ?? []).filter(
    ({ field }) => field === 'url' || field === 'method',
  )
  const sending = outcome?.phase === 'sending'
  const send = (): void => void sendDraft(client)
  useKeys({
    'compose-send': send,
    'compose-address': () => document.querySelector<HTMLElement>('[data-address]')?.focus(),
  })
  return (
    <div className="grid gap-4">
      <form
        className="flex gap-4 below-620:flex-wrap below-620:[&>.input-frame]:basis-(--measure-field)"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <MethodField
          method={content.method}
          defaultMethod="POST"
          onChange={(method) => edit(client, session.key, { method })}
        />
        <AddressField session={session} isWrong={problems.some(({ field }) => field === 'url')} />
        <SendButton sending={sending} onCancel={() => cancelSending(client)} />
      </form>
      <div className="flex min-h-(--control-s) flex-wrap items-center gap-2 gap-x-6">
        <AsEndpoint session={session} />
        {target !== null && <PlaceMark target={target} />}
        {target !== null && <TlsChoice target={target} />}
        <span className="ml-auto">
          <TimeLimit session={session} />
        </span>
      </div>
      <Problems id="compose-problems" label="Request problems" problems={problems} />
    </div>
  )
}

function AsEndpoint({ session }: { session: Session }) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const { endpointId, sign } = session.content
  return (
    <InlineSelect
      small
      label="As"
      title="The endpoint whose brand, secrets and application ID are used"
      value={endpointId ?? ''}
      onChange={(event) => {
        const next = event.target.value === '' ? null : Number(event.target.value)
        // Otherwise the secret of the previous endpoint would still be used.
        const signed = sign.how === 'secret' || sign.how === 'broken'
        edit(client, session.key, {
          endpointId: next,
          ...(signed && next !== null ? { sign: { ...sign, endpointId: next } } : {}),
        })
      }}
    >
      {endpoints.map((endpoint) => (
        <option key={endpoint.id} value={endpoint.id}>
          {shortText(endpoint.name, 60)}
        </option>
      ))}
      <option value="">no endpoint</option>
    </InlineSelect>
  )
}

function TlsChoice({ target }: { target: Target }) {
  const client = useClient()
  const set = async (verifyTls: boolean): Promise<void> => {
    const key = sessionNow()?.key
    const changed = await client.call('targets.set', { url: target.origin, verifyTls })
    if (key !== undefined) changeSession(key, { target: changed })
  }
  const turnOn = useAction(() => set(true))
  if (!target.origin.startsWith('https:')) return null
  const turnOff = (): void =>
    confirm({
      title: `Turn off TLS verification for ${escapeControls(target.origin)}?`,
      description:
        'Others on the network path could then read the requests and respond in place of the target. Applies to this target only, until you turn it on again.',
      action: 'Turn off',
      run: () => set(false),
    })
  return (
    <span
      className="inline-flex items-center gap-1 data-off:gap-4 data-off:rounded-md data-off:border data-off:border-invalid data-off:bg-invalid-soft data-off:py-px data-off:pr-1 data-off:pl-4"
      data-off={!target.verifyTls || undefined}
    >
      {target.verifyTls ? (
        <>
          <StateMark tone="valid" icon={Icons.ShieldCheck} word="TLS verified" />
          <Button kind="quiet" small onClick={turnOff}>
            Turn off…
          </Button>
        </>
      ) : (
        <>
          <StateMark tone="invalid" icon={Icons.ShieldOff} word="TLS verification off" />
          <Button small busy={turnOn.busy} onClick={() => turnOn.start()}>
            Turn on
          </Button>
        </>
      )}
    </span>
  )
}

interface ProblemsProps {
  problems: readonly DraftProblem[]
  id?: string | undefined
  label?: string
}

export function Problems({ problems, id, label }: ProblemsProps) {
  return (
    <ul className="grid gap-1 text-s icon-xs empty:hidden" id={id} aria-label={label}>
      {problems.map(({ code, severity, message }) => (
        <li
          className="flex items-start gap-3 wrap-anywhere text-tone"
          key={code}
          data-tone={severityTone(severity)}
        >
          <SeverityIcon severity={severity} /> <Shown text={message} />
        </li>
      ))}
    </ul>
  )
}

/** Sends the draft. The session then contains the result. */
export async function sendDraft(client: Client): Promise<void> {
  const session = sessionNow()
  if (!session || session.outcome?.phase === 'sending') return
  const { key, content, timeout } = session
  const sending = crypto.randomUUID()
  changeSession(key, { outcome: { phase: 'sending', key: sending, since: Date.now() } })
  withdrawQuestion()
  try {
    // Attempts without a delivery are stored under their draft, so save it first.
    await flush(client)
    const id =
      content.origin.kind === 'delivery' ? (sessionNow()?.id ?? null) : await ensureSaved(client)
    const attempt = await client.call('compose.send', {
      ...(id === null ? {} : { id }),
      content,
      timeout,
      key: sending,
    })
    changeSession(key, { outcome: { phase: 'done', attempt } })
  } catch (error) {
    const origin = unconfirmedOrigin(error)
    changeSession(key, { outcome: origin === null ? refused(error) : null })
    if (origin !== null && sessionNow()?.key === key) void sendConfirmed(client, key, origin)
  }
  if (sessionNow()?.key !== key) return
  // The counter increased, and the target may be confirmed now.
  refreshPreview(client, key)
  if (content.placeholders) await readCounter(client)
}

async function readCounter(client: Client): Promise<void> {
  const { key, id } = sessionNow() ?? {}
  if (key === undefined || id === undefined || id === null) return
  try {
    const { counter } = await client.call('compose.get', { id })
    changeSession(key, { counter })
  } catch {
    // Display only; the engine keeps the counter.
  }
}

async function sendConfirmed(client: Client, key: number, origin: string): Promise<void> {
  try {
    const confirmed = await confirmTarget(client, origin)
    if (confirmed && sessionNow()?.key === key) await sendDraft(client)
  } catch (error) {
    changeSession(key, { outcome: refused(error) })
  }
}

function refused(error: unknown): Outcome {
  return { phase: 'refused', message: messageOf(error) }
}

function cancelSending(client: Client): void {
  const outcome = sessionNow()?.outcome
  if (outcome?.phase === 'sending') void client.call('attempts.cancel', { key: outcome.key })
}
