import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { ErrorText, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { stateAt, LifetimeText } from './lifetime.tsx'
import { TokenActions } from './TokenActions.tsx'
import { Findings } from '#parts/Findings.tsx'
import { TokenHistory } from './TokenHistory.tsx'
import { tokenStates, TokenStateMark } from './labels.tsx'
import { SecretLine } from '#kit/SecretLine.tsx'
import { copyText } from '#kit/clipboard.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { toast } from '#kit/toasts.ts'
import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import { Button, CopyButton } from '#kit/Button.tsx'

interface Props {
  token: TokenView
  rule: RefreshRule
  now: number
  /** Whether its history is expanded at first. */
  historyOpen: boolean
}

/** One token: its label, state, lifetime, actions and history. The token itself is shown only on a click. */
export function TokenCard({ token, rule, now, historyOpen }: Props) {
  const state = stateAt(token, now)
  const { meaning, section, tone } = tokenStates[state]
  const name = token.label === '' ? `Token …${token.ending ?? token.id}` : truncate(token.label, 80)
  const unreadable = state === 'forgotten' || state === 'unavailable'
  return (
    <li
      className="framed token grid scroll-mt-6 grid-cols-1 gap-5 p-6 data-[state=expired]:bg-transparent data-[state=forgotten]:bg-transparent"
      id={`token-${token.id}`}
      data-testid="token-card"
      data-state={state}
      aria-label={name}
    >
      <header className="flex items-center gap-2 gap-x-5 below-480:flex-wrap">
        <TokenLabel token={token} />
        <span className="mono flex-none text-mid">
          {token.ending === null ? '' : <>…{<Shown text={token.ending} />}</>}
        </span>
        <TokenStateMark state={state} />
      </header>
      <LifetimeText token={token} now={now} state={state} />
      {meaning !== null && (
        <Note tone={tone === 'valid' ? 'info' : tone}>
          {meaning}{' '}
          {section !== null && (
            <span className="whitespace-nowrap text-mid">API documentation, “{section}”</span>
          )}
        </Note>
      )}
      {!unreadable && (
        <div className="grid gap-1">
          <TokenValue token={token} which="access" />
          <TokenValue token={token} which="refresh" />
        </div>
      )}
      <Findings findings={token.findings} />
      <TokenActions token={token} rule={rule} state={state} name={name} />
      <TokenHistory events={token.events} open={historyOpen} />
    </li>
  )
}

/** An access or refresh token. */
function TokenValue(props: { token: TokenView; which: 'access' | 'refresh' }) {
  const { token, which } = props
  const client = useClient()
  const name = which === 'access' ? 'Access token' : 'Refresh token'
  const input = { id: token.id, which }
  const load = async (): Promise<string> => (await client.call('tokens.reveal', input)).value
  return (
    <SecretLine
      name={name}
      labelled
      ending={which === 'access' ? token.ending : null}
      obstacle={
        which === 'refresh' && !token.hasRefreshToken
          ? 'none received, so it cannot be refreshed'
          : undefined
      }
      load={load}
      copyHidden={async () => {
        const { copied } = await client.call('tokens.copy', input)
        if (!copied) await copyText(await load(), 'Reveal the token, then copy it.')
        toast('valid', `${name} copied. Any app that reads the clipboard can use it.`)
      }}
    />
  )
}

function TokenLabel({ token }: { token: TokenView }) {
  const client = useClient()
  const [draft, setDraft] = useState<string | null>(null)
  const store = useAction(async (label: string) => {
    await client.call('tokens.label', { id: token.id, label })
    setDraft(null)
  })
  if (draft === null) {
    return (
      <h2 className="flex min-h-0 min-w-0 flex-1 items-center gap-2 [&_.input]:flex-[0_1_var(--measure-menu)]">
        <button
          type="button"
          className="my-[-2px] mr-0 -ml-3 inline-flex min-w-0 items-center gap-3 rounded-sm px-3 py-1 text-l font-bold wrap-anywhere icon-xs hover:bg-sunken [&_svg]:text-dim"
          title="Edit label"
          onClick={() => setDraft(token.label)}
        >
          {token.label === '' ? (
            <em className="font-medium text-dim">No label</em>
          ) : (
            <span>
              <Shown text={token.label} />
            </span>
          )}
          <Icons.Pencil />
          <span className="visually-hidden">, edit label</span>
        </button>
        {token.label !== '' && <CopyButton text={token.label} label="Copy label" />}
      </h2>
    )
  }
  return (
    <form
      className="flex min-h-0 min-w-0 flex-1 items-center gap-2 [&_.input]:flex-[0_1_var(--measure-menu)]"
      onSubmit={(event) => {
        event.preventDefault()
        store.start(draft.trim())
      }}
    >
      <input
        className="input"
        aria-label="Token label"
        placeholder="For example, the user’s name"
        maxLength={80}
        // The click on the label opened the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
        }}
      />
      <Button type="submit" busy={store.busy}>
        Save
      </Button>
      <ErrorText as="span" error={store.error} />
    </form>
  )
}
