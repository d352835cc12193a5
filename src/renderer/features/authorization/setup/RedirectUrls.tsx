import { Icons } from '../../../ui/icons.tsx'
import { useId, useState } from 'react'
import type { Integration, PreflightCheck } from '#contract/integrations.ts'
import { Row, Stack, Text } from '../../../ui/Layout.tsx'
import '../../../ui/HeaderRows.css'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { ErrorText } from '../../../ui/Failure.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import * as checks from '../../../platform/field-checks.ts'

interface Props {
  readonly integration: Integration
  readonly checks: readonly PreflightCheck[]
  /** Reports the URL being edited, for the preflight; null when editing ends. */
  readonly onDraft: (text: string | null) => void
}

const maximum = 50

/** The redirect URLs as listed on the dashboard, and the one that authorizations use. */
export function RedirectUrls({ integration, checks: found, onDraft }: Props) {
  const client = useClient()
  const group = useId()
  const { id, redirectUrls, redirectUrl } = integration
  const isSandbox = integration.kind === 'sandbox'
  /** The index of the row being edited; `redirectUrls.length` for a new one. */
  const [editing, setEditing] = useState<number | null>(
    redirectUrls.length === 0 && !isSandbox ? 0 : null,
  )
  const [pending, setPending] = useState<string | null>(null)
  const selected = pending ?? redirectUrl
  const update = useAction(
    async (change: { redirectUrls?: string[]; redirectUrl?: string }): Promise<void> => {
      // Shown immediately, before the store confirms it: the click is visible in the same frame.
      setPending(change.redirectUrl ?? null)
      try {
        await client.call('integrations.update', { id, ...change })
        finish()
      } finally {
        setPending(null)
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
      others={redirectUrls.filter((_, index) => index !== at)}
      storeError={update.message}
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
        {isSandbox && redirectUrls.length === 0
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
            data-selected={url === selected || undefined}
          >
            <Row as="label" grow align="center" gap={4} shrink>
              <input
                type="radio"
                name={group}
                checked={url === selected}
                onChange={() => update.start({ redirectUrl: url })}
              />
              <Stack as="span" shrink>
                <Text as="code" mono anywhere shrink>
                  <Shown text={url} />
                </Text>
                {found.some(
                  ({ code, redirectUrl }) => code === 'redirect_url.tunnel' && redirectUrl === url,
                ) && (
                  <Row as="span" align="center" gap={2} tone="warning" size="xs">
                    <Icons.TriangleAlert /> Redirects do not work through a tunnel
                  </Row>
                )}
              </Stack>
            </Row>
            <CopyButton text={url} label={`Copy ${truncate(url, 60)}`} />
            <IconButton label={`Edit ${truncate(url, 60)}`} onClick={() => setEditing(at)}>
              <Icons.Pencil />
            </IconButton>
            <IconButton
              label={`Remove ${truncate(url, 60)}`}
              onClick={() => update.start({ redirectUrls: redirectUrls.toSpliced(at, 1) })}
            >
              <Icons.Trash2 />
            </IconButton>
          </Row>
        ),
      )}
      {editing === redirectUrls.length
        ? editor(redirectUrls.length)
        : redirectUrls.length < maximum && (
            <Button kind="quiet" icon={Icons.Plus} onClick={() => setEditing(redirectUrls.length)}>
              Add redirect URL
            </Button>
          )}
      {editing === null && <ErrorText error={update.error} />}
    </Stack>
  )
}

interface EditorProps {
  readonly stored: string
  readonly others: readonly string[]
  readonly storeError: string | null
  readonly busy: boolean
  readonly onDraft: (text: string | null) => void
  readonly onStore: (text: string) => void
  readonly onCancel: () => void
}

function UrlEditor({ stored, others, storeError, busy, onDraft, onStore, onCancel }: EditorProps) {
  const [text, setText] = useState(stored)
  const [submitted, setSubmitted] = useState(false)
  const id = useId()
  const problem =
    text === ''
      ? 'Enter an address.'
      : others.includes(text)
        ? 'This address is already listed.'
        : checks.atMost(text, 2000)
  const error = (submitted ? problem : null) ?? storeError

  function store(): void {
    setSubmitted(true)
    if (problem === null) onStore(text)
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
      <ErrorText error={error} id={id} />
    </Row>
  )
}
