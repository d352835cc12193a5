import { Icons } from '#kit/icons.tsx'
import { useId } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { MethodField } from '#kit/MethodField.tsx'
import { SendButton } from '#kit/Sending.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { type Target, isWhole, prefixOf } from '#client/addresses/console.ts'
import { type Draft, withQueryRows } from './draft.ts'
import { editDraft } from './store.ts'

interface Props {
  integration: Integration
  draft: Draft
  target: Target
  error: string | null
  sending: boolean
  onSend: () => void
  onCancel: () => void
}

export function RequestLine(props: Props) {
  const { integration, draft, target, error, sending, onSend, onCancel } = props
  const id = useId()
  const absolute = isWhole(draft.path)
  const foreign = target.ok && target.foreign
  const hasMessage = error !== null || foreign
  return (
    <div>
      <form
        className="flex gap-4 below-620:flex-wrap below-620:[&>.input-frame]:basis-(--measure-field)"
        onSubmit={(event) => {
          event.preventDefault()
          onSend()
        }}
      >
        <MethodField
          method={draft.method}
          onChange={(method) => editDraft(integration.id, { method })}
        />
        <div className="input-frame" data-large>
          {!absolute && (
            <span
              className="mono -mr-3 flex max-w-1/2 items-center text-dim"
              title="The base URL of the integration"
            >
              <bdi className="cut">{escapeControls(prefixOf(integration.baseUrl, draft.path))}</bdi>
            </span>
          )}
          <input
            className="mono"
            aria-label="Path or full address"
            placeholder="path"
            value={draft.path}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            data-path
            aria-invalid={error === null ? undefined : true}
            aria-describedby={hasMessage ? id : undefined}
            onChange={(event) => editDraft(integration.id, { path: event.target.value })}
            onBlur={() => editDraft(integration.id, withQueryRows(draft))}
          />
        </div>
        <SendButton sending={sending} onCancel={onCancel} />
      </form>
      {hasMessage && (
        <p
          className="mt-3 flex items-center gap-3 text-s wrap-anywhere text-tone"
          id={id}
          data-tone={error === null ? 'warning' : 'invalid'}
        >
          {error === null ? (
            <>
              <Icons.Globe /> Different origin: {target.ok && escapeControls(target.origin)} is not
              the service. The token is only sent there if you confirm it.
            </>
          ) : (
            <span role="alert">{error}</span>
          )}
        </p>
      )}
    </div>
  )
}
