import { useRelays } from '#client/state/live-values.ts'
import { relayProblem, type RelayTone } from '#client/state/relay-labels.ts'
import { Icons } from '#kit/icons.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useNow } from '#kit/Time.tsx'

const urgency: readonly RelayTone[] = ['invalid', 'warning', 'info']

/** In the connection bar while a relay is not live, or about to delete what is unread: the most urgent one. */
export function RelayChip() {
  const relays = useRelays((state) => state.relays)
  const now = useNow()
  const problems = relays
    .flatMap((relay) => {
      const problem = relayProblem(relay, now)
      return problem === null ? [] : [{ relay, ...problem }]
    })
    .toSorted((a, b) => urgency.indexOf(a.tone) - urgency.indexOf(b.tone))
  const [first] = problems
  if (!first) return <p className="visually-hidden" role="status" aria-label="Relay" />
  const { relay, tone, word, count } = first
  const more = problems.length > 1 ? ` +${problems.length - 1}` : ''
  return (
    <>
      <a
        className="bar-chip bar-relay below-1240:[&_.bar-extra]:hidden below-1240:[&_kbd]:hidden"
        href="#/setup/reach/relay"
        data-testid="relay-chip"
        data-tone={tone}
        data-alert={tone !== 'info' || undefined}
        title={shortText(`${relay.name}: ${relay.reason ?? word}`, 400)}
      >
        <Icons.RadioTower className="text-tone" />
        <span className="bar-text font-semibold">
          <span className="cut">
            {word}
            {more}
          </span>
        </span>
        {count !== null && <span className="bar-extra flex-none text-s text-mid">{count}</span>}
      </a>
      <p className="visually-hidden" role="status" aria-label="Relay">
        {tone !== 'info' && `${word}: ${shortText(relay.name, 80)}.`}
      </p>
    </>
  )
}
