import type { RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { ErrorText, Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { stateAt } from './lifetime.ts'
import { LifetimeText } from './LifetimeText.tsx'
import { TokenActions } from './TokenActions.tsx'
import { TokenFindings, TokenHistory } from './TokenHistory.tsx'
import { tokenStates, TokenStateMark } from './labels.tsx'
import { EndsIn, SecretValue } from '../../../ui/SecretValue.tsx'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useReveal } from '../../../platform/use-reveal.ts'
import { toast } from '../../../platform/toasts.ts'
import { Icons } from '../../../ui/icons.tsx'
import { useState } from 'react'
import { Button, CopyButton } from '../../../ui/Button.tsx'

interface Props {
  readonly token: TokenView
  readonly rule: RefreshRule
  readonly now: number
  /** Whether its history is expanded at first. */
  readonly historyOpen: boolean
}

/** One token: its label, state, lifetime, actions and history. The token itself is shown only on a click. */
export function TokenCard({ token, rule, now, historyOpen }: Props) {
  const state = stateAt(token, now)
  const { meaning, section, tone } = tokenStates[state]
  const name = token.label === '' ? `Token …${token.ending ?? token.id}` : truncate(token.label, 80)
  const unreadable = state === 'forgotten' || state === 'unavailable'
  return (
    <Grid
      as="li"
      columns="1"
      gap={5}
      pad={6}
      frame
      className="token"
      id={`token-${token.id}`}
      data-testid="token-card"
      data-state={state}
      aria-label={name}
    >
      <Row as="header" collapse align="center" gap={2} gapX={5}>
        <TokenLabel token={token} />
        <Text fixed tone="mid" mono className="token-ending">
          {token.ending === null ? '' : <>…{<Shown text={token.ending} />}</>}
        </Text>
        <TokenStateMark state={state} />
      </Row>
      <LifetimeText token={token} now={now} state={state} />
      {meaning !== null && (
        <Note tone={tone === 'valid' ? 'info' : tone}>
          {meaning} <Section name={section} />
        </Note>
      )}
      {!unreadable && (
        <Stack gap={1}>
          <TokenValue token={token} which="access" />
          {token.hasRefreshToken ? (
            <TokenValue token={token} which="refresh" />
          ) : (
            <Row as="p" align="center" gap={3} className="token-value">
              <Text tone="mid" className="token-value-name">
                Refresh token
              </Text>
              <span className="dim">none received, so it cannot be refreshed</span>
            </Row>
          )}
        </Stack>
      )}
      <TokenFindings findings={token.findings} />
      <TokenActions token={token} rule={rule} state={state} name={name} />
      <TokenHistory events={token.events} open={historyOpen} />
    </Grid>
  )
}

function Section({ name }: { readonly name: string | null }) {
  return name === null ? null : (
    <Text tone="mid" nowrap>
      API documentation, “{name}”
    </Text>
  )
}

interface TokenValueProps {
  readonly token: TokenView
  readonly which: 'access' | 'refresh'
}

/** An access or refresh token. It is hidden until revealed, and hidden again after a short time. */
function TokenValue({ token, which }: TokenValueProps) {
  const client = useClient()
  const reveal = useReveal(async () => {
    const { value } = await client.call('tokens.reveal', { id: token.id, which })
    return value
  })
  const name = which === 'access' ? 'Access token' : 'Refresh token'
  const copy = useAction(async () => {
    const input = { id: token.id, which }
    const { copied } = await client.call('tokens.copy', input)
    if (!copied) {
      // Neither shown nor stored on the page.
      const { value } = await client.call('tokens.reveal', input)
      await copyText(value, 'Reveal the token, then copy it.')
    }
    toast('valid', `${name} copied. Any app that reads the clipboard can use it.`)
  })
  const failure = reveal.error ?? copy.message
  return (
    <Row wrap align="center" gap={1} gapX={3} className="token-value" onBlur={reveal.hideOnBlur}>
      <Text tone="mid" className="token-value-name">
        {name}
      </Text>
      <SecretValue
        name={name}
        reveal={reveal}
        hidden={<EndsIn ending={which === 'access' ? token.ending : null} />}
        readable
        onCopyHidden={() => copy.start()}
      />
      <ErrorText as="span" error={failure} />
    </Row>
  )
}

/** The user's label for a token. A click turns it into a field. Enter saves, Escape cancels. */
function TokenLabel({ token }: { readonly token: TokenView }) {
  const client = useClient()
  const [draft, setDraft] = useState<string | null>(null)
  const store = useAction(async (label: string) => {
    await client.call('tokens.label', { id: token.id, label })
    setDraft(null)
  })
  if (draft === null) {
    return (
      <Row as="h2" grow align="center" gap={2} shrink className="token-label">
        <button
          type="button"
          className="row-inline gap-3 align-center shrink anywhere size-l weight-bold token-label-edit"
          title="Edit label"
          onClick={() => setDraft(token.label)}
        >
          {token.label === '' ? (
            <Text as="em" tone="dim" weight="medium">
              No label
            </Text>
          ) : (
            <span>
              <Shown text={token.label} />
            </span>
          )}
          <Icons.Pencil />
          <span className="visually-hidden">, edit label</span>
        </button>
        {token.label !== '' && <CopyButton text={token.label} label="Copy label" />}
      </Row>
    )
  }
  return (
    <Row
      as="form"
      grow
      align="center"
      gap={2}
      shrink
      className="token-label"
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
    </Row>
  )
}
