import { isAccepted } from '#catalogue/outcome.ts'
import type { EndpointActivity } from '#contract/calls.ts'
import type { Endpoint } from '#contract/models.ts'
import { formatCount } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { ReactNode } from 'react'
import { VerdictMark, StateMark } from '#kit/Mark.tsx'
import { Shown } from '#kit/Shown.tsx'
import { Time, useNow } from '#kit/Time.tsx'
import { ago } from '#kit/text/time.ts'
import { deliveryAddress } from '#client/addresses/deliveries.ts'
import { useAuthorization } from '#client/state/authorization.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { forwardState, ruleState } from './labels.ts'

interface Props {
  endpoint: Endpoint
  /** Undefined until it is loaded. */
  activity: EndpointActivity | undefined
  open: boolean
  onToggle: () => void
  /** The ID of the details that the name shows and hides. */
  controls: string
  children: ReactNode
}

/** An endpoint in one line: whose it is, what it received last, and what is wrong with it. `children`: buttons. */
export function EndpointLine({ endpoint, activity, open, onToggle, controls, children }: Props) {
  const now = useNow()
  const integration = useAuthorization(({ integrations }) =>
    integrations.find(({ id }) => id === endpoint.integrationId),
  )
  const rules = useEndpointRules()
  const { tone, word } = healthOf(
    endpoint,
    activity,
    forwardState(rules, endpoint.id),
    ruleState(rules, endpoint.id),
  )
  const last = activity?.last
  return (
    <header className="endpoint-line below-900:flex below-900:flex-wrap [&_h2>button]:inline-flex [&_h2>button]:items-center [&_h2>button]:gap-3 below-900:[&>h2]:flex-[1_0_100%]">
      <h2 className="cut">
        <button type="button" aria-expanded={open} aria-controls={controls} onClick={onToggle}>
          <Icons.ChevronRight />
          <Shown text={endpoint.name} max={80} />
        </button>
      </h2>
      <Value label="Integration">
        <Shown text={integration?.name ?? ''} max={80} />
        <span className="text-dim">, brand {integration?.brand}</span>
      </Value>
      <Value label="Last delivery">
        {last ? (
          <a href={deliveryAddress(last.id, null)}>
            <Time at={last.receivedAt}>{ago(last.receivedAt, now)}</Time>
          </a>
        ) : (
          activity && 'none yet'
        )}
      </Value>
      <Value label="Signature">{last ? <VerdictMark verdict={last.verdict} /> : '–'}</Value>
      <Value label="In 10 min">{activity && formatCount(activity.tenMinutes)}</Value>
      <Value label="State">
        <StateMark tone={tone} icon={icons[tone]} word={word} />
      </Value>
      <span>{children}</span>
    </header>
  )
}

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="grid min-w-0">
      <small className="text-2xs text-dim">{label}</small>
      <span className="cut">{children}</span>
    </span>
  )
}

interface Health {
  readonly tone: 'valid' | 'invalid' | 'warning' | 'unsigned'
  readonly word: string
}

const icons = {
  valid: Icons.Check,
  invalid: Icons.CircleAlert,
  warning: Icons.TriangleAlert,
  unsigned: Icons.CircleDashed,
}

/** `forwards` and `rules`: what is wrong with them, or null. */
export function healthOf(
  { secret, previousSecret }: Pick<Endpoint, 'secret' | 'previousSecret'>,
  activity: EndpointActivity | undefined,
  forwards: Health | null,
  rules: Health | null,
): Health {
  const { verdict, handler = null } = activity?.last ?? {}
  if (secret.unavailable || previousSecret.unavailable) {
    return { tone: 'invalid', word: 'Secret cannot be read' }
  }
  if (verdict === 'invalid') return { tone: 'invalid', word: 'Signature invalid' }
  if (verdict === 'missing') return { tone: 'warning', word: 'Signature missing' }
  if (forwards?.tone === 'invalid') return forwards
  if (handler !== null && !isAccepted(handler)) {
    const word = handler === 0 ? 'Handler did not respond' : `Handler responded with ${handler}`
    return { tone: 'invalid', word }
  }
  if (!secret.set) return { tone: 'warning', word: 'No secret' }
  if (secret.whiteSpaceAtEnds) return { tone: 'warning', word: 'White space in the secret' }
  if (forwards !== null) return forwards
  if (rules !== null) return rules
  if (activity?.last) return { tone: 'valid', word: 'Working' }
  return { tone: 'unsigned', word: 'Waiting for a delivery' }
}
