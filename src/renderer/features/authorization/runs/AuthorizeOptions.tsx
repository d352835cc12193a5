import { ChevronRight } from 'lucide-react'
import type { Integration } from '#contract/integrations.ts'
import { Field, SelectField } from '../../../components/Field.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useTokens } from '../store.ts'
import type { WrittenWish } from './wish.ts'

interface Props {
  readonly integration: Integration
  readonly wish: WrittenWish
  readonly onChange: (wish: WrittenWish) => void
}

/** What may be different for one run: folded, since it seldom is. */
export function AuthorizeOptions({ integration, wish, onChange }: Props) {
  const tokens = useTokens(integration.id)
  const { redirectUrls, redirectUrl } = integration
  return (
    <details className="options">
      <summary>
        <ChevronRight aria-hidden />
        For this run
      </summary>
      <div className="options-fields">
        <Field
          label="Label of the token"
          placeholder="Whose it will be"
          maxLength={80}
          value={wish.label}
          onChange={(event) => onChange({ ...wish, label: event.target.value })}
        />
        <Field
          label="State of your own"
          data-mono
          placeholder="256 random bits"
          hint="Only to test with: a state that can be guessed protects nobody."
          maxLength={2000}
          value={wish.state}
          onChange={(event) => onChange({ ...wish, state: event.target.value })}
        />
        {redirectUrls.length > 1 && (
          <SelectField
            label="Redirect URL"
            value={wish.redirectUrl}
            onChange={(event) => onChange({ ...wish, redirectUrl: event.target.value })}
          >
            <option value="">As set up: {visible(cut(redirectUrl, 80))}</option>
            {redirectUrls
              .filter((url) => url !== redirectUrl)
              .map((url) => (
                <option key={url} value={url}>
                  {visible(cut(url, 100))}
                </option>
              ))}
          </SelectField>
        )}
        {tokens.length > 0 && (
          <SelectField
            label="Takes the place of"
            value={wish.replaces ?? ''}
            onChange={(event) =>
              onChange({
                ...wish,
                replaces: event.target.value === '' ? null : Number(event.target.value),
              })
            }
          >
            <option value="">No other token</option>
            {tokens.map(({ id, label, ending }) => (
              <option key={id} value={id}>
                {visible(cut(label, 60)) || 'No label'} (…{visible(ending ?? String(id))})
              </option>
            ))}
          </SelectField>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={wish.byHand}
            onChange={(event) => onChange({ ...wish, byHand: event.target.checked })}
          />
          <span>
            Only show the address
            <small>Nothing is opened; the address is shown to open on any machine.</small>
          </span>
        </label>
      </div>
    </details>
  )
}
