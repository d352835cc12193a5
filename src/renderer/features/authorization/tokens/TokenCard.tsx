import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { stateAt } from './lifetime.ts'
import { LifetimeBar } from './LifetimeBar.tsx'
import { TokenStateMark } from './StateIcon.tsx'
import { TokenActions } from './TokenActions.tsx'
import { TokenFindings, TokenStory } from './TokenStory.tsx'
import { tokenStateLabel } from './labels.ts'
import { EndsIn, SecretValue } from '../../../components/SecretValue.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText, copyUnseen } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useReveal } from '../../../platform/use-reveal.ts'
import { say } from '../../shell/toasts.ts'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'

interface Props {
  readonly token: TokenView
  readonly rule: RefreshRule
  readonly now: number
  /** Whether its life story is unfolded from the start. */
  readonly lively: boolean
}

/** One token: whose it is, what it is good for, and what became of it. Never the token itself, but on a click. */
export function TokenCard({ token, rule, now, lively }: Props) {
  const state = stateAt(token, now)
  const { meaning, section, tone } = tokenStateLabel(state)
  const name = token.label === '' ? `Token …${token.ending ?? token.id}` : cut(token.label, 80)
  const gone = state === 'forgotten' || state === 'unavailable'
  return (
    <li
      className="panel token"
      id={`token-${token.id}`}
      data-testid="token-card"
      data-state={state}
      aria-label={name}
    >
      <header className="token-head">
        <TokenLabel token={token} />
        <span className="mono token-ending">
          {token.ending === null ? '' : <>…{<Shown text={token.ending} />}</>}
        </span>
        <TokenStateMark state={state} />
      </header>
      <LifetimeBar token={token} now={now} state={state} />
      {meaning !== null && (
        <Note tone={tone === 'valid' ? 'info' : tone}>
          {meaning} <Section name={section} />
        </Note>
      )}
      {!gone && (
        <div className="token-values">
          <TokenValue token={token} which="access" />
          {token.hasRefreshToken ? (
            <TokenValue token={token} which="refresh" />
          ) : (
            <p className="token-value">
              <span className="token-value-name">Refresh token</span>
              <span className="dim">none came, so it cannot be refreshed</span>
            </p>
          )}
        </div>
      )}
      <TokenFindings findings={token.findings} />
      <TokenActions token={token} rule={rule} state={state} name={name} />
      <TokenStory events={token.events} open={lively} />
    </li>
  )
}

/** The section of the service's document that says so. */
function Section({ name }: { readonly name: string | null }) {
  return name === null ? null : <span className="token-section">Document, “{name}”</span>
}

interface TokenValueProps {
  readonly token: TokenView
  readonly which: 'access' | 'refresh'
}

/** A value of a token: hidden until asked for, and hidden again soon. */
function TokenValue({ token, which }: TokenValueProps) {
  const client = useClient()
  const reveal = useReveal(async () => {
    const { value } = await client.call('tokens.reveal', { id: token.id, which })
    return value
  })
  const name = which === 'access' ? 'Access token' : 'Refresh token'
  const copy = useAction(async () => {
    const of = { id: token.id, which }
    const { copied } = await client.call('tokens.copy', of)
    if (!copied) await copyUnseen(async () => (await client.call('tokens.reveal', of)).value)
    say('valid', `${name} copied. Whatever reads the clipboard can use it.`)
  })
  const failure = reveal.error ?? (copy.error === null ? null : sentence(copy.error))
  return (
    <div className="token-value" onBlur={reveal.leave}>
      <span className="token-value-name">{name}</span>
      <SecretValue
        name={name}
        secret={reveal.secret}
        hidden={<EndsIn ending={which === 'access' ? token.ending : null} />}
        readable
        busy={reveal.busy}
        onReveal={() => reveal.show()}
        onHide={reveal.hide}
        copy={copyText}
        onCopyHidden={() => copy.start()}
      />
      {failure !== null && (
        <span className="field-error" role="alert">
          {failure}
        </span>
      )}
    </div>
  )
}

/** Whose token it is, in the user's words: a click turns it into a field. Enter keeps, Escape takes back. */
function TokenLabel({ token }: { readonly token: TokenView }) {
  const client = useClient()
  const [draft, setDraft] = useState<string | null>(null)
  const store = useAction(async (label: string) => {
    await client.call('tokens.label', { id: token.id, label })
    setDraft(null)
  })
  if (draft === null) {
    return (
      <h2 className="token-label">
        <button
          type="button"
          className="token-label-edit"
          title="Change the label"
          onClick={() => setDraft(token.label)}
        >
          {token.label === '' ? (
            <em>No label</em>
          ) : (
            <span>
              <Shown text={token.label} />
            </span>
          )}
          <Pencil aria-hidden />
          <span className="visually-hidden">, change the label</span>
        </button>
        {token.label !== '' && <CopyButton text={token.label} label="Copy label" copy={copyText} />}
      </h2>
    )
  }
  return (
    <form
      className="token-label"
      onSubmit={(event) => {
        event.preventDefault()
        store.start(draft.trim())
      }}
    >
      <input
        className="input"
        aria-label="Label of the token"
        placeholder="Whose token it is"
        maxLength={80}
        // The click asked for it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
        }}
      />
      <Button type="submit" busy={store.busy}>
        Keep
      </Button>
      {store.error !== null && (
        <span className="field-error" role="alert">
          {sentence(store.error)}
        </span>
      )}
    </form>
  )
}
