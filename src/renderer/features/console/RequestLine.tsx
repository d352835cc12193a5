import { CornerDownLeft, Globe, Send, Square } from 'lucide-react'
import { useId } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../components/Button.tsx'
import { MethodField } from '../../components/MethodField.tsx'
import { visible } from '../../components/text/visible.ts'
import { modKey } from '../shell/keys.ts'
import type { Target } from './address.ts'
import { isWhole, prefixOf } from './address.ts'
import type { Draft } from './draft.ts'
import { withQueryRows } from './draft.ts'
import { editDraft } from './store.ts'

interface Props {
  readonly integration: Integration
  readonly draft: Draft
  readonly target: Target
  readonly error: string | null
  readonly sending: boolean
  readonly onSend: () => void
  readonly onCancel: () => void
}

/** Method, address and the button that sends. */
export function RequestLine(props: Props) {
  const { integration, draft, target, error, sending, onSend, onCancel } = props
  const id = useId()
  const whole = isWhole(draft.path)
  const foreign = target.ok && target.foreign
  const noted = error !== null || foreign
  return (
    <div>
      <form
        className="request"
        onSubmit={(event) => {
          event.preventDefault()
          onSend()
        }}
      >
        <MethodField
          method={draft.method}
          onChange={(method) => editDraft(integration.id, { method })}
        />
        <div className="request-address" data-invalid={error !== null || undefined}>
          {!whole && (
            <span className="request-base mono" title="The base URL of the integration">
              <bdi className="cut">{visible(prefixOf(integration.baseUrl, draft.path))}</bdi>
            </span>
          )}
          <input
            className="mono"
            aria-label="Path, or a whole address"
            placeholder="path"
            value={draft.path}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            data-path
            aria-invalid={error === null ? undefined : true}
            aria-describedby={noted ? id : undefined}
            onChange={(event) => editDraft(integration.id, { path: event.target.value })}
            onBlur={() => editDraft(integration.id, withQueryRows(draft))}
          />
        </div>
        {sending ? (
          <Button className="request-send" icon={<Square aria-hidden />} onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          <Button
            kind="primary"
            type="submit"
            className="request-send"
            icon={<Send aria-hidden />}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title={`${modKey} Enter sends from everywhere on this page`}
          >
            Send
            <kbd aria-hidden>
              {modKey === '⌘' ? '⌘' : 'Ctrl'}
              <CornerDownLeft />
            </kbd>
          </Button>
        )}
      </form>
      {noted && (
        <p className="request-note" id={id} data-tone={error === null ? 'missing' : 'invalid'}>
          {error === null ? (
            <>
              <Globe aria-hidden /> Another origin: {target.ok && visible(target.origin)} is not the
              service’s. Its token goes there only when you say so.
            </>
          ) : (
            <span role="alert">{error}</span>
          )}
        </p>
      )}
    </div>
  )
}
