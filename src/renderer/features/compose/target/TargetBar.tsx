import {
  CircleHelp,
  CornerDownLeft,
  Globe,
  House,
  Laptop,
  type LucideIcon,
  Network,
  Send,
  ShieldCheck,
  ShieldOff,
  Square,
} from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { MethodField } from '../../../components/MethodField.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { endpointUrl, useEndpoints } from '../../endpoints/store.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { modKey } from '../../shell/keys.ts'
import { edit } from '../edit.ts'
import { cancelSending, sendDraft } from '../send.ts'
import { changeSession, type Session, sessionNow, useCompose } from '../store.ts'
import './Target.css'
import type { Place, Target } from '#contract/sending.ts'
import { StateMark } from '../../../components/StateMark.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useCombobox } from '../../../components/use-combobox.ts'
import { useAnswering } from '../../answering/store.ts'
import { useShell } from '../../shell/store.ts'
import { fitting, type KnownAddress, knownAddresses } from './addresses.ts'
import '../../../components/Options.css'

interface AddressFieldProps {
  readonly url: string
  readonly endpointId: number | null
  /** Why it cannot be sent to; null: nothing is known against it. */
  readonly error: string | null
  readonly onChange: (url: string) => void
}

/** Where it goes: written, or chosen among the addresses that are known. */
function AddressField({ url, endpointId, error, onChange }: AddressFieldProps) {
  const known = useKnown(endpointId)
  const options = fitting(known, url)
  const box = useCombobox({
    count: options.length,
    completes: false,
    onAccept: (index) => {
      const option = options[index]
      if (option) onChange(option.url)
      box.close()
    },
  })
  return (
    <div className="compose-address">
      <input
        {...box.field}
        className="mono"
        aria-label="Address"
        placeholder="https://…"
        value={url}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        data-address
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : 'compose-problems'}
        onChange={(event) => {
          onChange(event.target.value)
          box.open()
        }}
        onClick={() => box.open()}
        onBlur={() => box.close()}
        onKeyDown={(event: KeyboardEvent) => {
          // With Ctrl it sends, from here as from everywhere.
          if (!event.ctrlKey && !event.metaKey) box.onKeyDown(event)
          // Even where there is nothing to choose from now: there may be in a moment.
          if (event.key === 'Escape') box.close()
        }}
      />
      {box.shown && (
        <ul {...box.list} className="options compose-addresses" aria-label="Known addresses">
          {options.map(({ url: address, from }, index) => (
            // The field handles the keys, as a combobox does.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li key={address} {...box.option(index)} className="option">
              <span className="mono cut">{visible(cut(address, 300))}</span>
              <span className="dim compose-address-from">{visible(cut(from, 60))}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function useKnown(endpointId: number | null): readonly KnownAddress[] {
  const listener = useShell((state) => state.listener)
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useAnswering((state) => state.forwards)
  const drafts = useCompose((state) => state.drafts)
  const own = useCompose((state) => state.session?.id)
  const { state } = useQuery('targets.list', {})
  const targets = state.phase === 'ready' ? state.value : none
  return useMemo(
    () =>
      knownAddresses({
        endpoints,
        urlOf: (endpoint) => endpointUrl(listener, endpoint),
        forwards,
        drafts: (drafts ?? []).filter(({ id }) => id !== own),
        targets,
        endpointId,
      }),
    [listener, endpoints, forwards, drafts, own, targets, endpointId],
  )
}

const none: readonly never[] = []

const faces = {
  own: { icon: House, tone: 'info', word: 'Our own listener' },
  loopback: { icon: Laptop, tone: 'valid', word: 'This machine' },
  private: { icon: Network, tone: 'valid', word: 'Private network' },
  public: { icon: Globe, tone: 'missing', word: 'Public' },
  unresolved: { icon: CircleHelp, tone: 'invalid', word: 'Does not resolve' },
} as const satisfies Record<
  Place,
  {
    icon: LucideIcon
    tone: 'info' | 'valid' | 'missing' | 'invalid'
    word: string
  }
>

const hints = {
  own: 'It arrives as another delivery, and is not forwarded in a circle.',
  loopback: 'It stays on this machine.',
  private: 'All the addresses of the name are private ones.',
  public: 'It leaves your network. Asked about once.',
  unresolved: 'The name has no address now. Is it written right, and is the network there?',
} as const satisfies Record<Place, string>

/** Where a target is, as icon and words. */
function PlaceMark({ target }: { readonly target: Target }) {
  const { icon, tone, word } = faces[target.place]
  const said =
    target.place === 'public' ? `${word}, ${target.confirmed ? 'confirmed' : 'asked once'}` : word
  return (
    <span className="compose-place" title={hints[target.place]} data-testid="place">
      <StateMark tone={tone} icon={icon} word={said} />
    </span>
  )
}

const choices = [
  [1000, '1 s'],
  [5000, '5 s'],
  [10_000, '10 s'],
  [30_000, '30 s'],
  [120_000, '2 min'],
  [600_000, '10 min'],
] as const

/** How long an answer is waited for. */
function TimeLimit({ session }: { readonly session: Session }) {
  const id = useId()
  return (
    <span className="compose-as">
      <label htmlFor={id}>Time limit</label>
      <span className="field">
        <select
          id={id}
          title="From the name being looked up to the last byte"
          value={session.timeout}
          onChange={(event) => changeSession(session.key, { timeout: Number(event.target.value) })}
        >
          {choices.map(([ms, words]) => (
            <option key={ms} value={ms}>
              {words}
            </option>
          ))}
        </select>
      </span>
    </span>
  )
}

/** Method, address, as whom, and the button that sends. */
export function TargetBar({ session }: { readonly session: Session }) {
  const client = useClient()
  const { content, target, preview, outcome } = session
  const problems = (preview?.problems ?? []).filter(
    ({ field }) => field === 'url' || field === 'method',
  )
  const urlProblem = problems.find(({ field }) => field === 'url') ?? null
  const sending = outcome?.phase === 'sending'
  const send = (): void => void sendDraft(client)
  useKeys({
    'compose-send': send,
    'compose-address': () => document.querySelector<HTMLElement>('[data-address]')?.focus(),
  })
  return (
    <div className="compose-target">
      <form
        className="compose-line"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <MethodField
          method={content.method}
          usual="POST"
          onChange={(method) => edit(client, { method })}
        />
        <AddressField
          url={content.url}
          endpointId={content.endpointId}
          error={urlProblem?.message ?? null}
          onChange={(url) => edit(client, { url })}
        />
        {sending ? (
          <Button
            className="compose-send"
            icon={<Square aria-hidden />}
            onClick={() => cancelSending(client)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            kind="primary"
            type="submit"
            className="compose-send"
            icon={<Send aria-hidden />}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title={`${modKey} Enter sends from everywhere on this page`}
          >
            Send
            <kbd aria-hidden>
              {modKey}
              <CornerDownLeft />
            </kbd>
          </Button>
        )}
      </form>
      <div className="compose-facts">
        <AsEndpoint session={session} />
        {target !== null && <PlaceMark target={target} />}
        {target !== null && <TlsChoice target={target} />}
        <span className="compose-gap" />
        <TimeLimit session={session} />
      </div>
      <ul className="compose-problems" id="compose-problems" aria-label="What is wrong with it">
        {problems.map(({ code, message }) => (
          <li key={code} data-tone="invalid">
            <Shown text={message} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** As which endpoint: its brand, secrets and application id. */
function AsEndpoint({ session }: { readonly session: Session }) {
  const client = useClient()
  const id = useId()
  const endpoints = useEndpoints((state) => state.endpoints)
  const { endpointId, sign } = session.content
  return (
    <span className="compose-as">
      <label htmlFor={id}>As</label>
      <span className="field">
        <select
          id={id}
          title="Whose brand, secrets and application id it goes out with"
          value={endpointId ?? ''}
          onChange={(event) => {
            const next = event.target.value === '' ? null : Number(event.target.value)
            // A secret of the endpoint of before would quietly go on signing.
            const signed = sign.how === 'secret' || sign.how === 'broken'
            edit(client, {
              endpointId: next,
              ...(signed && next !== null ? { sign: { ...sign, endpointId: next } } : {}),
            })
          }}
        >
          {endpoints.map((endpoint) => (
            <option key={endpoint.id} value={endpoint.id}>
              {visible(cut(endpoint.name, 60))}
            </option>
          ))}
          <option value="">no endpoint</option>
        </select>
      </span>
    </span>
  )
}

/** Whether the certificate of a target is looked at. That it is not is a choice, asked about, and loud. */
function TlsChoice({ target }: { readonly target: Target }) {
  const client = useClient()
  const [asking, setAsking] = useState(false)
  const set = useAction(async (verifyTls: boolean) => {
    const key = sessionNow()?.key
    const changed = await client.call('targets.set', { url: target.origin, verifyTls })
    if (key !== undefined) changeSession(key, { target: changed })
    setAsking(false)
  })
  if (!target.origin.startsWith('https:')) return null
  const there = visible(target.origin)
  return (
    <span className="compose-tls" data-off={!target.verifyTls || undefined}>
      {target.verifyTls ? (
        <StateMark tone="valid" icon={ShieldCheck} word="TLS verified" />
      ) : (
        <StateMark tone="invalid" icon={ShieldOff} word="TLS verify: off" />
      )}
      {target.verifyTls ? (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          Turn off…
        </Button>
      ) : (
        <Button busy={set.busy} onClick={() => set.start(true)}>
          Verify again
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Take any certificate from ${there}?`}
        description="Whoever stands between can then read what is sent and answer in its place. It holds for this target alone, until you turn it on again."
        action="Do not verify"
        busy={set.busy}
        error={set.error === null ? null : sentence(set.error)}
        onConfirm={() => set.start(false)}
      />
    </span>
  )
}
