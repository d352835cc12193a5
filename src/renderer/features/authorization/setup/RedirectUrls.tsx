import { Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Integration, PreflightCheck } from '#contract/integrations.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import * as checks from '../../settings/checks.ts'

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
    <fieldset className="redirects">
      <legend>Redirect URLs</legend>
      <p className="field-hint">
        {own && redirectUrls.length === 0
          ? 'Filled in when the sandbox starts.'
          : 'As the dashboard lists them, to the byte. The chosen one is where the user comes back.'}
      </p>
      {redirectUrls.map((url, at) =>
        editing === at ? (
          editor(at)
        ) : (
          <div className="redirect" key={url} data-chosen={url === chosen || undefined}>
            <label>
              <input
                type="radio"
                name={group}
                checked={url === chosen}
                onChange={() => update.start({ redirectUrl: url })}
              />
              <span className="redirect-text">
                <code className="mono">
                  <Shown text={url} />
                </code>
                {found.some(
                  ({ code, redirectUrl }) => code === 'redirect_url.tunnel' && redirectUrl === url,
                ) && (
                  <span className="redirect-note">
                    <TriangleAlert aria-hidden /> No redirect comes through a tunnel
                  </span>
                )}
              </span>
            </label>
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
          </div>
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
    </fieldset>
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
        ? 'This address is listed already.'
        : checks.atMost(text, 2000)
  const error = (tried ? wrong : null) ?? refused

  function store(): void {
    setTried(true)
    if (wrong === null) onStore(text)
  }

  return (
    <div className="redirect-edit">
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
    </div>
  )
}
