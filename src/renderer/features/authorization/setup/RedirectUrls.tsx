import { Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Integration, PreflightCheck } from '#contract/integrations.ts'
import { Row, Stack, Text } from '../../../ui/Layout.tsx'
import '../../../ui/HeaderRows.css'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import * as checks from '../../../platform/field-checks.ts'

interface Props {
  readonly integration: Integration
  /** What the preflight found. */
  readonly checks: readonly PreflightCheck[]
  /** What is being written, for the preflight; null: nothing. */
  readonly onDraft: (text: string | null) => void
}

const most = 50

/** The redirect URLs as the dashboard lists them, and which of them a flow uses. */
export function RedirectUrls({ integration, checks: found, onDraft }: Props) {
  const client = useClient()
  const group = useId()
  const { id, redirectUrls, redirectUrl } = integration
  const own = integration.kind === 'sandbox'
  /** Which row is being written: its place, or one behind the last for a new one. */
  const [editing, setEditing] = useState<number | null>(
    redirectUrls.length === 0 && !own ? 0 : null,
  )
  const [wish, setWish] = useState<string | null>(null)
  const chosen = wish ?? redirectUrl
  const update = useAction(
    async (change: { redirectUrls?: string[]; redirectUrl?: string }): Promise<void> => {
      // At once, until the store says so: a click is seen in the same frame.
      setWish(change.redirectUrl ?? null)
      try {
        await client.call('integrations.update', { id, ...change })
        finish()
      } finally {
        setWish(null)
      }
    },
  )

  function finish(): void {
    setEditing(null)
    onDraft(null)
  }

  function store(at: number, text: string): void {
    const used = redirectUrls[at] === redirectUrl || redirectUrls.length === 0
    update.start({
      redirectUrls:
        at === redirectUrls.length ? [...redirectUrls, text] : redirectUrls.with(at, text),
      ...(used ? { redirectUrl: text } : {}),
    })
  }

  const editor = (at: number) => (
    <UrlEditor
      key={at}
      stored={redirectUrls[at] ?? ''}
      others={redirectUrls.filter((_, place) => place !== at)}
      refused={update.error === null ? null : sentence(update.error)}
      busy={update.busy}
      onDraft={onDraft}
      onStore={(text) => store(at, text)}
      onCancel={finish}
    />
  )

  return (
    <Stack as="fieldset" gap={3} className="header-rows">
      <legend>Redirect URLs</legend>
      <p className="field-hint">
        {own && redirectUrls.length === 0
          ? 'Filled in when the sandbox starts.'
          : 'Exactly as listed on the dashboard. The service redirects the user to the selected one.'}
      </p>
      {redirectUrls.map((url, at) =>
        editing === at ? (
          editor(at)
        ) : (
          <Row
            align="center"
            className="redirect"
            key={url}
            data-chosen={url === chosen || undefined}
          >
            <Row as="label" grow align="center" gap={4} shrink>
              <input
                type="radio"
                name={group}
                checked={url === chosen}
                onChange={() => update.start({ redirectUrl: url })}
              />
              <Stack as="span" shrink>
                <Text as="code" mono anywhere shrink>
                  <Shown text={url} />
                </Text>
                {found.some(
                  ({ code, redirectUrl }) => code === 'redirect_url.tunnel' && redirectUrl === url,
                ) && (
                  <Row as="span" align="center" gap={2} tone="missing" size="xs">
                    <TriangleAlert aria-hidden /> Redirects do not work through a tunnel
                  </Row>
                )}
              </Stack>
            </Row>
            <CopyButton text={url} label={`Copy ${cut(url, 60)}`} copy={copyText} />
            <IconButton label={`Edit ${cut(url, 60)}`} onClick={() => setEditing(at)}>
              <Pencil aria-hidden />
            </IconButton>
            <IconButton
              label={`Remove ${cut(url, 60)}`}
              onClick={() => update.start({ redirectUrls: redirectUrls.toSpliced(at, 1) })}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </Row>
        ),
      )}
      {editing === redirectUrls.length
        ? editor(redirectUrls.length)
        : redirectUrls.length < most && (
            <Button
              kind="quiet"
              icon={<Plus aria-hidden />}
              onClick={() => setEditing(redirectUrls.length)}
            >
              Add redirect URL
            </Button>
          )}
      {editing === null && update.error !== null && (
        <p className="field-error" role="alert">
          {sentence(update.error)}
        </p>
      )}
    </Stack>
  )
}

interface EditorProps {
  readonly stored: string
  readonly others: readonly string[]
  readonly refused: string | null
  readonly busy: boolean
  readonly onDraft: (text: string | null) => void
  readonly onStore: (text: string) => void
  readonly onCancel: () => void
}

function UrlEditor({ stored, others, refused, busy, onDraft, onStore, onCancel }: EditorProps) {
  const [text, setText] = useState(stored)
  const [tried, setTried] = useState(false)
  const id = useId()
  const wrong =
    text === ''
      ? 'Enter an address.'
      : others.includes(text)
        ? 'This address is already listed.'
        : checks.atMost(text, 2000)
  const error = (tried ? wrong : null) ?? refused

  function store(): void {
    setTried(true)
    if (wrong === null) onStore(text)
  }

  return (
    <Row wrap align="center" gap={3} className="redirect-edit">
      <input
        className="input mono"
        aria-label="Redirect URL"
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : id}
        placeholder="http://127.0.0.1:4781/callback"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onDraft(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') store()
          if (event.key === 'Escape') onCancel()
        }}
      />
      <Button busy={busy} onClick={store}>
        {stored === '' ? 'Add' : 'Save'}
      </Button>
      {(stored !== '' || others.length > 0) && (
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {error !== null && (
        <p className="field-error" id={id} role="alert">
          {error}
        </p>
      )}
    </Row>
  )
}
