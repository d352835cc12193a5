import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { TokenView } from '#contract/tokens.ts'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'

/** Whose token it is, in the user's words: a click turns it into a field. Enter keeps, Escape takes back. */
export function TokenLabel({ token }: { readonly token: TokenView }) {
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
