import { AppWindow, ChevronRight, ExternalLink, Globe, Settings2 } from 'lucide-react'
import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { sentence } from '../../../platform/call-error.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { useCan } from '../../shell/store.ts'
import { setupAddress } from '../address.ts'
import { usePreflight } from '../setup/use-preflight.ts'
import { useAuthorize } from './use-authorize.ts'
import { Field, SelectField } from '../../../components/Field.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { useTokens } from '../store.ts'

/** What the user wrote for the next run; empty: as usual. */
interface WrittenWish {
  readonly label: string
  readonly state: string
  readonly redirectUrl: string
  readonly replaces: number | null
  /** Nothing is opened: the address is shown. */
  readonly byHand: boolean
}

const noWish: WrittenWish = {
  label: '',
  state: '',
  redirectUrl: '',
  replaces: null,
  byHand: false,
}

interface Props {
  readonly integration: Integration
  /** True when nothing was ever run: it says what will happen. */
  readonly first: boolean
  /** True when something else on the screen asks for attention more. */
  readonly quiet: boolean
}

/** The one loud thing on the page: sends a user through the flow. */
export function AuthorizePanel({ integration, first, quiet }: Props) {
  const windowed = useCan('embeddedAuthWindow')
  const [wish, setWish] = useState<WrittenWish>(noWish)
  const authorize = useAuthorize(integration.id)
  const { preflight } = usePreflight({ id: integration.id }, JSON.stringify(integration))
  const hindrances =
    integration.kind === 'sandbox' || !preflight || preflight.ready
      ? []
      : preflight.checks.filter(({ outcome }) => outcome === 'error')
  const ready = hindrances.length === 0
  const begin = (agent?: 'window' | 'browser'): void =>
    authorize.start({
      ...(agent ? { agent } : wish.byHand ? { agent: 'none' } : {}),
      label: wish.label.trim(),
      state: wish.state,
      redirectUrl: wish.redirectUrl,
      ...(wish.replaces === null ? {} : { replaces: wish.replaces }),
    })
  useKeys({ authorize: () => begin() })

  return (
    <section className="authorize" aria-label="Authorize" data-first={first || undefined}>
      <div className="authorize-line">
        <div className="authorize-words">
          <h2>{ready ? 'Authorize a user' : 'Not ready yet'}</h2>
          <p>
            {ready
              ? 'They approve on the service’s page; the code that comes back becomes a token to act on their behalf.'
              : 'Before a user can be sent to the service:'}
          </p>
        </div>
        <div className="authorize-buttons">
          {!ready && (
            <a className="button" data-kind="primary" href={setupAddress}>
              <Settings2 aria-hidden />
              Finish the setup
            </a>
          )}
          <Button
            kind={ready && !quiet ? 'primary' : 'plain'}
            icon={windowed ? <AppWindow aria-hidden /> : <Globe aria-hidden />}
            hint="a"
            busy={authorize.busy}
            onClick={() => begin()}
          >
            Authorize
          </Button>
          {windowed && (
            <Button
              kind="quiet"
              icon={<ExternalLink aria-hidden />}
              busy={authorize.busy}
              onClick={() => begin('browser')}
            >
              In my browser instead
            </Button>
          )}
        </div>
      </div>
      {!ready && (
        <ul className="authorize-hindrances">
          {hindrances.map(({ code, message }) => (
            <li key={`${code} ${message}`}>
              <Shown text={message} />
            </li>
          ))}
        </ul>
      )}
      {authorize.error !== null && (
        <Note tone="invalid" alert>
          {sentence(authorize.error)}
        </Note>
      )}
      <AuthorizeOptions integration={integration} wish={wish} onChange={setWish} />
      {first && ready && <Story sandbox={integration.kind === 'sandbox'} windowed={windowed} />}
    </section>
  )
}

/** What will happen, before it ever did. */
function Story({ sandbox, windowed }: { readonly sandbox: boolean; readonly windowed: boolean }) {
  return (
    <ol className="story" aria-label="What will happen">
      <li>
        <b>The page opens</b>
        <p>
          {windowed ? 'In a window of its own' : 'In your browser'}, at /manager/oauth under the
          base URL, with a fresh state.{' '}
          {sandbox && 'The sandbox starts by itself and offers two users.'}
        </p>
      </li>
      <li>
        <b>The user approves</b>
        <p>The way back is taken only when its address is ours and its state is the one sent.</p>
      </li>
      <li>
        <b>The code becomes a token</b>
        <p>One request to /api/oauth/token. The answer is checked, the token is kept sealed.</p>
      </li>
    </ol>
  )
}

interface AuthorizeOptionsProps {
  readonly integration: Integration
  readonly wish: WrittenWish
  readonly onChange: (wish: WrittenWish) => void
}

/** What may be different for one run: folded, since it seldom is. */
function AuthorizeOptions({ integration, wish, onChange }: AuthorizeOptionsProps) {
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
